/// How properties of C types are stored, with findings about types that cannot be stored.
///
/// Typedefs of numbers need no rule: ``DeclaredNames`` resolves them like typealiases.
enum CTypeRule {
  /// Modules without C types of their own that nearly every source imports.
  static let swiftModules: Set<String> = [
    "Combine", "Dispatch", "Foundation", "FoundationEssentials", "ObjectBox", "Observation",
    "Swift", "SwiftUI", "Synchronization",
  ]

  /// Returns the conversion of a C enum that needs no annotation; nil for other types.
  static func conversion(of type: DeclaredType, _ names: DeclaredNames) -> Conversion? {
    guard let enumeration = enumeration(type, names) else { return nil }
    var conversion = Conversion(databaseType: enumeration.rawType)
    complete(&conversion, of: type, names)
    conversion.keepNil(of: type)
    return conversion.isTotal || type.isOptional ? conversion : nil
  }

  /// Sets the stored values that convert back, for a C enum stored as its raw value.
  static func complete(
    _ conversion: inout Conversion,
    of type: DeclaredType,
    _ names: DeclaredNames
  ) {
    guard conversion.converter == nil, let enumeration = enumeration(type, names),
      conversion.databaseType == enumeration.rawType
    else { return }
    switch enumeration.values {
    case .all: conversion.isTotal = conversion.defaultValue == nil && !type.isOptional
    case .open: break
    case .closed(let values): conversion.knownRawValues = values
    }
  }

  private static func enumeration(_ type: DeclaredType, _ names: DeclaredNames) -> CEnumeration? {
    names.isDeclared(type.name) ? nil : names.cTypes.enumeration(type.name)
  }

  /// Returns the imports that generated code needs to name a C enum; none for other types.
  ///
  /// This is the import of the enum's module. If the module is unknown, it is all imports of the
  /// property's file.
  static func imports(for stored: StoredVariable) -> [String] {
    let (type, names) = (stored.type, stored.names)
    guard enumeration(type, names) != nil else { return [] }
    var imports = names.foreignImports(in: stored.variable.position.path)
    if let module = names.cTypes[type.name]?.module,
      let own = imports.first(where: { $0.module == module }) ?? names.firstImport(of: module)
    {
      imports = [own]
    }
    return imports.map(\.statement)
  }

  /// Returns the finding about a type that is or may be a C type; nil for other types.
  static func finding(on type: DeclaredType, of stored: StoredVariable) -> Diagnostic? {
    if stored.names.isDeclared(type.name) { return nil }
    let name = (type.element ?? type).name
    let title = stored.title
    guard let found = stored.names.cTypes[name] else {
      let advice = advice(for: name, of: stored)
      return advice.map { stored.finding(.unknownCType(title, type.text, advice: $0)) }
    }
    if let conflict = found.conflict {
      var finding = stored.finding(.conflictingCType(title, name))
      finding.notes = [
        Diagnostic(.firstCDeclaration(name), at: found.position),
        Diagnostic(.otherCDeclaration(name), at: conflict),
      ]
      return finding
    }
    switch found.kind {
    case .scalar: return nil
    case .enumeration where type.element == nil:
      return stored.finding(.cEnumWithoutDefault(title, name))
    case .enumeration:
      return stored.finding(.unsupportedCType(title, type.text, "an array of C enums"))
    case .unsupported(let words):
      return stored.finding(.unsupportedCType(title, type.text, words))
    }
  }

  /// Returns the advice about an unknown type that may be a C type; nil when nothing suggests that.
  private static func advice(for name: String, of stored: StoredVariable) -> String? {
    let names = stored.names
    let foreign = names.foreignImports(in: stored.variable.position.path).map(\.module)
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_.`".contains($0) }),
      !name.contains(".") || foreign.contains(where: { name.hasPrefix($0 + ".") }),
      !foreign.isEmpty || names.cTypes.hasSingleHeaders
    else { return nil }
    return names.cTypes.isReadable ? nil : .installLibclang
  }
}

extension String {
  fileprivate static let installLibclang =
    "if it is a C type, install libclang (on Debian and Ubuntu: apt-get install libclang-dev), run "
    + "`swift package purge-cache` and build again, so that the generator can read C headers"
}

extension DiagnosticMessage {
  private static let otherWays: Self =
    "annotate it with `// objectbox: convert = { \"dbType\": \"String\", \"converter\": "
    + "\"SomeConverter\" }`, or with `// objectbox: transient` to leave it out"

  static func unknownCType(_ title: String, _ type: String, advice: String) -> Self {
    "\(title) has type '\(type)', which cannot be stored; \(advice); else " + otherWays
  }

  static func unsupportedCType(_ title: String, _ type: String, _ words: String) -> Self {
    "\(title) has type '\(type)', which is \(words) and cannot be stored; " + otherWays
  }

  static func cEnumWithoutDefault(_ title: String, _ type: String) -> Self {
    "\(title) has type '\(type)', which is a C enum that Swift imports as an enum and that may not "
      + "know a stored value; annotate it with `// objectbox: convert = { \"default\": "
      + "\".someCase\" }`, or make it optional"
  }

  static func conflictingCType(_ title: String, _ type: String) -> Self {
    "\(title) has type '\(type)', which two C headers declare differently; give the property a type "
      + "of which there is one, or pass only one of the headers"
  }

  static func firstCDeclaration(_ name: String) -> Self {
    note("'\(name)' is declared here first")
  }

  static func otherCDeclaration(_ name: String) -> Self {
    note("'\(name)' is declared here as another type")
  }
}
