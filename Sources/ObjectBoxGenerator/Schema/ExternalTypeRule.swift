/// The type that a property has in an external database, as `externalType` names it.
enum ExternalTypeRule {
  /// The numbers that model.json and the runtime share; those between are reserved.
  private static let numbers: [String: UInt16] = [
    "unknown": 0, "int128": 100, "uuid": uuid, "decimal128": 103, "uuidString": 104, "uuidV4": 105,
    "uuidV4String": 106, "flexMap": 107, "flexVector": 108, "json": 109, "bson": 110,
    "javaScript": 111, "jsonToNative": 112, "int128Vector": 116, "uuidVector": 118, "mongoId": 123,
    "mongoIdVector": 124, "mongoTimestamp": 125, "mongoBinary": 126, "mongoRegex": 127,
  ]

  /// What a property of type `UUID` is outside of the database.
  static let uuid: UInt16 = 102

  /// Returns the name of a number; nil for reserved ones.
  static func name(of number: UInt16) -> String? {
    numbers.first { $0.value == number }?.key
  }

  /// Returns the number that the annotations ask for; nil without one, and with a finding.
  static func type(
    _ annotations: Annotations,
    of name: String,
    in owner: String
  ) -> (type: UInt16?, diagnostics: [Diagnostic]) {
    let found = AnnotationRule.word(
      "externalType",
      annotations,
      of: "'\(owner).\(name)'",
      among: numbers,
      absent: "names no type"
    )
    return (found.word, found.diagnostics)
  }
}
