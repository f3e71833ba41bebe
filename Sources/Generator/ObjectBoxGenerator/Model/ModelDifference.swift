/// One difference between two versions of a model, and its effect on stored data.
package struct ModelDifference: Hashable, Sendable, Encodable {
  /// The kind of difference; the raw value is the word in JSON reports.
  package enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
    case entityAdded, entityRemoved, entityRenamed, entityMoved, entityFlags, entityExternalName
    case propertyAdded, propertyRemoved, propertyRenamed, propertyMoved, propertyRetyped
    case propertySign, propertyFlags, propertyTarget, propertyExternal, propertyMigration
    case indexAdded, indexRemoved, indexChanged, indexReplaced
    case uniqueAdded, uniqueRemoved, uniqueConflictRule
    case relationAdded, relationRemoved, relationRenamed, relationMoved, relationTarget
    case relationExternal
    case deleteRule
    case lastIDLowered
  }

  package var kind: Kind
  /// Name of the entity in the new model, or in the old one if it is gone; nil for the whole model.
  package var entity: String?
  /// Name of the property or relation; nil for the entity itself.
  package var element: String?
  /// UID by which the element was found.
  package var uid: UInt64
  /// The old model's value in words; nil when there is none.
  package var before: String?
  /// The new model's value in words; nil when there is none.
  package var after: String?
  /// The difference in words.
  package var text: String
  /// Effect on a store of the old model that is opened with the new one.
  package var consequence: DataEffect

  /// The consequence in words.
  package var effect: String { consequence.text }

  /// First character of a report's line: `+` for new, `-` for gone, `~` for changed.
  package var mark: String {
    switch kind {
    case .entityAdded, .propertyAdded, .relationAdded, .indexAdded, .uniqueAdded: "+"
    case .entityRemoved, .propertyRemoved, .relationRemoved, .indexRemoved, .uniqueRemoved: "-"
    default: "~"
    }
  }

  /// True when the element is new and will have values or links of its own.
  var isAddition: Bool { [.entityAdded, .propertyAdded, .relationAdded].contains(kind) }

  /// True when the element is gone and had values or links of its own.
  var isRemoval: Bool { [.entityRemoved, .propertyRemoved, .relationRemoved].contains(kind) }

  private enum CodingKeys: CodingKey {
    case kind, entity, element, uid, before, after, text, effect
  }

  /// Encodes the UID as text: many programs read JSON numbers as floating point.
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
