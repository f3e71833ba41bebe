/// The object that an operation names.
///
/// The server may give an unconfirmed object another ID, merge it, or reject its transaction. A reference to it
/// therefore carries the token of the making transaction, whose decision contains the object's final identity.
package struct ObjectReference: Hashable, Sendable {
  /// The object's key and origin ID as the device sees them.
  package let identity: ObjectIdentity
  /// The making transaction while it is not confirmed, or nil.
  package let maker: TransactionToken?

  /// Creates a reference to a confirmed object.
  package init(_ identity: ObjectIdentity) {
    self.identity = identity
    self.maker = nil
  }

  /// Creates a reference to an object that the given transaction makes.
  package init(_ key: ObjectKey, madeBy maker: TransactionToken) {
    self.identity = ObjectIdentity(key: key, originID: maker.originID)
    self.maker = maker
  }

  /// The object's entity and ID as the device sees them.
  package var key: ObjectKey {
    identity.key
  }
}
