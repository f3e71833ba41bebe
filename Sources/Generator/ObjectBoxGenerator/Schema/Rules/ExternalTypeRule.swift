/// The type of a property in an external database, for the annotation `externalType`.
enum ExternalTypeRule {
  /// Numbers shared by model.json and the runtime; numbers in between are reserved.
  private static let numbers: [String: UInt16] = [
    "unknown": 0, "int128": 100, "uuid": 102, "decimal128": 103, "uuidString": 104, "uuidV4": 105,
    "uuidV4String": 106, "flexMap": 107, "flexVector": 108, "json": 109, "bson": 110,
    "javaScript": 111, "jsonToNative": 112, "int128Vector": 116, "uuidVector": 118, "mongoId": 123,
    "mongoIdVector": 124, "mongoTimestamp": 125, "mongoBinary": 126, "mongoRegex": 127,
  ]

  /// Returns the number of a name; nil for an unknown name.
  static func number(of name: String) -> UInt16? { numbers[name] }

  /// Returns the name of a number; nil for a reserved number.
  static func name(of number: UInt16) -> String? {
    numbers.first { $0.value == number }?.key
  }

  /// Returns the number for the annotation; nil without the annotation, and with a finding.
  static func type(of stored: StoredVariable) -> AnnotationRule.Found<UInt16> {
    AnnotationRule.word("externalType", of: stored, among: numbers, absent: "names no type")
  }

  /// Rejects an `externalType` that contradicts the order of the property's values.
  static func check(_ stored: StoredVariable, _ property: SchemaProperty) -> [Diagnostic] {
    guard let item = stored.annotations["externalType"], let encoded = property.encodedType,
      encoded.isOrdered, property.externalType != encoded.externalType,
      let known = encoded.externalType.flatMap(name)
    else { return [] }
    let message = DiagnosticMessage.otherExternalType(stored.title, encoded.name, known)
    return [Diagnostic(message, at: item.valuePlace)]
  }
}

extension DiagnosticMessage {
  static func otherExternalType(_ title: String, _ type: String, _ known: String) -> Self {
    "\(title) has type '\(type)', whose externalType is always '\(known)'; remove it"
  }
}
