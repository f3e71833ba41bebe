/// Handles types that neither the sources nor a C header declares, such as typealiases of another
/// Swift module.
///
/// The model then has no type, and generated code gets it from the compiler.
enum ForeignTypeRule {
  /// Types of Swift libraries that can never be stored.
  private static let unstorable: Set<String> = [
    "Any", "AnyObject", "AttributedString", "CGFloat", "CGPoint", "CGRect", "CGSize", "Calendar",
    "Character", "DateComponents", "DateInterval", "Duration", "Error", "Float16",
    "Float80", "IndexPath", "IndexSet", "Int128", "Locale", "NSNumber", "NSURL", "NSUUID", "Never",
    "Substring", "TimeZone", "UInt128", "Void",
  ]

  /// Returns the imports that may declare a type, for generated code; nil for a type that can never
  /// be stored.
  static func imports(
    for type: DeclaredType,
    of variable: ParsedVariable,
    names: DeclaredNames
  ) -> [String]? {
    let isName = type.name.allSatisfy { $0.isLetter || $0.isNumber || "_.`".contains($0) }
    // With single headers, the type is probably a C type.
    guard isName, type.element == nil, names.cTypes.isReadable, !names.cTypes.hasSingleHeaders,
      names.cTypes[type.name] == nil,
      !names.isDeclared(type.name), !unstorable.contains(type.name)
    else { return nil }
    let foreign = names.foreignImports(in: variable.position.path)
      .filter { !names.cTypes.modules.contains($0.module) }
      .filter { !type.name.contains(".") || type.name.hasPrefix($0.module + ".") }
    return foreign.isEmpty ? nil : foreign.map(\.statement)
  }
}

extension DiagnosticMessage {
  static func foreignType(_ title: String, _ type: String) -> Self {
    Self(
      .warning,
      "the type '\(type)' of \(title) is not declared in these sources, so "
        + "the model says none; it must be a typealias of a type that can be stored. If it is a C type, "
        + "name its header with --c-header; for others, annotate the property with `codable` or `convert`, or with "
        + "`// objectbox: transient` to leave it out"
    )
  }
}
