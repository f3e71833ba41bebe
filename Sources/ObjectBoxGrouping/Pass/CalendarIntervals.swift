internal import Foundation
internal import ObjectBox

/// The stretches of time of a calendar, looked up by dates.
///
/// A calendar takes some microseconds for a date, so each stretch is asked for once.
final class CalendarIntervals {
  /// The instants of one stretch in ticks of the property, and its value.
  private struct Interval {
    var start: Int64
    var end: Int64
    var value: Int64
  }

  private let ticksPerSecond: Double
  private let calendar: Calendar
  private let component: Calendar.Component
  private let part: CalendarPart?
  private var intervals: [Interval] = []
  private var last = Interval(start: 0, end: 0, value: 0)

  /// - Parameters:
  ///   - function: A unit or part of a calendar.
  ///   - isNano: True for dates in nanoseconds, else milliseconds.
  init?(_ function: KeySource.Function, isNano: Bool) {
    var calendar = Calendar(identifier: .iso8601)
    switch function {
    case .unit(let unit, let zone):
      part = nil
      component = unit.component
      calendar.timeZone = zone
    case .part(let part, let zone):
      self.part = part
      component = part.component
      calendar.timeZone = zone
    case .value, .folded, .firstLetter: return nil
    }
    self.calendar = calendar
    ticksPerSecond = isNano ? 1e9 : 1e3
  }

  /// Returns the value of the stretch that contains an instant: its beginning in ticks, or the part.
  ///
  /// - Throws: `ObjectBoxError.illegalArgument` for an instant that no calendar has.
  func value(of ticks: Int64) throws -> Int64 {
    if ticks >= last.start, ticks < last.end { return last.value }
    var (low, high) = (0, intervals.count)
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].end <= ticks { low = middle + 1 } else { high = middle }
    }
    if low == intervals.count || intervals[low].start > ticks {
      intervals.insert(try interval(of: ticks), at: low)
    }
    last = intervals[low]
    return last.value
  }

  private func interval(of ticks: Int64) throws -> Interval {
    let date = Date(timeIntervalSince1970: Double(ticks) / ticksPerSecond)
    guard let found = quarterOrInterval(of: date),
      let start = self.ticks(found.start), let end = self.ticks(found.end), start <= ticks,
      ticks < end
    else {
      throw ObjectBoxError.illegalArgument(
        message: "objects cannot be grouped by \(part?.rawValue ?? "\(component)"): the date "
          + "\(ticks) \(ticksPerSecond == 1e3 ? "ms" : "ns") since 1970 is beyond the calendar"
      )
    }
    return Interval(start: start, end: end, value: part.map { value($0, date) } ?? start)
  }

  /// Calendars of some systems know no intervals of quarters.
  private func quarterOrInterval(of date: Date) -> DateInterval? {
    guard component == .quarter else { return calendar.dateInterval(of: component, for: date) }
    guard let month = calendar.dateInterval(of: .month, for: date) else { return nil }
    let passed = (calendar.component(.month, from: date) - 1) % 3
    guard let start = calendar.date(byAdding: .month, value: -passed, to: month.start),
      let end = calendar.date(byAdding: .month, value: 3, to: start)
    else { return nil }
    return DateInterval(start: start, end: end)
  }

  private func value(_ part: CalendarPart, _ date: Date) -> Int64 {
    let number =
      switch part {
      case .hourOfDay: calendar.component(.hour, from: date)
      case .dayOfWeek: (calendar.component(.weekday, from: date) + 5) % 7 + 1
      case .dayOfMonth: calendar.component(.day, from: date)
      case .monthOfYear: calendar.component(.month, from: date)
      case .quarterOfYear: (calendar.component(.month, from: date) + 2) / 3
      case .year: calendar.component(.year, from: date)
      }
    return Int64(number)
  }

  private func ticks(_ date: Date) -> Int64? {
    Int64(exactly: (date.timeIntervalSince1970 * ticksPerSecond).rounded())
  }
}

extension CalendarUnit {
  fileprivate var component: Calendar.Component {
    switch self {
    case .hour: .hour
    case .day: .day
    case .week: .weekOfYear
    case .month: .month
    case .quarter: .quarter
    case .year: .year
    }
  }
}

extension CalendarPart {
  /// The stretch of time in which the part is the same.
  fileprivate var component: Calendar.Component {
    switch self {
    case .hourOfDay: .hour
    case .dayOfWeek, .dayOfMonth: .day
    case .monthOfYear, .quarterOfYear: .month
    case .year: .year
    }
  }
}
