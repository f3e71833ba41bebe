extension FixedWidthInteger {
  /// The bits of the number in the width of conditions.
  fileprivate var bits: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Property where V: FixedWidthInteger, R == Void {
  /// Matches objects with the value.
  public func isEqual(to value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .equal, .integers([value.bits]))
  }

  /// Matches objects with another value; nulls do not match.
  public func isNotEqual(to value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .notEqual, .integers([value.bits]))
  }

  /// Matches objects with a lesser value.
  public func isLessThan(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .less, .integers([value.bits]))
  }

  /// Matches objects with a greater value.
  public func isGreaterThan(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greater, .integers([value.bits]))
  }

  /// Matches objects with a value that is not greater.
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .lessOrEqual, .integers([value.bits]))
  }

  /// Matches objects with a value that is not less.
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greaterOrEqual, .integers([value.bits]))
  }

  /// Matches objects with a value between the bounds, both included and in either order.
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .between, .integers([a.bits, b.bits]))
  }

  /// Matches objects with a value in the range.
  public func isIn(_ range: ClosedRange<V>) -> PropertyQueryCondition<E, V> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range; its upper bound is not in it.
  public func isIn(_ range: Range<V>) -> PropertyQueryCondition<E, V> {
    range.isEmpty ? isIn([]) : isBetween(range.lowerBound, and: range.upperBound - 1)
  }

  /// Matches objects with one of the values.
  public func isIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isIn, .integers(values.map(\.bits)))
  }

  /// Matches objects with none of the values; nulls do not match.
  public func isNotIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isNotIn, .integers(values.map(\.bits)))
  }
}

// MARK: - Operators

/// Matches objects with the value.
public func == <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .equal, .integers([right.bits]))
}

/// Matches objects with the value.
public func == <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .equal, .integers([right.bits]))
}

/// Matches objects with another value; nulls do not match.
public func != <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .notEqual, .integers([right.bits]))
}

/// Matches objects with another value; nulls do not match.
public func != <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .notEqual, .integers([right.bits]))
}

/// Matches objects with a lesser value.
public func < <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .less, .integers([right.bits]))
}

/// Matches objects with a lesser value.
public func < <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .less, .integers([right.bits]))
}

/// Matches objects with a greater value.
public func > <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greater, .integers([right.bits]))
}

/// Matches objects with a greater value.
public func > <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greater, .integers([right.bits]))
}

/// Matches objects with a value that is not greater.
public func <= <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .lessOrEqual, .integers([right.bits]))
}

/// Matches objects with a value that is not greater.
public func <= <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .lessOrEqual, .integers([right.bits]))
}

/// Matches objects with a value that is not less.
public func >= <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greaterOrEqual, .integers([right.bits]))
}

/// Matches objects with a value that is not less.
public func >= <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: V)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .greaterOrEqual, .integers([right.bits]))
}

/// Matches objects with a value in the range.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: ClosedRange<V>)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(
    left.propertyId,
    .between,
    .integers([right.lowerBound.bits, right.upperBound.bits])
  )
}

/// Matches objects with one of the values.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: [V])
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .isIn, .integers(right.map(\.bits)))
}

/// Matches objects with a value in the range; its upper bound is not in it.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: Range<V>)
  -> PropertyQueryCondition<E, V>
{
  right.isEmpty
    ? PropertyQueryCondition(left.propertyId, .isIn, .integers([]))
    : PropertyQueryCondition(
      left.propertyId,
      .between,
      .integers([right.lowerBound.bits, right.upperBound.bits - 1])
    )
}

/// Matches objects with none of the values; nulls do not match.
public func ∉ <E: Entity, V: FixedWidthInteger>(left: Property<E, V, Void>, right: [V])
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .isNotIn, .integers(right.map(\.bits)))
}

/// Matches objects with a value in the range.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: ClosedRange<V>)
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(
    left.propertyId,
    .between,
    .integers([right.lowerBound.bits, right.upperBound.bits])
  )
}

/// Matches objects with one of the values.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: [V])
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .isIn, .integers(right.map(\.bits)))
}

/// Matches objects with a value in the range; its upper bound is not in it.
public func ∈ <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: Range<V>)
  -> PropertyQueryCondition<E, V>
{
  right.isEmpty
    ? PropertyQueryCondition(left.propertyId, .isIn, .integers([]))
    : PropertyQueryCondition(
      left.propertyId,
      .between,
      .integers([right.lowerBound.bits, right.upperBound.bits - 1])
    )
}

/// Matches objects with none of the values; nulls do not match.
public func ∉ <E: Entity, V: FixedWidthInteger>(left: Property<E, V?, Void>, right: [V])
  -> PropertyQueryCondition<E, V>
{
  PropertyQueryCondition(left.propertyId, .isNotIn, .integers(right.map(\.bits)))
}
