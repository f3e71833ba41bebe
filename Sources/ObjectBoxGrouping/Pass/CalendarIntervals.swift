internal import Foundation
internal import ObjectBox

/// The stretches of time of a calendar, looked up by dates.
///
/// A calendar takes some microseconds for a date, so each stretch is asked for a few times at most.
/// Stretches begin and end at whole seconds.
final class CalendarIntervals {
  /// The seconds since 1970 of one stretch, and its value.
  private struct Interval {
    var seconds: Range<Int64>
    var value: Int64
  }

  private let ticksPerSecond: Int64
  private let calendar: Calendar
  private let unit: CalendarUnit
  private let part: CalendarPart?
  /// The known stretches, by the numbers of equal pieces of time that they overlap; few in a piece.
  private var intervals: [Int64: [Interval]] = [:]
  private var last = Interval(seconds: 0..<0, value: 0)

  /// - Parameters:
  ///   - function: A unit or part of a calendar.
  ///   - isNano: True for dates in nanoseconds, else milliseconds.
  init?(_ function: KeySource.Function, isNano: Bool) {
    var calendar = Calendar(identifier: .iso8601)
    switch function {
    case .unit(let unit, let zone):
      part = nil
      self.unit = unit
      calendar.timeZone = zone
    case .part(let part, let zone):
      self.part = part
      unit = part.unit
      calendar.timeZone = zone
    case .value, .folded, .firstLetter: return nil
    }
    self.calendar = calendar
    ticksPerSecond = isNano ? 1_000_000_000 : 1_000
  }

  /// Returns the value of the stretch that contains an instant: its beginning in ticks, or the part.
  ///
  /// - Throws: `ObjectBoxError.illegalArgument` for an instant that no calendar has, or whose stretch
  ///   begins before the first instant of the property's type.
  func value(of ticks: Int64) throws -> Int64 {
    let seconds = Self.floor(ticks, ticksPerSecond)
    if last.seconds.contains(seconds) { return last.value }
    let piece = Self.floor(seconds, unit.leastSeconds)
    if let known = intervals[piece]?.first(where: { $0.seconds.contains(seconds) }) {
      last = known
    } else {
      last = try interval(of: seconds, ticks)
      intervals[piece, default: []].append(last)
    }
    return last.value
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  private func interval(of seconds: Int64, _ ticks: Int64) throws -> Interval {
    if let found = stretch(of: seconds), found.contains(seconds) {
      if let part { return Interval(seconds: found, value: value(part, Self.date(seconds))) }
      let (start, overflows) = found.lowerBound.multipliedReportingOverflow(by: ticksPerSecond)
      if !overflows { return Interval(seconds: found, value: start) }
    }
    throw ObjectBoxError.illegalArgument(
      message: "objects cannot be grouped by \(part?.rawValue ?? unit.rawValue): the date "
        + "\(ticks) \(ticksPerSecond == 1_000 ? "ms" : "ns") since 1970 is beyond the calendar"
    )
  }

  // MARK: Stretches

  /// Returns the stretch of the unit around a second; nil beyond the calendar.
  private func stretch(of seconds: Int64) -> Range<Int64>? {
    switch unit {
    case .hour: hour(of: seconds)
    case .day: calendarInterval(.day, seconds)
    case .week:
      // A calendar's week has seven days even where the clock skipped one.
      joined(.day, around: seconds) { [$0(.yearForWeekOfYear), $0(.weekOfYear)] }
    case .month: calendarInterval(.month, seconds)
    case .quarter:
      // Calendars of some systems know no intervals of quarters.
      joined(.month, around: seconds) { [$0(.year), ($0(.month) - 1) / 3] }
    case .year: calendarInterval(.year, seconds)
    }
  }

  private func calendarInterval(
    _ component: Calendar.Component,
    _ seconds: Int64
  ) -> Range<Int64>? {
    guard let found = calendar.dateInterval(of: component, for: Self.date(seconds)),
      let start = Int64(exactly: found.start.timeIntervalSince1970.rounded()),
      let end = Int64(exactly: found.end.timeIntervalSince1970.rounded()), start < end
    else { return nil }
    return start..<end
  }

  /// Returns the neighbouring stretches of a smaller unit that have the same key.
  private func joined(
    _ component: Calendar.Component,
    around seconds: Int64,
    _ makeKey: ((Calendar.Component) -> Int) -> [Int]
  ) -> Range<Int64>? {
    func key(_ seconds: Int64) -> [Int] {
      makeKey { calendar.component($0, from: Self.date(seconds)) }
    }
    guard var stretch = calendarInterval(component, seconds) else { return nil }
    let own = key(seconds)
    while key(stretch.lowerBound - 1) == own,
      let earlier = calendarInterval(component, stretch.lowerBound - 1),
      earlier.lowerBound < stretch.lowerBound
    {
      stretch = earlier.lowerBound..<stretch.upperBound
    }
    while key(stretch.upperBound) == own,
      let later = calendarInterval(component, stretch.upperBound),
      later.upperBound > stretch.upperBound
    {
      stretch = stretch.lowerBound..<later.upperBound
    }
    return stretch
  }

  /// Returns the hour of the clock around a second, cut where the clock is changed.
  ///
  /// Calendars give hours of 60 minutes, which overlap where the change is a part of an hour.
  private func hour(of seconds: Int64) -> Range<Int64> {
    let offset = self.offset(seconds)
    let start = Self.floor(seconds + offset, 3600) * 3600 - offset
    let end = start + 3600
    let first = self.offset(start) == offset ? start : change(from: start, to: seconds)
    let last = self.offset(end - 1) == offset ? end : change(from: seconds, to: end - 1)
    return first..<last
  }

  /// Returns the first second of another offset from UTC than `low` has; `high` has another one.
  private func change(from low: Int64, to high: Int64) -> Int64 {
    let offset = self.offset(low)
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.offset(middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// The seconds that the clock is ahead of UTC.
  private func offset(_ seconds: Int64) -> Int64 {
    Int64(calendar.timeZone.secondsFromGMT(for: Self.date(seconds)))
  }

  private static func date(_ seconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
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
}

extension CalendarUnit {
  /// The greatest number of seconds that each stretch has, but for changes of the clock.
  fileprivate var leastSeconds: Int64 {
    switch self {
    case .hour: 3_600
    case .day: 86_400
    case .week: 7 * 86_400
    case .month: 28 * 86_400
    case .quarter: 90 * 86_400
    case .year: 365 * 86_400
    }
  }
}

extension CalendarPart {
  /// The unit in which the part is the same.
  package var unit: CalendarUnit {
    switch self {
    case .hourOfDay: .hour
    case .dayOfWeek, .dayOfMonth: .day
    case .monthOfYear, .quarterOfYear: .month
    case .year: .year
    }
  }
}
