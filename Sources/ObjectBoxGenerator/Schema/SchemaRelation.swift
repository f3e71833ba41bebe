/// A to-many relation of an entity.
package struct SchemaRelation: Hashable, Sendable {
  /// What the relation is made of.
  package enum Kind: Hashable, Sendable {
    /// An entry of its own in the model.
    case standalone
    /// The reverse side of what the target declares under this name; not resolved yet.
    case backlink(String)
    /// The reverse side of a to-one relation: the Swift name of that property of the target.
    case reverseOfToOne(String)
    /// The reverse side of a standalone relation: the Swift name of that relation of the target.
    case reverseOfToMany(String)
  }

  /// The name in Swift, in the model and in the database.
  package var name: String
  /// The qualified Swift name of the target.
  package var targetType: String
  package var kind: Kind
  /// False for `let`.
  package var isMutable: Bool
  package var uid: UIDRequest
  /// The `uid` annotation.
  package var uidPlace: SourceSpan?
  package var externalName: String?
  package var externalType: UInt16?
  /// What happens to the targets when the object that has them is removed; nil when nothing states it.
  package var onDelete: DeleteRule?
  /// Of a standalone relation: what happens to the objects that have a target when that is removed.
  package var onTargetDelete: DeleteRule?
  /// The place of the name in its declaration.
  package var position: SourcePosition

  /// The ID of the relation in the model, set by ``ModelSynchronizer``.
  ///
  /// Of the reverse side of a standalone relation it is that relation's ID, of the reverse side of a to-one
  /// relation the ID of that property.
  package var modelID: ModelID?
  /// The target entity's ID, set by ``ModelSynchronizer``.
  package var targetID: ModelID?

  package init(
    name: String,
    targetType: String,
    kind: Kind,
    isMutable: Bool = true,
    uid: UIDRequest = .none,
    externalName: String? = nil,
    externalType: UInt16? = nil,
    position: SourcePosition
  ) {
    self.name = name
    self.targetType = targetType
    self.kind = kind
    self.isMutable = isMutable
    self.uid = uid
    self.externalName = externalName
    self.externalType = externalType
    self.position = position
  }

  /// True for a relation that has an entry in the model.
  package var isStandalone: Bool { kind == .standalone }
}
