/// The comparison of texts in an index; the raw value is the word in annotations and in model.json.
package enum SchemaCollation: String, CaseIterable, Hashable, Sendable {
  case binary, nocase

  /// The collation as written in the model and in generated code; nil for the default.
  var stated: SchemaCollation? { self == .binary ? nil : self }

  /// Applies a property's `collation` annotation; the property's index must be set already.
  static func apply(
    _ stored: StoredVariable,
    to property: inout SchemaProperty
  ) -> [Diagnostic] {
    guard let item = stored.annotations["collation"] else { return [] }
    let found = AnnotationRule.word("collation", of: stored, among: byWord)
    guard let collation = found.word else { return found.diagnostics }
    guard property.isText else {
      return [Diagnostic(.collationOfNoText(stored.title, property.swiftType), at: item.name)]
    }
    guard property.index != nil else {
      return [Diagnostic(.collationWithoutIndex(stored.title), at: item.name)]
    }
    property.collation = collation.stated
    return []
  }
}

extension DiagnosticMessage {
  static func collationOfNoText(_ title: String, _ type: String) -> Self {
    "\(title) has type '\(type)', and a collation is for texts; remove it"
  }

  static func collationWithoutIndex(_ title: String) -> Self {
    "\(title) has a collation and no index to which it applies; add `index` or `unique`, or remove it"
  }
}
