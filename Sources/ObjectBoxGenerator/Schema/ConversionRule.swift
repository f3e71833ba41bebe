/// What the `convert` annotation asks for.
enum ConversionRule {
  enum Outcome {
    case conversion(Conversion)
    case fault(DiagnosticMessage)
  }

  private static let keys: Set<String> = ["dbType", "converter", "default"]

  /// Makes the conversion of a property whose type is resolved.
  static func conversion(
    _ value: AnnotationValue,
    of name: String,
    type: DeclaredType,
    in owner: String,
    names: DeclaredNames
  ) -> Outcome {
    var options: [String: String] = [:]
    switch value {
    case .text(let type): options["dbType"] = type
    case .dictionary(let dictionary):
      for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
        guard keys.contains(key), case .text(let text) = value else {
          return .fault(.invalidConversion(key, name, entity: owner))
        }
        options[key] = text
      }
    default: return .fault(.emptyConversion(name, entity: owner))
    }
    // An empty text counts as not given.
    options = options.filter { !$0.value.isEmpty }

    let asked = options["dbType"].map { names.resolve(DeclaredType($0), in: owner) }
    guard let databaseType = asked ?? names.rawType(of: type.name) else {
      return .fault(.conversionWithoutType(name, entity: owner))
    }
    var conversion = Conversion(
      databaseType: databaseType.text,
      converter: options["converter"],
      defaultValue: options["default"]
    )
    CTypeRule.complete(&conversion, of: type, names: names)
    if conversion.converter == nil, conversion.defaultValue == nil, !type.isOptional,
      !conversion.isTotal
    {
      return .fault(.conversionWithoutDefault(name, entity: owner))
    }
    return .conversion(conversion)
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
      "the convert annotation of '\(entity).\(name)' has '\(key)', which is unknown or no text; it "
        + "takes the texts 'dbType', 'converter' and 'default'"
    )
  }

  static func conversionWithoutType(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' does not say what is stored, and the type is "
        + "no enum with a raw type in these sources; add \"dbType\""
    )
  }

  static func conversionWithoutDefault(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the convert annotation of '\(entity).\(name)' does not say what an unknown stored value "
        + "becomes; add \"default\" or \"converter\", or make the property optional"
    )
  }
}
