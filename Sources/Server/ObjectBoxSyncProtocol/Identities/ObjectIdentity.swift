/// One object for all time: its key and its origin ID.
package struct ObjectIdentity: Hashable, Comparable, Sendable {
  /// The entity and ID, which another object may have had before.
  package let key: ObjectKey
  /// The origin ID of the making transaction.
  package let originID: OriginID

  /// Creates the identity of the object with the given key and origin ID.
  package init(key: ObjectKey, originID: OriginID) {
    self.key = key
    self.originID = originID
  }

  /// Orders identities by key, then by origin ID.
  package static func < (left: Self, right: Self) -> Bool {
    left.key != right.key ? left.key < right.key : left.originID < right.originID
  }
}
