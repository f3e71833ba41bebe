/// The effect on the objects at one end of a relation when the one at the other end is removed; the
/// raw value is the word of annotations and of model.json.
package enum DeleteRule: String, CaseIterable, Hashable, Sendable {
  case nullify, restrict, cascade

  /// The rule as model and generated code state it: nil for the usual one.
  var stated: DeleteRule? { self == .nullify ? nil : self }

  /// The rule that `onDelete` gives to a relation; nil without one, and with a finding.
  static func rule(of stored: StoredVariable) -> AnnotationRule.Found<DeleteRule> {
    AnnotationRule.word("onDelete", of: stored, among: byWord)
  }
}

extension RelationResolution {
  /// Gives the rule of a backlink to the relation that it is the other end of.
  static func applyRule(
    of relation: SchemaRelation,
    owner: String,
    to target: inout SchemaEntity
  ) -> [Diagnostic] {
    guard let rule = relation.onDelete else { return [] }
    let other: (rule: DeleteRule?, name: String, position: SourcePosition)
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
    _ rule: DeleteRule,
    _ other: String,
    _ otherRule: DeleteRule
  ) -> Self {
    "the onDelete of the backlink '\(backlink)' is '\(rule)', and another annotation of the same "
      + "relation, '\(other)', says '\(otherRule)'; state one of the two"
  }
}
