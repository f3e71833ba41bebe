/// The effect on objects at one end of a relation when the object at the other end is removed.
///
/// The raw value is the word in annotations and in model.json.
package enum SchemaDeleteRule: String, CaseIterable, Hashable, Sendable {
  case nullify, restrict, cascade

  /// The rule as written in the model and in generated code; nil for the default.
  var stated: SchemaDeleteRule? { self == .nullify ? nil : self }

  /// Returns the rule of a relation's `onDelete` annotation; nil without the annotation, and with a
  /// finding.
  static func rule(of stored: StoredVariable) -> AnnotationRule.Found<SchemaDeleteRule> {
    AnnotationRule.word("onDelete", of: stored, among: byWord)
  }
}

extension RelationResolution {
  /// Applies the rule of a backlink to the relation of which it is the reverse side.
  static func applyRule(
    of relation: SchemaRelation,
    owner: String,
    to target: inout SchemaEntity
  ) -> [Diagnostic] {
    guard let rule = relation.onDelete else { return [] }
    let other: (rule: SchemaDeleteRule?, name: String, position: SourcePosition)
    switch relation.kind {
    case .reverseOfToOne(let name):
      guard let place = target.properties.firstIndex(where: { $0.name == name }) else { return [] }
      let property = target.properties[place]
      other = (property.onDelete, property.name, property.position)
      if other.rule == nil { target.properties[place].onDelete = rule }
    case .reverseOfToMany(let name):
      guard let place = target.relations.firstIndex(where: { $0.name == name }) else { return [] }
      let reverse = target.relations[place]
      other = (reverse.onTargetDelete, reverse.name, reverse.position)
      if other.rule == nil { target.relations[place].onTargetDelete = rule }
    case .standalone, .backlink: return []
    }
    guard let found = other.rule, found != rule else { return [] }
    let message = DiagnosticMessage.conflictingDeleteRules(
      "\(owner).\(relation.name)",
      rule,
      "\(target.qualifiedName).\(other.name)",
      found
    )
    let note = Diagnostic(.otherPlace, at: other.position)
    return [Diagnostic(message, at: relation.position, notes: [note])]
  }
}

extension DiagnosticMessage {
  static func conflictingDeleteRules(
    _ backlink: String,
    _ rule: SchemaDeleteRule,
    _ other: String,
    _ otherRule: SchemaDeleteRule
  ) -> Self {
    "the onDelete of the backlink '\(backlink)' is '\(rule)', and another annotation of the same "
      + "relation, '\(other)', says '\(otherRule)'; state one of the two"
  }
}
