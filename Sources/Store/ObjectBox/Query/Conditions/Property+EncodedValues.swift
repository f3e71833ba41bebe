extension Property where V: EncodedPropertyType, R == Void {
  /// Matches objects with the given value.
  public func isEqual(to value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .equal, .values([value]))
  }

  /// Matches objects with another value; nulls do not match.
  public func isNotEqual(to value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .notEqual, .values([value]))
  }

  /// Matches objects with any of the values.
  public func isIn(_ values: [V.Encoded]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isIn, .values(values))
  }

  /// Matches objects with none of the values; nulls do not match.
  public func isNotIn(_ values: [V.Encoded]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isNotIn, .values(values))
  }
}

extension Property where V: EncodedPropertyType, V.Encoded: SortedEncodedValue, R == Void {
  /// Matches objects with a lesser value.
  public func isLessThan(_ value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .less, .values([value]))
  }

  /// Matches objects with a lesser or equal value.
  public func isLessOrEqual(_ value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .lessOrEqual, .values([value]))
  }

  /// Matches objects with a greater value.
  public func isGreaterThan(_ value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greater, .values([value]))
  }

  /// Matches objects with a greater or equal value.
  public func isGreaterOrEqual(_ value: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greaterOrEqual, .values([value]))
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  public func isBetween(_ a: V.Encoded, and b: V.Encoded) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .between, .values([a, b]))
  }
}

extension Property where V: EncodedPropertyType, V.Encoded: OrderedEncodedValue, R == Void {
  /// Matches objects with a value in the range, which excludes its upper bound.
  public func isIn(_ range: Range<V.Encoded>) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .inRange, .values([range.lowerBound, range.upperBound]))
  }

  /// Matches objects with a value in the range.
  public func isIn(_ range: ClosedRange<V.Encoded>) -> PropertyQueryCondition<E, V> {
    isBetween(range.lowerBound, and: range.upperBound)
  }
}

// MARK: - Operators

extension Property where V: EncodedPropertyType, R == Void {
  /// Matches objects with the given value.
  public static func == (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  public static func != (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with any of the values.
  public static func ∈ (left: Self, right: [V.Encoded]) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; nulls do not match.
  public static func ∉ (left: Self, right: [V.Encoded]) -> PropertyQueryCondition<E, V> {
    left.isNotIn(right)
  }
}

extension Property where V: EncodedPropertyType, V.Encoded: SortedEncodedValue, R == Void {
  /// Matches objects with a lesser value.
  public static func < (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value.
  public static func > (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value.
  public static func <= (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value.
  public static func >= (left: Self, right: V.Encoded) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }
}

extension Property where V: EncodedPropertyType, V.Encoded: OrderedEncodedValue, R == Void {
  /// Matches objects with a value in the range, which excludes its upper bound.
  public static func ∈ (left: Self, right: Range<V.Encoded>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a value in the range.
  public static func ∈ (left: Self, right: ClosedRange<V.Encoded>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }
}
