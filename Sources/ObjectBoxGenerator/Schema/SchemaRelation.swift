/// A to-many relation of an entity.
package struct SchemaRelation: Hashable, Sendable {
  /// The relation in the model.
  package enum Kind: Hashable, Sendable {
    /// An entry of its own in the model.
    case standalone
    /// The backlink of a relation of the target with this name; not resolved yet.
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
  /// The effect on the targets when the object that has them is removed; nil when not stated.
  package var onDelete: DeleteRule?
  /// The effect on the objects that have a target when that is removed; for standalone relations.
  package var onTargetDelete: DeleteRule?
  /// The place of the name in its declaration.
  package var position: SourcePosition

  /// The ID of the relation in the model, set by ``ModelSynchronizer``.
  ///
  /// The reverse side of a standalone relation has that relation's ID, the reverse side of a to-one
  /// relation the ID of that property.
  package var modelID: ModelID?
  /// The target entity's ID, set by ``ModelSynchronizer``.
  package var targetID: ModelID?

  /// True for a relation that has an entry in the model.
  package var isStandalone: Bool { kind == .standalone }
}
