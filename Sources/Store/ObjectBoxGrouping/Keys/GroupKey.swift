public import Foundation
public import ObjectBox

/// A property by which objects are grouped, or a ``GroupKey`` such as `.by(Order.date, .month)`.
public protocol GroupingKey<Entity> {
  /// The entity.
  associatedtype Entity
  /// The type of the groups' keys.
  associatedtype Value: GroupValue
  /// The key.
  var groupKey: GroupKey<Entity, Value> { get }
}

extension Property: GroupingKey where V: GroupValue {
  /// The key whose value is the property's.
  public var groupKey: GroupKey<E, V> { GroupKey(propertyID: propertyId, .value) }
}

/// A function of a property by which objects are grouped.
public struct GroupKey<Entity, Value: GroupValue>: GroupingKey, Sendable {
  package let source: KeySource

  init(propertyID: UInt32, _ function: KeySource.Function) {
    source = KeySource(propertyID: propertyID, function: function)
  }

  /// The key itself.
  public var groupKey: GroupKey<Entity, Value> { self }
}

/// A calendar unit of ISO 8601: weeks begin on Monday.
public enum CalendarUnit: String, Sendable, CaseIterable {
  /// An hour.
  case hour
  /// A day, which has 23 or 25 hours when clocks are changed.
  case day
  /// A week from Monday to Sunday.
  case week
  /// A month.
  case month
  /// Three months, from January, April, July or October on.
  case quarter
  /// A year.
  case year
}

/// A number that a calendar gives to a date, by ISO 8601.
public enum CalendarPart: String, Sendable, CaseIterable {
  /// 0 to 23.
  case hourOfDay
  /// 1, Monday, to 7, Sunday.
  case dayOfWeek
  /// 1 to 31.
  case dayOfMonth
  /// 1 to 12.
  case monthOfYear
  /// 1 to 4.
  case quarterOfYear
  /// The year.
  case year
}

/// A property, and the function of its values that groups objects.
package struct KeySource: Sendable, Hashable {
  package enum Function: Sendable, Hashable {
    case value
    case unit(CalendarUnit, TimeZone)
    case part(CalendarPart, TimeZone)
    case folded
    case firstLetter
  }

  package var propertyID: UInt32
  package var function: Function
}

extension GroupingKey {
  /// Groups by the hour, day, week, month, quarter or year of a date.
  ///
  /// The key is the beginning of the unit.
  ///
  /// - Parameters:
  ///   - property: A date.
  ///   - unit: The calendar unit.
  ///   - timeZone: The time zone of the calendar; the system's by default.
  /// - Returns: The key.
  public static func by<E>(
    _ property: Property<E, Date, Void>,
    _ unit: CalendarUnit,
    in timeZone: TimeZone = .current
  ) -> Self where Self == GroupKey<E, Date> {
    GroupKey(propertyID: property.propertyId, .unit(unit, timeZone))
  }

  /// Groups by the hour, day, week, month, quarter or year of a date; nulls are a group.
  ///
  /// The key is the beginning of the unit.
  ///
  /// - Parameters:
  ///   - property: A date.
  ///   - unit: The calendar unit.
  ///   - timeZone: The time zone of the calendar; the system's by default.
  /// - Returns: The key.
  public static func by<E>(
    _ property: Property<E, Date?, Void>,
    _ unit: CalendarUnit,
    in timeZone: TimeZone = .current
  ) -> Self where Self == GroupKey<E, Date?> {
    GroupKey(propertyID: property.propertyId, .unit(unit, timeZone))
  }

  /// Groups by a number that the calendar gives to a date, such as the day of the week.
  ///
  /// - Parameters:
  ///   - part: The number.
  ///   - property: A date.
  ///   - timeZone: The time zone of the calendar; the system's by default.
  /// - Returns: The key.
  public static func by<E>(
    _ part: CalendarPart,
    of property: Property<E, Date, Void>,
    in timeZone: TimeZone = .current
  ) -> Self where Self == GroupKey<E, Int> {
    GroupKey(propertyID: property.propertyId, .part(part, timeZone))
  }

  /// Groups by a number that the calendar gives to a date; nulls are a group.
  ///
  /// - Parameters:
  ///   - part: The number.
  ///   - property: A date.
  ///   - timeZone: The time zone of the calendar; the system's by default.
  /// - Returns: The key.
  public static func by<E>(
    _ part: CalendarPart,
    of property: Property<E, Date?, Void>,
    in timeZone: TimeZone = .current
  ) -> Self where Self == GroupKey<E, Int?> {
    GroupKey(propertyID: property.propertyId, .part(part, timeZone))
  }

  /// Groups by a text without regard to case; the key is the folded text.
  public static func folded<E, V: StringPropertyType & GroupValue>(
    _ property: Property<E, V, Void>
  ) -> Self where Self == GroupKey<E, V> {
    GroupKey(propertyID: property.propertyId, .folded)
  }

  /// Groups by the first letter of a text, without regard to case.
  ///
  /// The key is the first character with all marks, folded; it is empty for empty texts.
  public static func firstLetter<E, V: StringPropertyType & GroupValue>(
    of property: Property<E, V, Void>
  ) -> Self where Self == GroupKey<E, V> {
    GroupKey(propertyID: property.propertyId, .firstLetter)
  }
}
