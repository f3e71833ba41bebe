/// One object for all time: its key and its birth mark.
package struct ObjectIdentity: Hashable, Comparable, Sendable {
  /// The entity and ID, which another object may have had before.
  package let key: ObjectKey
  /// The mark of the making transaction.
  package let birth: BirthMark

  /// Creates the identity of the object with the given key and mark.
  package init(key: ObjectKey, birth: BirthMark) {
    self.key = key
    self.birth = birth
  }

  /// Orders identities by key, then by mark.
  package static func < (left: Self, right: Self) -> Bool {
    left.key != right.key ? left.key < right.key : left.birth < right.birth
  }
}
