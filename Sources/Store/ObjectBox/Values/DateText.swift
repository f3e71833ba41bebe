/// Converts stored dates to texts in the form of ISO 8601 and back, without loss.
package enum DateText {
  /// The stored dates next to the date of a text; both are equal if a property can hold the date
  /// exactly.
  package struct Bounds: Equatable, Sendable {
    /// The largest number that is not after the date; nil for a date before all numbers.
    package var floor: Int64?
    /// The smallest number that is not before the date; nil for a date after all numbers.
    package var ceiling: Int64?

    package init(floor: Int64? = nil, ceiling: Int64? = nil) {
      self.floor = floor
      self.ceiling = ceiling
    }

    /// The number of the date; nil if no number is exact.
    package var exact: Int64? { floor == ceiling ? floor : nil }
  }

  /// A point in time: whole seconds since 1970-01-01 00:00 UTC, and the nanoseconds after them.
  private struct Instant {
    var seconds: Int64
    var nanoseconds: Int64
  }

  private static let secondsOfDay: Int64 = 86_400
  /// The seconds of the years 1 to 9999, which have a text.
  private static let seconds: Range<Int64> = -62_135_596_800..<253_402_300_800

  // MARK: Reading

  /// Returns the date of a text such as `1990-01-31`, `1990-01-31T12:30` or `1990-01-31T12:30:15.25+02:00`.
  ///
  /// A text without a zone is in UTC.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isNano: True for nanoseconds, false for milliseconds. Further digits are rounded, halves away from
  ///     1970, as in a put of a `Date`.
  /// - Returns: The number since 1970; nil for another form, for a day or time that does not exist,
  ///   and for a number beyond 64 bits.
  package static func ticks(_ text: String, isNano: Bool) -> Int64? {
    guard let instant = instant(text) else { return nil }
    let bounds = bounds(of: instant, isNano: isNano)
    guard let floor = bounds.floor, let ceiling = bounds.ceiling else { return nil }
    let rest = 2 * (instant.nanoseconds % 1_000_000)
    if isNano || rest < 1_000_000 { return floor }
    return rest == 1_000_000 && instant.seconds < 0 ? floor : ceiling
  }

  /// Returns the stored dates next to the date of a text in the form of ``ticks(_:isNano:)``.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isNano: True for nanoseconds, false for milliseconds.
  /// - Returns: The numbers since 1970; nil for another form, and for a day or time that does not
  ///   exist.
  package static func bounds(_ text: String, isNano: Bool) -> Bounds? {
    instant(text).map { bounds(of: $0, isNano: isNano) }
  }

  private static func bounds(of instant: Instant, isNano: Bool) -> Bounds {
    let unit: Int64 = isNano ? 1_000_000_000 : 1_000
    let (part, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000 / unit)
    // Negative numbers count back from the next second: for the smallest number, multiplying its
    // own second overflows.
    let isNegative = instant.seconds < 0
    let (whole, isBeyond) = (instant.seconds + (isNegative ? 1 : 0))
      .multipliedReportingOverflow(by: unit)
    let (floor, isBeyondToo) = whole.addingReportingOverflow(isNegative ? part - unit : part)
    if isBeyond || isBeyondToo {
      return isNegative ? Bounds(ceiling: .min) : Bounds(floor: .max)
    }
    if rest == 0 { return Bounds(floor: floor, ceiling: floor) }
    return Bounds(floor: floor, ceiling: floor + 1)
  }

  private static func instant(_ text: String) -> Instant? {
    var text = text
    return text.withUTF8 { bytes in
      var scan = Scan(rest: bytes[...])
      guard let year = scan.number(4), year > 0, scan.takes("-"), let month = scan.number(2),
        scan.takes("-"), let day = scan.number(2),
        let date = CivilDate(year: year, month: month, day: day)
      else { return nil }
      var instant = Instant(seconds: Int64(date.dayNumber) * secondsOfDay, nanoseconds: 0)
      if scan.isAtEnd { return instant }
      guard scan.takes("T") || scan.takes(" "), let time = scan.time() else { return nil }
      instant.seconds += time.seconds
      instant.nanoseconds = time.nanoseconds
      guard let offset = scan.offset(), scan.isAtEnd else { return nil }
      instant.seconds -= offset
      return instant
    }
  }

  /// A position in the bytes of a text.
  private struct Scan {
    var rest: Slice<UnsafeBufferPointer<UInt8>>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func takes(_ sign: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: sign) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func digit() -> Int? {
      guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        return nil
      }
      rest.removeFirst()
      return Int(byte - UInt8(ascii: "0"))
    }

    /// Reads a number with the given count of digits.
    mutating func number(_ count: Int, below end: Int = .max) -> Int? {
      var number = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number < end ? number : nil
    }

    /// Reads the time of a day.
    mutating func time() -> Instant? {
      guard let hour = number(2, below: 24), takes(":"), let minute = number(2, below: 60) else {
        return nil
      }
      var time = Instant(seconds: Int64(hour * 3_600 + minute * 60), nanoseconds: 0)
      guard takes(":") else { return time }
      guard let second = number(2, below: 60) else { return nil }
      time.seconds += Int64(second)
      guard takes(".") else { return time }
      var count = 0
      while count < 9, let digit = digit() {
        time.nanoseconds = time.nanoseconds * 10 + Int64(digit)
        count += 1
      }
      if count == 0 { return nil }
      for _ in count..<9 { time.nanoseconds *= 10 }
      return time
    }

    /// Reads a zone, and returns its seconds east of Greenwich; 0 if there is no zone.
    mutating func offset() -> Int64? {
      if isAtEnd || takes("Z") { return 0 }
      let isWest = takes("-")
      guard isWest || takes("+"), let hours = number(2, below: 24) else { return nil }
      _ = takes(":")
      guard let minutes = number(2, below: 60) else { return nil }
      return Int64(hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
    }
  }

  // MARK: Writing

  /// Returns the text of a stored date, in UTC, with as many decimals of a second as it needs.
  ///
  /// - Parameters:
  ///   - ticks: Milliseconds or nanoseconds since 1970.
  ///   - isNano: True for nanoseconds.
  /// - Returns: The text; nil for a year before 1 or after 9999, which the form cannot express.
  package static func text(ticks: Int64, isNano: Bool) -> String? {
    let unit: Int64 = isNano ? 1_000_000_000 : 1_000
    var (seconds, rest) = ticks.quotientAndRemainder(dividingBy: unit)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + unit) }
    guard Self.seconds.contains(seconds) else { return nil }
    var (day, second) = seconds.quotientAndRemainder(dividingBy: secondsOfDay)
    if second < 0 { (day, second) = (day - 1, second + secondsOfDay) }
    let date = CivilDate(dayNumber: Int(day))
    var text = digits(date.year, 4) + "-" + digits(date.month, 2) + "-" + digits(date.day, 2) + "T"
    let time = Int(second)
    text += digits(time / 3_600, 2) + ":" + digits(time / 60 % 60, 2) + ":" + digits(time % 60, 2)
    if rest > 0 {
      var fraction = digits(Int(rest), isNano ? 9 : 3)
      while fraction.last == "0" { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// The digits of a number, padded with zeros to at least the given count.
  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
