extension PropertyCondition.Operand {
  // Apart from arrays, since generic code takes long to make one and to map it.
  /// Makes an operand of an integer of any width; an unsigned one beyond the range keeps its bits.
  static func integers(of value: some FixedWidthInteger) -> Self {
    .integers([Int64(truncatingIfNeeded: value)])
  }

  /// Makes an operand of two integers of any width; unsigned ones beyond the range keep their bits.
  static func integers<T: FixedWidthInteger>(of a: T, _ b: T) -> Self {
    .integers([Int64(truncatingIfNeeded: a), Int64(truncatingIfNeeded: b)])
  }

  /// Makes an operand of integers of any width; unsigned ones beyond the range keep their bits.
  static func integers(of values: [some FixedWidthInteger]) -> Self {
    .integers(values.map { Int64(truncatingIfNeeded: $0) })
  }
}

extension Property where V: ScalarPropertyType, V.Scalar: FixedWidthInteger, R == Void {
  /// Matches objects with the value.
  public func isEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .equal, .integers(of: value))
  }

  /// Matches objects with another value; nulls do not match.
  public func isNotEqual(to value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .notEqual, .integers(of: value))
  }

  /// Matches objects with a lesser value.
  public func isLessThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .less, .integers(of: value))
  }

  /// Matches objects with a greater value.
  public func isGreaterThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .greater, .integers(of: value))
  }

  /// Matches objects with a value that is not greater.
  public func isLessOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .lessOrEqual, .integers(of: value))
  }

  /// Matches objects with a value that is not less.
  public func isGreaterOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .greaterOrEqual, .integers(of: value))
  }

  /// Matches objects with a value between the bounds, both included and in either order.
  public func isBetween(_ a: V.Scalar, and b: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .between, .integers(of: a, b))
  }

  /// Matches objects with a value in the range.
  public func isIn(_ range: ClosedRange<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range; its upper bound is not in it.
  public func isIn(_ range: Range<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    range.isEmpty ? isIn([]) : isBetween(range.lowerBound, and: range.upperBound - 1)
  }

  /// Matches objects with one of the values.
  public func isIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .isIn, .integers(of: values))
  }

  /// Matches objects with none of the values; nulls do not match.
  public func isNotIn(_ values: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(propertyId, .isNotIn, .integers(of: values))
  }
}

// MARK: - Operators

extension Property where V: ScalarPropertyType, V.Scalar: FixedWidthInteger, R == Void {
  /// Matches objects with the value.
  public static func == (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  public static func != (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value.
  public static func < (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value.
  public static func > (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a value that is not greater.
  public static func <= (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a value that is not less.
  public static func >= (left: Self, right: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    left.isGreaterOrEqual(right)
  }

  /// Matches objects with a value in the range.
  public static func ∈ (left: Self, right: ClosedRange<V.Scalar>) -> PropertyQueryCondition<
    E, V.Scalar
  > {
    left.isIn(right)
  }

  /// Matches objects with a value in the range; its upper bound is not in it.
  public static func ∈ (left: Self, right: Range<V.Scalar>) -> PropertyQueryCondition<E, V.Scalar> {
    left.isIn(right)
  }

  /// Matches objects with one of the values.
  public static func ∈ (left: Self, right: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; nulls do not match.
  public static func ∉ (left: Self, right: [V.Scalar]) -> PropertyQueryCondition<E, V.Scalar> {
    left.isNotIn(right)
  }
}
