package import Foundation

/// Converts dates to whole milliseconds or nanoseconds since 1970, rounded half away from zero.
package enum DateCodec {
  package static func date(milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  package static func date(nanoseconds: Int64) -> Date {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - secondsTo2001) + Double(rest) / 1_000_000_000
    )
  }

  /// Returns nil for a date beyond the range of Int64, and for a date that is not a number.
  package static func milliseconds(of date: Date) -> Int64? {
    Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded(.toNearestOrAwayFromZero))
  }

  /// Returns nil for a date beyond the range of Int64, and for a date that is not a number.
  package static func nanoseconds(of date: Date) -> Int64? {
    // A date keeps the seconds since 2001. Whole seconds and fraction are converted apart, since their
    // sum since 1970 in nanoseconds has more digits than a `Double`.
    let interval = date.timeIntervalSinceReferenceDate
    guard let seconds = Int64(exactly: interval.rounded(.down)) else { return nil }
    let fraction = (interval - interval.rounded(.down)) * 1_000_000_000
    let isBefore1970 = seconds < -secondsTo2001
    let rest = isBefore1970 ? (fraction - 0.5).rounded(.up) : (fraction + 0.5).rounded(.down)
    return Int64(exactly: (Int128(seconds) + Int128(secondsTo2001)) * 1_000_000_000 + Int128(rest))
  }

  /// The seconds from 1970 to 2001.
  private static let secondsTo2001: Int64 = 978_307_200

  /// The number that comparisons use for a date beyond the range.
  static func bound(of date: Date) -> Int64 { date.timeIntervalSince1970 < 0 ? .min : .max }
}
