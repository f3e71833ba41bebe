/// How the index of a text tells texts apart; the raw value is the word of annotations and of model.json.
package enum Collation: String, CaseIterable, Hashable, Sendable {
  case binary, nocase

  /// The collation as model and generated code state it: nil for the usual one.
  var stated: Collation? { self == .binary ? nil : self }

  /// Gives a property the collation that its annotations ask for; its index is known already.
  static func apply(
    _ annotations: Annotations,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    guard let item = annotations["collation"] else { return [] }
    let word = item.value.string
    let known = Set(allCases.map(\.rawValue))
    guard let collation = word.flatMap(Collation.init(rawValue:)) else {
      let message = DiagnosticMessage.unknownCollation(
        word,
        property.name,
        entity: owner,
        nearest: word.flatMap { EditDistance.nearest(to: $0, in: known) }
      )
      let fixIts = word.map { FixIt.correction(of: $0, at: item.valuePlace, among: known) }
      return [Diagnostic(message, at: item.valuePlace, fixIts: fixIts ?? [])]
    }
    guard property.isText else {
      let message = DiagnosticMessage.collationOfNoText(
        property.name,
        property.swiftType,
        entity: owner
      )
      return [Diagnostic(message, at: item.name)]
    }
    guard property.index != nil else {
      let message = DiagnosticMessage.collationWithoutIndex(property.name, entity: owner)
      return [Diagnostic(message, at: item.name)]
    }
    property.collation = collation.stated
    return []
  }
}

extension DiagnosticMessage {
  static func unknownCollation(
    _ word: String?,
    _ name: String,
    entity: String,
    nearest: String?
  ) -> Self {
    let found = word.map { "is '\($0)', which is unknown" } ?? "is no word"
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "write \"nocase\" or \"binary\""
    return Self(.error, "the collation of '\(entity).\(name)' \(found); \(advice)")
  }

  static func collationOfNoText(_ name: String, _ type: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has type '\(type)', and a collation is for texts; "
        + "remove it"
    )
  }

  static func collationWithoutIndex(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has a collation and no index to which it applies; add "
        + "`index` or `unique`, or remove it"
    )
  }
}
