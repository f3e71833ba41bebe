extension Property where V: ScalarPropertyType, V.Scalar: BinaryFloatingPoint, R == Void {
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
    PropertyQueryCondition(.comparing(propertyId, .less, doubles: [Double(value)]))
  }

  /// Matches objects with a greater value; NaN does not match.
  @inlinable
  public func isGreaterThan(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(.comparing(propertyId, .greater, doubles: [Double(value)]))
  }

  /// Matches objects with a lesser or equal value; NaN does not match.
  @inlinable
  public func isLessOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(.comparing(propertyId, .lessOrEqual, doubles: [Double(value)]))
  }

  /// Matches objects with a greater or equal value; NaN does not match.
  @inlinable
  public func isGreaterOrEqual(_ value: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(.comparing(propertyId, .greaterOrEqual, doubles: [Double(value)]))
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  @inlinable
  public func isBetween(_ a: V.Scalar, and b: V.Scalar) -> PropertyQueryCondition<E, V.Scalar> {
    PropertyQueryCondition(.comparing(propertyId, .between, doubles: [Double(a), Double(b)]))
  }
}

// MARK: - Operators

extension Property where V: ScalarPropertyType, V.Scalar: BinaryFloatingPoint, R == Void {
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
}
