// Numbers compare exactly: no rounding is allowed for. NaN matches no comparison, and is no element of
// a list.

extension Property where V: ScalarPropertyType, V.Scalar: BinaryFloatingPoint, R == Void {
  /// Matches objects with the given value; `-0.0` equals `0.0`.
  @inlinable
  public func isEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.equal, .doubles([Double(value)]))
  }

  /// Matches objects with another value; neither null nor NaN matches.
  @inlinable
  public func isNotEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.notEqual, .doubles([Double(value)]))
  }

  /// Matches objects whose value differs from the given one by at most the tolerance.
  @inlinable
  public func isEqual(to value: V.Scalar, tolerance: V.Scalar) -> PropertyQueryCondition<
    E, V.Scalar
  > {
    isBetween(value - tolerance, and: value + tolerance)
  }

  /// Matches objects with a lesser value; NaN does not match.
  @inlinable
  public func isLessThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.less, .doubles([Double(value)]))
  }

  /// Matches objects with a greater value; NaN does not match.
  @inlinable
  public func isGreaterThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.greater, .doubles([Double(value)]))
  }

  /// Matches objects with a lesser or equal value; NaN does not match.
  @inlinable
  public func isLessOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.lessOrEqual, .doubles([Double(value)]))
  }

  /// Matches objects with a greater or equal value; NaN does not match.
  @inlinable
  public func isGreaterOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.greaterOrEqual, .doubles([Double(value)]))
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  @inlinable
  public func isBetween(_ a: V.Scalar, and b: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.between, .doubles([Double(a), Double(b)]))
  }

  /// Matches objects with a value in the range.
  @inlinable
  public func isIn(_ range: ClosedRange<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @inlinable
  public func isIn(_ range: Range<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.inRange, .doubles([Double(range.lowerBound), Double(range.upperBound)]))
  }

  /// Matches objects with any of the values.
  @inlinable
  public func isIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.isIn, .doubles(values.map { Double($0) }))
  }

  /// Matches objects with none of the values; neither null nor NaN matches.
  @inlinable
  public func isNotIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.isNotIn, .doubles(values.map { Double($0) }))
  }
}

// MARK: - Operators

extension Property where V: ScalarPropertyType, V.Scalar: BinaryFloatingPoint, R == Void {
  /// Matches objects with the given value; `-0.0` equals `0.0`.
  @inlinable
  public static func == (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; neither null nor NaN matches.
  @inlinable
  public static func != (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value; NaN does not match.
  @inlinable
  public static func < (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value; NaN does not match.
  @inlinable
  public static func > (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value; NaN does not match.
  @inlinable
  public static func <= (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value; NaN does not match.
  @inlinable
  public static func >= (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isGreaterOrEqual(right)
  }

  /// Matches objects with a value in the range.
  @inlinable
  public static func ∈ (left: Self, right: ClosedRange<V.Scalar>) -> PropertyQueryCondition<
    E, V.Scalar
  > {
    left.isIn(right)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @inlinable
  public static func ∈ (left: Self, right: Range<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    left.isIn(right)
  }

  /// Matches objects with any of the values.
  @inlinable
  public static func ∈ (left: Self, right: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; neither null nor NaN matches.
  @inlinable
  public static func ∉ (left: Self, right: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotIn(right)
  }
}
