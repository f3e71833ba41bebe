// Inlinable, like the conditions on texts and floating point numbers: with known types, a condition
// needs neither generic arithmetic nor metadata look-ups, which cost more than the rest of building
// a query. An unsigned number beyond the range of `Int64` keeps its bits.

extension Property where V: ScalarPropertyType, V.Scalar: FixedWidthInteger, R == Void {
  /// Matches objects with the given value.
  @inlinable
  public func isEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.equal, .integers(of: value))
  }

  /// Matches objects with another value; nulls do not match.
  @inlinable
  public func isNotEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.notEqual, .integers(of: value))
  }

  /// Matches objects with a lesser value.
  @inlinable
  public func isLessThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.less, .integers(of: value))
  }

  /// Matches objects with a greater value.
  @inlinable
  public func isGreaterThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.greater, .integers(of: value))
  }

  /// Matches objects with a lesser or equal value.
  @inlinable
  public func isLessOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.lessOrEqual, .integers(of: value))
  }

  /// Matches objects with a greater or equal value.
  @inlinable
  public func isGreaterOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.greaterOrEqual, .integers(of: value))
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  ///
  ///     let fair = try notes.query { Note.stars.isBetween(2, and: 4) }.build().find()  // 2, 3, 4
  @inlinable
  public func isBetween(_ a: V.Scalar, and b: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.between, .integers(of: a, b))
  }

  /// Matches objects with a value in the range.
  @inlinable
  public func isIn(_ range: ClosedRange<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @inlinable
  public func isIn(_ range: Range<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.inRange, .integers(of: range.lowerBound, range.upperBound))
  }

  /// Matches objects with any of the values.
  ///
  ///     let extremes = try notes.query { Note.stars.isIn([0, 5]) }.build().find()
  @inlinable
  public func isIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.isIn, .integers(of: values))
  }

  /// Matches objects with none of the values; nulls do not match.
  @inlinable
  public func isNotIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    comparing(.isNotIn, .integers(of: values))
  }
}

// MARK: - Operators

extension Property where V: ScalarPropertyType, V.Scalar: FixedWidthInteger, R == Void {
  /// Matches objects with the given value.
  @inlinable
  public static func == (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  ///
  ///     let rated = try notes.query { Note.stars != 0 }.build().find()
  @inlinable
  public static func != (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value.
  ///
  ///     let poor = try notes.query { Note.stars < 2 }.build().find()
  @inlinable
  public static func < (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value.
  @inlinable
  public static func > (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value.
  @inlinable
  public static func <= (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value.
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

  /// Matches objects with none of the values; nulls do not match.
  @inlinable
  public static func ∉ (left: Self, right: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotIn(right)
  }
}
