/// The storage of properties of C types, with findings about types that cannot be stored.
///
/// Typedefs of numbers need no rule: ``DeclaredNames`` resolves them as it does typealiases.
enum CTypeRule {
  /// Modules without C types of their own, which nearly every source imports.
  static let swiftModules: Set<String> = [
    "Combine", "Dispatch", "Foundation", "FoundationEssentials", "ObjectBox", "Observation",
    "Swift",
    "SwiftUI", "Synchronization",
  ]

  /// Returns the conversion of a C enum that needs no annotation; nil for other types.
  static func conversion(of type: DeclaredType, names: DeclaredNames) -> Conversion? {
    guard let enumeration = enumeration(type, names) else { return nil }
    var conversion = Conversion(databaseType: enumeration.rawType)
    complete(&conversion, of: type, names: names)
    return conversion.isTotal || type.isOptional ? conversion : nil
  }

  /// Sets the stored values that convert back, for a C enum that is stored as its raw value.
  static func complete(
    _ conversion: inout Conversion,
    of type: DeclaredType,
    names: DeclaredNames
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
  /// That is the import of its module, or where the module is unknown, all of the file that declares
  /// the property.
  static func imports(for type: DeclaredType, in path: String, names: DeclaredNames) -> [String] {
    guard enumeration(type, names) != nil else { return [] }
    var imports = names.foreignImports(in: path)
    if let module = names.cTypes[type.name]?.module,
      let own = imports.first(where: { $0.module == module }) ?? names.firstImport(of: module)
    {
      imports = [own]
    }
    return imports.map(\.statement)
  }

  /// Returns what is wrong with a type that is a C type, or could be one; nil for others.
  static func finding(
    on type: DeclaredType,
    of variable: ParsedVariable,
    in owner: String,
    names: DeclaredNames
  ) -> Diagnostic? {
    if names.isDeclared(type.name) { return nil }
    let name = (type.element ?? type).name
    let message: DiagnosticMessage
    guard let found = names.cTypes[name] else {
      guard let advice = advice(for: name, of: variable, names) else { return nil }
      message = .unknownCType(variable.name, type.text, entity: owner, advice: advice)
      return Diagnostic(message, at: variable.position)
    }
    if let conflict = found.conflict {
      return Diagnostic(
        .conflictingCType(variable.name, name, entity: owner),
        at: variable.position,
        notes: [
          Diagnostic(.firstCDeclaration(name), at: found.position),
          Diagnostic(.otherCDeclaration(name), at: conflict),
        ]
      )
    }
    switch found.kind {
    case .scalar: return nil
    case .enumeration:
      message =
        type.element == nil
        ? .cEnumWithoutDefault(variable.name, name, entity: owner)
        : .unsupportedCType(variable.name, type.text, "an array of C enums", entity: owner)
    case .unsupported(let words):
      message = .unsupportedCType(variable.name, type.text, words, entity: owner)
    }
    return Diagnostic(message, at: variable.position)
  }

  /// Returns what to do if an unknown type is one of C that cannot be read; nil where nothing suggests it.
  private static func advice(
    for name: String,
    of variable: ParsedVariable,
    _ names: DeclaredNames
  ) -> String? {
    let foreign = names.foreignImports(in: variable.position.path).map(\.module)
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
  private static func unstorable(_ name: String, _ type: String, _ entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' has type '\(type)', which "
  }

  private static let otherWays: Self =
    "annotate it with `// objectbox: convert = { \"dbType\": \"String\", \"converter\": "
    + "\"SomeConverter\" }`, or with `// objectbox: transient` to leave it out"

  static func unknownCType(
    _ name: String,
    _ type: String,
    entity: String,
    advice: String
  ) -> Self {
    unstorable(name, type, entity) + "cannot be stored; \(advice); else " + otherWays
  }

  static func unsupportedCType(
    _ name: String,
    _ type: String,
    _ words: String,
    entity: String
  ) -> Self {
    unstorable(name, type, entity) + "is \(words) and cannot be stored; " + otherWays
  }

  static func cEnumWithoutDefault(_ name: String, _ type: String, entity: String) -> Self {
    unstorable(name, type, entity)
      + "is a C enum that Swift imports as an enum and that may not know a stored value; annotate it "
      + "with `// objectbox: convert = { \"default\": \".someCase\" }`, or make it optional"
  }

  static func conflictingCType(_ name: String, _ type: String, entity: String) -> Self {
    unstorable(name, type, entity)
      + "two C headers declare differently; give the property a type of which there is one, or pass "
      + "only one of the headers"
  }

  static func firstCDeclaration(_ name: String) -> Self {
    note("'\(name)' is declared here first")
  }

  static func otherCDeclaration(_ name: String) -> Self {
    note("'\(name)' is declared here as another type")
  }
}
