/// The conversion for the `codable` annotation: to JSON text and back, by a converter of the
/// runtime.
enum CodableRule {
  static func conversion(
    _ item: Annotations.Item,
    of stored: StoredVariable
  ) -> ConversionRule.Outcome {
    let (variable, type, element) = (stored.variable, stored.type, stored.path)
    var stated: String?
    switch item.value {
    case .bare, .integer(1): break
    case .dictionary(let object):
      let read = AnnotationRule.texts("codable", item, object, of: element)
      guard read.diagnostics.isEmpty else { return .faults(read.diagnostics) }
      stated = read.texts["default"].flatMap { $0.isEmpty ? nil : $0 }
    default: return .faults([Diagnostic(.invalidCodable(element), at: item.valuePlace)])
    }
    // An optional reads null as nil, whatever its initial value.
    var defaultValue = stated ?? (type.isOptional ? nil : variable.defaultValue)
    // No finding about a missing default of an ID: the annotation on it is reported when the ID is
    // chosen.
    if IDRule.mayBeID(variable, type) { defaultValue = defaultValue ?? "0" }
    guard type.isOptional || defaultValue != nil else {
      return .faults([Diagnostic(.codableWithoutDefault(element), at: item.name)])
    }
    let conversion = Conversion(
      databaseType: type.isOptional ? "String?" : "String",
      converter: "ObjectBox.CodableText",
      defaultValue: defaultValue,
      isCodable: true
    )
    return .conversion(conversion)
  }

  /// Returns the imports that generated code needs for the default value.
  ///
  /// If the value or its type names something that the sources do not declare, these are the file's
  /// imports.
  static func imports(for conversion: Conversion, of stored: StoredVariable) -> [String] {
    let (type, names) = (stored.type, stored.names)
    guard let defaultValue = conversion.defaultValue else { return [] }
    let isForeign = "\(type.name) \(defaultValue)".matches(of: /[A-Z]\w*/).contains { match in
      let name = String(match.output)
      return !swiftTypes.contains(name) && TypeTable.entry(name) == nil && !names.isDeclared(name)
        && !names.isDeclared("\(stored.owner).\(name)")
    }
    return isForeign ? names.foreignImports(in: stored.variable.position.path).map(\.statement) : []
  }

  private static let swiftTypes: Set<String> = ["Array", "Dictionary", "Optional", "Self", "Set"]
}

extension DiagnosticMessage {
  static func invalidCodable(_ element: String) -> Self {
    "the codable annotation of \(element) has a value that it does not take; write "
      + "\(Annotation.usage("codable"))"
  }

  static func codableWithoutDefault(_ element: String) -> Self {
    "the codable annotation of \(element) does not say what a record without a value reads as; "
      + "give the property a default value, add \"default\", or make it optional"
  }
}
