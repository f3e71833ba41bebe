public import Foundation

// Dates, bytes and encoded values. Dates compare by time, bytes by the first byte that differs, where a
// prefix is less than the whole, and encoded values by the order of their type.
//
// Inlinable, like the conditions on integers: without known types, the array of operands needs metadata
// look-ups.

extension Property where V: OperandPropertyType, R == Void {
  /// Matches objects with the given value.
  @inlinable
  public func isEqual(to value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.equal, [value])
  }

  /// Matches objects with another value; nulls do not match.
  @inlinable
  public func isNotEqual(to value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.notEqual, [value])
  }

  /// Matches objects with any of the values.
  @inlinable
  public func isIn(_ values: [V.Operand]) -> PropertyQueryCondition<E, V> {
    comparing(.isIn, values)
  }

  /// Matches objects with none of the values; nulls do not match.
  @inlinable
  public func isNotIn(_ values: [V.Operand]) -> PropertyQueryCondition<E, V> {
    comparing(.isNotIn, values)
  }

  /// Matches objects with the given value.
  @inlinable
  public static func == (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  @inlinable
  public static func != (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with any of the values.
  @inlinable
  public static func ∈ (left: Self, right: [V.Operand]) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; nulls do not match.
  @inlinable
  public static func ∉ (left: Self, right: [V.Operand]) -> PropertyQueryCondition<E, V> {
    left.isNotIn(right)
  }

  @inlinable
  func comparing(
    _ comparison: PropertyCondition.Comparison,
    _ values: [V.Operand]
  ) -> PropertyQueryCondition<E, V> {
    comparing(comparison, V.Operand.__operand(values).value)
  }
}

// MARK: - Order

extension Property where V: OperandPropertyType, V.Operand: SortedOperand, R == Void {
  /// Matches objects with a lesser value, such as an earlier date.
  @inlinable
  public func isLessThan(_ value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.less, [value])
  }

  /// Matches objects with a greater value, such as a later date.
  @inlinable
  public func isGreaterThan(_ value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.greater, [value])
  }

  /// Matches objects with a lesser or equal value.
  @inlinable
  public func isLessOrEqual(_ value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.lessOrEqual, [value])
  }

  /// Matches objects with a greater or equal value.
  @inlinable
  public func isGreaterOrEqual(_ value: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.greaterOrEqual, [value])
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  @inlinable
  public func isBetween(_ a: V.Operand, and b: V.Operand) -> PropertyQueryCondition<E, V> {
    comparing(.between, [a, b])
  }

  /// Matches objects with a lesser value, such as an earlier date.
  @inlinable
  public static func < (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value, such as a later date.
  @inlinable
  public static func > (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value.
  @inlinable
  public static func <= (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value.
  @inlinable
  public static func >= (left: Self, right: V.Operand) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }
}

extension Property where V: OperandPropertyType, V.Operand: OrderedOperand, R == Void {
  /// Matches objects with a value in the range, which excludes its upper bound.
  @inlinable
  public func isIn(_ range: Range<V.Operand>) -> PropertyQueryCondition<E, V> {
    comparing(.inRange, [range.lowerBound, range.upperBound])
  }

  /// Matches objects with a value in the range.
  @inlinable
  public func isIn(_ range: ClosedRange<V.Operand>) -> PropertyQueryCondition<E, V> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range, which excludes its upper bound.
  @inlinable
  public static func ∈ (left: Self, right: Range<V.Operand>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a value in the range.
  @inlinable
  public static func ∈ (left: Self, right: ClosedRange<V.Operand>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }
}

// MARK: - Names of one type

extension Property where V: DatePropertyType, R == Void {
  /// Matches objects with an earlier date.
  @inlinable
  public func isBefore(_ value: Date) -> PropertyQueryCondition<E, V> { isLessThan(value) }

  /// Matches objects with a later date.
  @inlinable
  public func isAfter(_ value: Date) -> PropertyQueryCondition<E, V> { isGreaterThan(value) }
}

extension Property where V: DataPropertyType, R == Void {
  /// Matches objects with lesser or equal bytes.
  @inlinable
  public func isLessThanEqual(_ value: Data) -> PropertyQueryCondition<E, V> {
    isLessOrEqual(value)
  }

  /// Matches objects with greater or equal bytes.
  @inlinable
  public func isGreaterThanEqual(_ value: Data) -> PropertyQueryCondition<E, V> {
    isGreaterOrEqual(value)
  }
}
