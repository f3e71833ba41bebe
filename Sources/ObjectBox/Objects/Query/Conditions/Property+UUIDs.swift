public import Foundation

extension Property where V: UUIDPropertyType, R == Void {
  /// Matches objects with the UUID.
  public func isEqual(to value: UUID) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .equal, .uuids([value]))
  }

  /// Matches objects with another UUID; nulls do not match.
  public func isNotEqual(to value: UUID) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .notEqual, .uuids([value]))
  }

  /// Matches objects with one of the UUIDs.
  public func isIn(_ values: [UUID]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isIn, .uuids(values))
  }

  /// Matches objects with none of the UUIDs; nulls do not match.
  public func isNotIn(_ values: [UUID]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isNotIn, .uuids(values))
  }
}

// MARK: - Operators

/// Matches objects with the UUID.
public func == <E: Entity, V: UUIDPropertyType>(left: Property<E, V, Void>, right: UUID)
  -> PropertyQueryCondition<E, V>
{
  left.isEqual(to: right)
}

/// Matches objects with another UUID; nulls do not match.
public func != <E: Entity, V: UUIDPropertyType>(left: Property<E, V, Void>, right: UUID)
  -> PropertyQueryCondition<E, V>
{
  left.isNotEqual(to: right)
}

/// Matches objects with one of the UUIDs.
public func ∈ <E: Entity, V: UUIDPropertyType>(left: Property<E, V, Void>, right: [UUID])
  -> PropertyQueryCondition<E, V>
{
  left.isIn(right)
}

/// Matches objects with none of the UUIDs; nulls do not match.
public func ∉ <E: Entity, V: UUIDPropertyType>(left: Property<E, V, Void>, right: [UUID])
  -> PropertyQueryCondition<E, V>
{
  left.isNotIn(right)
}
