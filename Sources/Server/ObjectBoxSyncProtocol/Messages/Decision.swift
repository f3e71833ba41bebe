/// The server's decision about a transaction.
package enum Decision: Hashable, Sendable {
  /// The transaction has all its effects.
  case accepted
  /// The transaction has effects, but operations were dropped or objects have other identities.
  case merged(dropped: [DroppedOperation], identities: [NewIdentity])
  /// The transaction has no effect.
  case rejected(Rejection)

  /// The objects with other identities, or nil if the transaction was rejected.
  package var outcome: MakerOutcome? {
    switch self {
    case .accepted: MakerOutcome([])
    case .merged(_, let identities): MakerOutcome(identities)
    case .rejected: nil
    }
  }
}

/// An operation, or a part of it, that the server left out.
package struct DroppedOperation: Hashable, Sendable {
  /// The cause.
  package enum Reason: Hashable, Sendable {
    /// The object does not exist any more.
    case deleted
    /// Another object has the ID now.
    case otherObject
    /// A write with this greater stamp has won.
    case older(than: Stamp)
    /// The target of the pair or of the to-one relation does not exist.
    case targetMissing
    /// The server's function resolved a conflict, and gave this property another value.
    case resolved(PropertyUID)
  }

  /// The index of the operation in its transaction.
  package let index: Int
  /// The object.
  package let key: ObjectKey
  /// The cause.
  package let reason: Reason

  /// Creates the report of a dropped operation.
  package init(index: Int, key: ObjectKey, reason: Reason) {
    self.index = index
    self.key = key
    self.reason = reason
  }
}

/// An object whose identity the server changed.
package struct NewIdentity: Hashable, Sendable {
  /// The key that the making transaction gave.
  package let made: ObjectKey
  /// The final identity, or nil if the object was not made.
  package let identity: ObjectIdentity?

  /// Creates a new identity.
  package init(made: ObjectKey, identity: ObjectIdentity?) {
    self.made = made
    self.identity = identity
  }
}

/// The cause for which a whole transaction has no effect.
package struct Rejection: Error, Hashable, Sendable {
  /// The kind of cause.
  package enum Reason: Hashable, Sendable {
    /// Another object has the unique values.
    case unique
    /// The user may not write the object.
    case permission
    /// The server does not synchronize the entity.
    case unknownEntity
    /// A counter was set, or a property that is no counter was incremented.
    case counter
    /// The server's database cannot store a value of the property, or of the object.
    case value
    /// An object that stays has a relation whose delete rule forbids the removal.
    case restricted
    /// The server may have decided the transaction long ago, and has deleted that decision.
    case expired
    /// The server's function that resolves conflicts threw an error.
    case resolution
  }

  /// The most characters of ``message``.
  package static let messageLimit = 500

  /// The entity.
  package let entity: EntityUID
  /// The property, or nil if the whole object is concerned.
  package let property: PropertyUID?
  /// The cause.
  package let reason: Reason
  /// The text of the error of ``Reason/resolution``, or of the database for ``Reason/value``; nil without one.
  package let message: String?

  /// Creates a rejection.
  package init(
    entity: EntityUID,
    property: PropertyUID?,
    reason: Reason,
    message: String? = nil
  ) {
    self.entity = entity
    self.property = property
    self.reason = reason
    self.message = message
  }
}
