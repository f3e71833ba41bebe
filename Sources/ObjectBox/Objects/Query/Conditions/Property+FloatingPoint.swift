extension Property where V: BinaryFloatingPoint, R == Void {
  /// Matches objects whose value differs from the given one by at most the tolerance.
  public func isEqual(to value: V, tolerance: V) -> PropertyQueryCondition<E, V> {
    isBetween(value - tolerance, and: value + tolerance)
  }

  /// Matches objects with a lesser value; not-a-number does not match.
  public func isLessThan(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .less, .doubles([Double(value)]))
  }

  /// Matches objects with a greater value; not-a-number does not match.
  public func isGreaterThan(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greater, .doubles([Double(value)]))
  }

  /// Matches objects with a value that is not greater; not-a-number does not match.
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .lessOrEqual, .doubles([Double(value)]))
  }

  /// Matches objects with a value that is not less; not-a-number does not match.
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greaterOrEqual, .doubles([Double(value)]))
  }

  /// Matches objects with a value between the bounds, both included and in either order.
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .between, .doubles([Double(a), Double(b)]))
  }
}

// MARK: - Operators

/// Matches objects with a lesser value; not-a-number does not match.
public func < <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .less, .doubles([Double(right)]))
}

/// Matches objects with a lesser value; not-a-number does not match.
public func < <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .less, .doubles([Double(right)]))
}

/// Matches objects with a greater value; not-a-number does not match.
public func > <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greater, .doubles([Double(right)]))
}

/// Matches objects with a greater value; not-a-number does not match.
public func > <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greater, .doubles([Double(right)]))
}

/// Matches objects with a value that is not greater; not-a-number does not match.
public func <= <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .lessOrEqual, .doubles([Double(right)]))
}

/// Matches objects with a value that is not greater; not-a-number does not match.
public func <= <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .lessOrEqual, .doubles([Double(right)]))
}

/// Matches objects with a value that is not less; not-a-number does not match.
public func >= <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greaterOrEqual, .doubles([Double(right)]))
}

/// Matches objects with a value that is not less; not-a-number does not match.
public func >= <E: Entity, V: BinaryFloatingPoint>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greaterOrEqual, .doubles([Double(right)]))
}
