internal import Foundation

/// Dates as whole milliseconds or nanoseconds since 1970, rounded half away from zero.
enum DateCodec {
  static func date(milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  static func date(nanoseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000)
  }

  static func milliseconds(of date: Date) -> Int64 {
    whole(date.timeIntervalSince1970 * 1_000)
  }

  static func nanoseconds(of date: Date) -> Int64 {
    whole(date.timeIntervalSince1970 * 1_000_000_000)
  }

  /// Rounds, and keeps to the range of Int64 dates that are beyond it, such as `distantFuture` in
  /// nanoseconds; not-a-number becomes 0.
  private static func whole(_ value: Double) -> Int64 {
    if let exact = Int64(exactly: value.rounded(.toNearestOrAwayFromZero)) { return exact }
    if value.isNaN { return 0 }
    return value < 0 ? .min : .max
  }
}
