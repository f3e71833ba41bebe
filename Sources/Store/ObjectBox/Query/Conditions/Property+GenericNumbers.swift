// Conditions for functions that are generic over the number type, such as `T: FixedWidthInteger &
// EntityPropertyTypeConvertible`, where a property of `T` is not known to be a
// `ScalarPropertyType`. All are disfavoured, so that known types take the conditions of
// `ScalarPropertyType` without ambiguity.

extension Property where R == Void {
  /// The property as an optional property, whose conditions take numbers of type `V`.
  fileprivate var asOptional: Property<E, V?, Void> {
    Property<E, V?, Void>(propertyId: propertyId)
  }
}

// MARK: - Integers

extension Property where V: FixedWidthInteger, R == Void {
  /// Matches objects with the given value.
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

  /// Matches objects with a lesser or equal value.
  @_disfavoredOverload
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessOrEqual(value)
  }

  /// Matches objects with a greater or equal value.
  @_disfavoredOverload
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterOrEqual(value)
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  @_disfavoredOverload
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    asOptional.isBetween(a, and: b)
  }

  /// Matches objects with a value in the range.
  @_disfavoredOverload
  public func isIn(_ range: ClosedRange<V>) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(range)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @_disfavoredOverload
  public func isIn(_ range: Range<V>) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(range)
  }

  /// Matches objects with any of the values.
  @_disfavoredOverload
  public func isIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    asOptional.isIn(values)
  }

  /// Matches objects with none of the values; nulls do not match.
  @_disfavoredOverload
  public func isNotIn(_ values: [V]) -> PropertyQueryCondition<E, V> {
    asOptional.isNotIn(values)
  }

  /// Matches objects with the given value.
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

  /// Matches objects with a lesser or equal value.
  @_disfavoredOverload
  public static func <= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value.
  @_disfavoredOverload
  public static func >= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }

  /// Matches objects with a value in the range.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: ClosedRange<V>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: Range<V>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with any of the values.
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

  /// Matches objects with a lesser value; NaN does not match.
  @_disfavoredOverload
  public func isLessThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessThan(value)
  }

  /// Matches objects with a greater value; NaN does not match.
  @_disfavoredOverload
  public func isGreaterThan(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterThan(value)
  }

  /// Matches objects with a lesser or equal value; NaN does not match.
  @_disfavoredOverload
  public func isLessOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isLessOrEqual(value)
  }

  /// Matches objects with a greater or equal value; NaN does not match.
  @_disfavoredOverload
  public func isGreaterOrEqual(_ value: V) -> PropertyQueryCondition<E, V> {
    asOptional.isGreaterOrEqual(value)
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  @_disfavoredOverload
  public func isBetween(_ a: V, and b: V) -> PropertyQueryCondition<E, V> {
    asOptional.isBetween(a, and: b)
  }

  /// Matches objects with a lesser value; NaN does not match.
  @_disfavoredOverload
  public static func < (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value; NaN does not match.
  @_disfavoredOverload
  public static func > (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value; NaN does not match.
  @_disfavoredOverload
  public static func <= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value; NaN does not match.
  @_disfavoredOverload
  public static func >= (left: Self, right: V) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }
}
