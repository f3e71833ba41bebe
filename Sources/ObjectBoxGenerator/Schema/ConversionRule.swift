/// What the `convert` annotation asks for.
enum ConversionRule {
  typealias Result = (conversion: Conversion?, diagnostics: [Diagnostic])

  /// Makes the conversion of a property; nil comes with a finding.
  static func conversion(
    _ item: Annotations.Item,
    of name: String,
    type: DeclaredType,
    in owner: String,
    names: DeclaredNames
  ) -> Result {
    func fault(_ message: DiagnosticMessage) -> Result {
      (nil, [Diagnostic(message, at: item.position)])
    }
    var options: [String: String] = [:]
    switch item.value {
    case .text(let type): options["dbType"] = type
    case .dictionary(let dictionary):
      for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
        guard ["dbType", "converter", "default"].contains(key), case .text(let text) = value else {
          return fault(.invalidConversion(key, name, entity: owner))
        }
        options[key] = text
      }
    default: return fault(.emptyConversion(name, entity: owner))
    }
    guard let stored = options["dbType"] ?? names.rawType(of: type.name, in: owner) else {
      return fault(.conversionWithoutType(name, entity: owner))
    }
    if options["converter"] == nil, options["default"] == nil, !type.isOptional {
      return fault(.conversionWithoutDefault(name, entity: owner))
    }
    let conversion = Conversion(
      databaseType: DeclaredType(stored).text,
      converter: options["converter"],
      defaultValue: options["default"]
    )
    return (conversion, [])
  }
}

extension DiagnosticMessage {
  static func emptyConversion(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' says nothing; write `convert = { \"dbType\": "
        + "\"Int\", \"default\": \".someCase\" }`"
    )
  }

  static func invalidConversion(_ key: String, _ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' has '\(key)', which is unknown or no text; it takes "
        + "the texts 'dbType', 'converter' and 'default'"
    )
  }

  static func conversionWithoutType(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' does not say what is stored, and the type is no enum "
        + "with a raw type in these sources; add \"dbType\""
    )
  }

  static func conversionWithoutDefault(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' does not say what an unknown stored value becomes; "
        + "add \"default\" or \"converter\", or make the property optional"
    )
  }
}
