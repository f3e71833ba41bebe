internal import Foundation

/// The file system's facts about a file that change with its bytes: identity, size and times.
///
/// Programs can set the modification time, but not the time of the last change of the file itself.
///
/// A value has no padding, so equal stamps have equal bytes.
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

  /// Returns whether the file is older than the resolution of file system clocks.
  ///
  /// A file that changes twice within one tick of such a clock has the same times after both
  /// changes.
  func isSettled(at time: Time) -> Bool {
    max(modified.seconds, changed.seconds) + Self.coarsestTick < time.seconds
  }

  /// In seconds; FAT has a resolution of two seconds.
  private static let coarsestTick: Int64 = 2
}
