/// The comparison of texts in an index; the raw value is the word of annotations and of model.json.
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
    let found = AnnotationRule.word(
      "collation",
      annotations,
      of: "'\(owner).\(property.name)'",
      among: byWord
    )
    guard let collation = found.word else { return found.diagnostics }
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
  static func collationOfNoText(_ name: String, _ type: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' has type '\(type)', and a collation is for texts; "
      + "remove it"
  }

  static func collationWithoutIndex(_ name: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' has a collation and no index to which it applies; "
      + "add `index` or `unique`, or remove it"
  }
}
