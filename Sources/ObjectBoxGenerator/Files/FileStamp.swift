internal import Foundation

/// The facts that a file system keeps of a file and changes with its bytes.
///
/// Programs can set the time of the last change of the bytes, but not that of the last change of the file.
///
/// The bytes of a value have no padding, so equal stamps have equal bytes.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let modified: Time
  private let changed: Time

  /// A time since 1970.
  struct Time: Hashable, Comparable, Sendable {
    var seconds: Int64
    var nanoseconds: Int64

    init(_ time: timespec) {
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }

    static var now: Time {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Time(time)
    }

    static func < (left: Time, right: Time) -> Bool {
      (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
  }

  init(_ state: stat) {
    device = UInt64(truncatingIfNeeded: state.st_dev)
    number = UInt64(truncatingIfNeeded: state.st_ino)
    size = Int64(state.st_size)
    #if canImport(Darwin)
      modified = Time(state.st_mtimespec)
      changed = Time(state.st_ctimespec)
    #else
      modified = Time(state.st_mtim)
      changed = Time(state.st_ctim)
    #endif
  }

  /// Returns whether the file was left alone for longer than clocks of file systems are coarse.
  ///
  /// A file that changes twice between two ticks of such a clock has the same times after both changes.
  func isSettled(at time: Time) -> Bool {
    max(modified.seconds, changed.seconds) + Self.coarsestTick < time.seconds
  }

  /// FAT counts in two seconds.
  private static let coarsestTick: Int64 = 2
}
