internal import Foundation
internal import ObjectBox

/// The stretches of time of a calendar, looked up by dates.
///
/// A calendar takes some microseconds for a date, so each stretch is requested only a few times. Stretches
/// begin and end at whole seconds. A date belongs to the stretch of its local time. If the clock is set back
/// into an earlier stretch, that stretch has two parts.
final class CalendarIntervals {
  /// The seconds since 1970 of one part of a stretch, and the value of the stretch.
  private struct Interval {
    var seconds: Range<Int64>
    var value: Int64
  }

  private let ticksPerSecond: Int64
  private let zone: TimeZone
  /// A calendar of local times, which counts their seconds as if they were in GMT.
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
      self.zone = zone
    case .part(let part, let zone):
      self.part = part
      unit = part.unit
      self.zone = zone
    case .value, .folded, .firstLetter: return nil
    }
    calendar.timeZone = .gmt
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
    if let (found, start) = stretch(of: seconds), found.contains(seconds) {
      if let part {
        return Interval(seconds: found, value: value(part, Self.date(seconds + offset(seconds))))
      }
      let (value, overflows) = start.multipliedReportingOverflow(by: ticksPerSecond)
      if !overflows { return Interval(seconds: found, value: value) }
    }
    throw ObjectBoxError.illegalArgument(
      message: "objects cannot be grouped by \(part?.rawValue ?? unit.rawValue): the date "
        + "\(ticks) \(ticksPerSecond == 1_000 ? "ms" : "ns") since 1970 is beyond the calendar"
    )
  }

  // MARK: Stretches

  /// Returns the part of the unit's stretch around a second, and the first second of the stretch; nil
  /// beyond the calendar.
  private func stretch(of seconds: Int64) -> (seconds: Range<Int64>, start: Int64)? {
    if unit == .hour {
      let hour = hour(of: seconds)
      return (hour, hour.lowerBound)
    }
    let offset = offset(seconds)
    guard let local = localStretch(of: seconds + offset) else { return nil }
    // The clock enters the stretch at each first bound of two, and leaves it at the second.
    let bounds = passages(of: local.lowerBound, offset) + passages(of: local.upperBound, offset)
    for index in stride(from: 0, to: bounds.count, by: 2)
    where bounds[index] <= seconds && seconds < bounds[index + 1] {
      return (bounds[index]..<bounds[index + 1], bounds[0])
    }
    return nil
  }

  /// Returns the seconds at which the clock passes a local time.
  ///
  /// - Parameters:
  ///   - local: The local time.
  ///   - offset: An offset from UTC, within some hours of the right one.
  /// - Returns: One second, or three if the clock is set back over the time.
  private func passages(of local: Int64, _ offset: Int64) -> [Int64] {
    // A clock is changed by a day at most.
    let (low, high) = (local - offset - 93_600, local - offset + 93_600)
    let (first, second) = (local - self.offset(low), local - self.offset(high))
    if first == second { return [first] }
    let change = change(from: low, to: high)
    if first < change { return change < second ? [first, change, second] : [first] }
    return [max(change, second)]
  }

  /// Returns the stretch of the unit around a local time; nil beyond the calendar.
  private func localStretch(of local: Int64) -> Range<Int64>? {
    switch unit {
    case .hour: return nil
    case .day: return calendarInterval(.day, local)
    case .week: return calendarInterval(.weekOfYear, local)
    case .month: return calendarInterval(.month, local)
    case .quarter:
      // Calendars of some systems know no intervals of quarters.
      guard var stretch = calendarInterval(.month, local) else { return nil }
      let place = (calendar.component(.month, from: Self.date(local)) - 1) % 3
      for month in 0..<2 {
        let isEarlier = month < place
        guard
          let next = calendarInterval(
            .month,
            isEarlier ? stretch.lowerBound - 1 : stretch.upperBound
          )
        else { return nil }
        stretch =
          isEarlier
          ? next.lowerBound..<stretch.upperBound : stretch.lowerBound..<next.upperBound
      }
      return stretch
    case .year: return calendarInterval(.year, local)
    }
  }

  private func calendarInterval(
    _ component: Calendar.Component,
    _ local: Int64
  ) -> Range<Int64>? {
    guard let found = calendar.dateInterval(of: component, for: Self.date(local)),
      let start = Int64(exactly: found.start.timeIntervalSince1970.rounded()),
      let end = Int64(exactly: found.end.timeIntervalSince1970.rounded()),
      start <= local, local < end
    else { return nil }
    return start..<end
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
    Int64(zone.secondsFromGMT(for: Self.date(seconds)))
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
  /// A number of seconds that every stretch has at least, apart from changes of the clock.
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
