/// A to-many relation of an entity.
package struct SchemaRelation: Hashable, Sendable {
  /// The relation's representation in the model.
  package enum Kind: Hashable, Sendable {
    /// A relation of its own in the model.
    case standalone
    /// A backlink that is not resolved yet; the value is the name of the target's relation.
    case backlink(String)
    /// The reverse side of a to-one relation; the value is the Swift name of the target's property.
    case reverseOfToOne(String)
    /// The reverse side of a standalone relation; the value is the Swift name of the target's
    /// relation.
    case reverseOfToMany(String)
  }

  /// Name in Swift, in the model and in the database.
  package var name: String
  /// Qualified Swift name of the target.
  package var targetType: String
  package var kind: Kind
  /// False for `let`.
  package var isMutable: Bool
  package var access: AccessLevel
  package var uid: UIDRequest
  /// Position of the `uid` annotation; nil without one.
  package var uidPlace: SourceSpan?
  package var externalName: String?
  package var externalType: UInt16?
  /// The effect on the targets when the object with this relation is removed; nil when not stated.
  package var onDelete: SchemaDeleteRule?
  /// The effect on the objects with this relation when a target is removed; only for standalone
  /// relations.
  package var onTargetDelete: SchemaDeleteRule?
  /// The base class that declares the relation; nil for a relation of the entity itself.
  package var ancestor: Ancestor?
  /// Position of the name in its declaration.
  package var position: SourcePosition

  /// ID of the relation in the model, set by ``ModelSynchronizer``.
  ///
  /// The reverse side of a standalone relation has that relation's ID. The reverse side of a to-one
  /// relation has that property's ID.
  package var modelID: ModelID?
  /// ID of the target entity, set by ``ModelSynchronizer``.
  package var targetID: ModelID?

  /// True for a relation of its own in the model.
  package var isStandalone: Bool { kind == .standalone }
}
