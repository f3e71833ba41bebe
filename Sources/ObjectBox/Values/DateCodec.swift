package import Foundation

/// Converts dates to whole milliseconds or nanoseconds since 1970, rounded half away from zero.
package enum DateCodec {
  package static func date(milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  package static func date(nanoseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000)
  }

  /// Returns nil for a date beyond the range of Int64, and for a date that is not a number.
  package static func milliseconds(of date: Date) -> Int64? {
    whole(date.timeIntervalSince1970 * 1_000)
  }

  /// Returns nil for a date beyond the range of Int64, and for a date that is not a number.
  package static func nanoseconds(of date: Date) -> Int64? {
    whole(date.timeIntervalSince1970 * 1_000_000_000)
  }

  private static func whole(_ value: Double) -> Int64? {
    Int64(exactly: value.rounded(.toNearestOrAwayFromZero))
  }

  /// The number that comparisons use for a date beyond the range.
  static func bound(of date: Date) -> Int64 { date.timeIntervalSince1970 < 0 ? .min : .max }
}
