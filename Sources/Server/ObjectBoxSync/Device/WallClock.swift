internal import Foundation

/// The clock of the device.
enum WallClock {
  /// Milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
