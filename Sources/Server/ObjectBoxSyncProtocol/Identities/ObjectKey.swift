/// An object's entity and ID.
package struct ObjectKey: Hashable, Comparable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The ID, at least 1; 0 in ``start(of:)`` only.
  package let id: UInt64

  /// Creates the key of the object with the given ID.
  package init(entity: EntityUID, id: UInt64) {
    self.entity = entity
    self.id = id
  }

  /// The key before all keys of an entity.
  package static func start(of entity: EntityUID) -> Self {
    Self(entity: entity, id: 0)
  }

  /// Orders keys by entity, then by ID.
  package static func < (left: Self, right: Self) -> Bool {
    left.entity != right.entity ? left.entity < right.entity : left.id < right.id
  }
}
