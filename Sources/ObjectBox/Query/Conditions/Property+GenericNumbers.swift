// Conditions in functions that are generic over the type of numbers, such as over `T: FixedWidthInteger &
// EntityPropertyTypeConvertible`: there a property of `T` is not known as one of a `ScalarPropertyType`. All are
// disfavoured, so that a known type takes the conditions of `ScalarPropertyType`, and nothing is ambiguous.

extension Property where R == Void {
  /// The property as an optional one, whose conditions take numbers of the type `V`.
  fileprivate var asOptional: Property<E, V?, Void> {
    Property<E, V?, Void>(propertyId: propertyId)
  }
}

// MARK: - Integers

extension Property where V: FixedWidthInteger, R == Void {
  /// Matches objects with the value.
  @_disfavoredOverload
  public func isEqual(to value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isEqual(to: value)
  }

  /// Matches objects with another value; nulls do not match.
  @_disfavoredOverload
  public func isNotEqual(to value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isNotEqual(to: value)
  }

  /// Matches objects with a lesser value.
  @_disfavoredOverload
  public func isLessThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessThan(value)
  }

  /// Matches objects with a greater value.
  @_disfavoredOverload
  public func isGreaterThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterThan(value)
  }

  /// Matches objects with a value that is not greater.
  @_disfavoredOverload
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessOrEqual(value)
  }

  /// Matches objects with a value that is not less.
  @_disfavoredOverload
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterOrEqual(value)
  }

  /// Matches objects with a value between the bounds, both included and in either order.
  @_disfavoredOverload
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    asOptional.isBetween(a, and: b)
  }

  /// Matches objects with a value in the range.
  @_disfavoredOverload
  public func isIn(_ range: ClosedRange<V>) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(range)
  }

  /// Matches objects with a value in the range; its upper bound is not in it.
  @_disfavoredOverload
  public func isIn(_ range: Range<V>) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(range)
  }

  /// Matches objects with one of the values.
  @_disfavoredOverload
  public func isIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(values)
  }

  /// Matches objects with none of the values; nulls do not match.
  @_disfavoredOverload
  public func isNotIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    asOptional.isNotIn(values)
  }

  /// Matches objects with the value.
  @_disfavoredOverload
  public static func == (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  @_disfavoredOverload
  public static func != (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value.
  @_disfavoredOverload
  public static func < (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value.
  @_disfavoredOverload
  public static func > (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a value that is not greater.
  @_disfavoredOverload
  public static func <= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a value that is not less.
  @_disfavoredOverload
  public static func >= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }

  /// Matches objects with a value in the range.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: ClosedRange<V>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a value in the range; its upper bound is not in it.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: Range<V>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with one of the values.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: [V]) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; nulls do not match.
  @_disfavoredOverload
  public static func ∉ (left: Self, right: [V]) -> PropertyQueryCondition<E, V> {
    left.isNotIn(right)
  }
}

// MARK: - Floating point numbers

extension Property where V: BinaryFloatingPoint, R == Void {
  /// Matches objects whose value differs from the given one by at most the tolerance.
  @_disfavoredOverload
  public func isEqual(to value: V, tolerance: V) -> PropertyQueryCondition<E, V> {
    asOptional.isEqual(to: value, tolerance: tolerance)
  }

  /// Matches objects with a lesser value; not-a-number does not match.
  @_disfavoredOverload
  public func isLessThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessThan(value)
  }

  /// Matches objects with a greater value; not-a-number does not match.
  @_disfavoredOverload
  public func isGreaterThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterThan(value)
  }

  /// Matches objects with a value that is not greater; not-a-number does not match.
  @_disfavoredOverload
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessOrEqual(value)
  }

  /// Matches objects with a value that is not less; not-a-number does not match.
  @_disfavoredOverload
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterOrEqual(value)
  }

  /// Matches objects with a value between the bounds, both included and in either order.
  @_disfavoredOverload
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    asOptional.isBetween(a, and: b)
  }

  /// Matches objects with a lesser value; not-a-number does not match.
  @_disfavoredOverload
  public static func < (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value; not-a-number does not match.
  @_disfavoredOverload
  public static func > (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a value that is not greater; not-a-number does not match.
  @_disfavoredOverload
  public static func <= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a value that is not less; not-a-number does not match.
  @_disfavoredOverload
  public static func >= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }
}
