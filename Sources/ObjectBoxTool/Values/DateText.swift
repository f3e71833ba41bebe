internal import Foundation

/// Dates in the form of ISO 8601.
enum DateText {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// A point in time: whole seconds since 1970-01-01 00:00 UTC, and the nanoseconds after them.
  private struct Instant {
    var seconds: Int64
    var nanoseconds: Int64
  }

  /// Returns the date of a text such as `1990-01-31`, `1990-01-31T12:30` or `1990-01-31T12:30:15.25+02:00`.
  ///
  /// Without a zone it is in UTC. Nil for another form, and for a day or a time that there is not.
  static func date(_ text: String) -> Date? {
    instant(text).map { instant in
      Date(
        timeIntervalSince1970: Double(instant.seconds) + Double(instant.nanoseconds) / 1_000_000_000
      )
    }
  }

  /// Returns the date of a text as it is stored, exactly.
  ///
  /// - Parameters:
  ///   - text: A text as for ``date(_:)``.
  ///   - isNano: True for nanoseconds, false for milliseconds, of which a part is cut off.
  /// - Returns: The number since 1970; nil for a text that is no date, and for a number beyond 64 bits.
  static func ticks(_ text: String, isNano: Bool) -> Int64? {
    guard let instant = instant(text) else { return nil }
    let unit: Int64 = isNano ? 1_000_000_000 : 1_000
    let (whole, overflow) = instant.seconds.multipliedReportingOverflow(by: unit)
    let (ticks, overflowToo) = whole.addingReportingOverflow(
      instant.nanoseconds / (1_000_000_000 / unit)
    )
    return overflow || overflowToo ? nil : ticks
  }

  private static func instant(_ text: String) -> Instant? {
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?/
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    let wanted = DateComponents(
      year: number(match.1),
      month: number(match.2),
      day: number(match.3),
      hour: number(match.4),
      minute: number(match.5),
      second: number(match.6)
    )
    let fields: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
    // A calendar takes the 31st of February as a day of March.
    guard let date = calendar.date(from: wanted),
      calendar.dateComponents(fields, from: date) == wanted, let offset = offset(match.8)
    else { return nil }
    let fraction = match.7.map { $0 + String(repeating: "0", count: 9 - $0.count) }
    return Instant(
      seconds: Int64(date.timeIntervalSince1970) - Int64(offset),
      nanoseconds: fraction.flatMap { Int64($0) } ?? 0
    )
  }

  /// The seconds of a zone east of Greenwich.
  private static func offset(_ zone: Substring?) -> Int? {
    guard let zone, zone != "Z" else { return 0 }
    let digits = zone.filter(\.isNumber)
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24,
      minutes < 60
    else { return nil }
    return (zone.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Returns a stored date as ``date(_:)`` reads it, in UTC, with as many digits of a second as it has.
  ///
  /// - Parameters:
  ///   - ticks: Milliseconds or nanoseconds since 1970.
  ///   - isNano: True for nanoseconds.
  /// - Returns: The text; nil for a year before 1 or after 9999, which the form has no room for.
  static func text(ticks: Int64, isNano: Bool) -> String? {
    let unit: Int64 = isNano ? 1_000_000_000 : 1_000
    var (seconds, rest) = ticks.quotientAndRemainder(dividingBy: unit)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + unit) }
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    let whole = Date(timeIntervalSince1970: Double(seconds))
      .formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
    guard rest > 0 else { return whole }
    var digits = String(unit + rest).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole.dropLast()).\(digits)Z"
  }
}
