/// One difference between two versions of a model, and its effect on stored data.
package struct ModelDifference: Hashable, Sendable, Encodable {
  /// The trait that differs, with the word for reports in JSON.
  package enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
    case entityAdded, entityRemoved, entityRenamed, entityMoved, entityFlags, entityExternalName
    case propertyAdded, propertyRemoved, propertyRenamed, propertyMoved, propertyRetyped
    case propertySign, propertyFlags, propertyTarget, propertyExternal
    case indexAdded, indexRemoved, indexChanged, indexReplaced
    case uniqueAdded, uniqueRemoved, uniqueConflictRule
    case relationAdded, relationRemoved, relationRenamed, relationMoved, relationTarget
    case relationExternal
    case deleteRule
    case lastIDLowered
  }

  package var kind: Kind
  /// The entity's name in the new model, or in the old one when it is gone; nil for the whole model.
  package var entity: String?
  /// The name of the property or relation; nil for the entity itself.
  package var element: String?
  /// The UID by which the element was found.
  package var uid: UInt64
  /// The state in the old model, in words; nil without a comparison.
  package var before: String?
  /// The state in the new model, in words.
  package var after: String?
  /// The difference in words.
  package var text: String
  /// The effect on a store that was written with the old model and is opened with the new one.
  package var consequence: DataEffect

  /// The consequence in words.
  package var effect: String { consequence.text }

  /// The first character of a line in a report: `+` for new, `-` for gone, `~` for changed.
  package var mark: String {
    switch kind {
    case .entityAdded, .propertyAdded, .relationAdded, .indexAdded, .uniqueAdded: "+"
    case .entityRemoved, .propertyRemoved, .relationRemoved, .indexRemoved, .uniqueRemoved: "-"
    default: "~"
    }
  }

  /// True for an element with values or links of its own that is gone.
  var isRemoval: Bool { [.entityRemoved, .propertyRemoved, .relationRemoved].contains(kind) }

  private enum CodingKeys: CodingKey {
    case kind, entity, element, uid, before, after, text, effect
  }

  /// Encodes the UID as text, since many programs read numbers of JSON as floating point.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(entity, forKey: .entity)
    try container.encodeIfPresent(element, forKey: .element)
    try container.encode("\(uid)", forKey: .uid)
    try container.encodeIfPresent(before, forKey: .before)
    try container.encodeIfPresent(after, forKey: .after)
    try container.encode(text, forKey: .text)
    try container.encode(effect, forKey: .effect)
  }
}
