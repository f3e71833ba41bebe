public import Foundation

extension Property where V: DatePropertyType, R == Void {
  /// Matches objects with the given date.
  public func isEqual(to value: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .equal, .dates([value]))
  }

  /// Matches objects with another date; nulls do not match.
  public func isNotEqual(to value: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .notEqual, .dates([value]))
  }

  /// Matches objects with an earlier date.
  public func isBefore(_ value: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .less, .dates([value]))
  }

  /// Matches objects with a later date.
  public func isAfter(_ value: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .greater, .dates([value]))
  }

  /// Matches objects with a date between the bounds, in either order; includes both.
  public func isBetween(_ a: Date, and b: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .between, .dates([a, b]))
  }

  /// Matches objects with a date in the range, which excludes its upper bound.
  public func isIn(_ range: Range<Date>) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .inRange, .dates([range.lowerBound, range.upperBound]))
  }

  /// Matches objects with a date in the range.
  public func isIn(_ range: ClosedRange<Date>) -> PropertyQueryCondition<E, V> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with any of the given dates.
  public func isIn(_ values: [Date]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isIn, .dates(values))
  }

  /// Matches objects with none of the given dates; nulls do not match.
  public func isNotIn(_ values: [Date]) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, .isNotIn, .dates(values))
  }
}

// MARK: - Operators

extension Property where V: DatePropertyType, R == Void {
  /// Matches objects with the given date.
  public static func == (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with another date; nulls do not match.
  public static func != (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with an earlier date.
  public static func < (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    left.isBefore(right)
  }

  /// Matches objects with a later date.
  public static func > (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    left.isAfter(right)
  }

  /// Matches objects with an earlier date or the given one.
  public static func <= (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(left.propertyId, .lessOrEqual, .dates([right]))
  }

  /// Matches objects with a later date or the given one.
  public static func >= (left: Self, right: Date) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(left.propertyId, .greaterOrEqual, .dates([right]))
  }

  /// Matches objects with a date in the range, which excludes its upper bound.
  public static func ∈ (left: Self, right: Range<Date>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a date in the range.
  public static func ∈ (left: Self, right: ClosedRange<Date>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with any of the given dates.
  public static func ∈ (left: Self, right: [Date]) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with none of the given dates; nulls do not match.
  public static func ∉ (left: Self, right: [Date]) -> PropertyQueryCondition<E, V> {
    left.isNotIn(right)
  }
}
