internal import Foundation

/// Locks of single places in a file, which processes see of one another.
///
/// The places lie far behind the end of every file, and say nothing about its bytes. The system frees them
/// when the file is closed or the process ends, in whatever way. A process holds them once for each object
/// of this type; LMDB takes no locks in `data.mdb`.
///
/// A class, since it owns an open file.
package final class FileLock: Sendable {
  private static let firstPlace: Int64 = 1 << 62
  // Of the open file rather than of the process, so that closing another one of the same file does not
  // drop them. The C library declares the numbers only under feature macros.
  #if canImport(Darwin)
    private static let setLock: Int32 = 90
    private static let setLockWaiting: Int32 = 91
  #else
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38
  #endif

  /// Asks the system for a lock: with a descriptor, a command and a `flock`, for 0 or the system's number of
  /// an error.
  ///
  /// A test puts another one in its place for file systems that it does not have.
  @TaskLocal package static var systemCall:
    @Sendable (Int32, Int32, UnsafeMutableRawPointer) -> Int32 = {
      fcntl($0, $1, $2) == -1 ? errno : 0
    }

  private let descriptor: Int32

  /// Opens a file, and makes it when it is missing and may be written; nil when it cannot be opened, for the
  /// reason that `errno` says.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: The permission bits of a new file.
  ///   - isReadOnly: Whether no exclusive lock will be asked for.
  package init?(path: String, mode: UInt32, isReadOnly: Bool) {
    let flags = isReadOnly ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC
    descriptor = open(path, flags, mode_t(mode))
    if descriptor < 0 { return nil }
  }

  /// Locks a place, also one that this object has locked otherwise; nobody gets in between.
  ///
  /// - Parameters:
  ///   - place: A number from 0.
  ///   - isExclusive: Whether nobody else may have it.
  ///   - waits: Whether to wait for others.
  /// - Returns: False when others have it; what this object had then stays.
  /// - Throws: ``StorageError`` when the system does not say who has it, as where file systems have no locks.
  package func lock(
    _ place: Int,
    isExclusive: Bool,
    waits: Bool = false
  ) throws(StorageError) -> Bool {
    try set(isExclusive ? Int32(F_WRLCK) : Int32(F_RDLCK), place, waits: waits)
  }

  /// Gives a place up.
  package func unlock(_ place: Int) {
    _ = try? set(Int32(F_UNLCK), place, waits: false)
  }

  /// Returns whether a path leads to the open file, and not to another one that has taken its name.
  package func isFile(at path: String) -> Bool {
    var (own, other) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino
      && own.st_dev == other.st_dev
  }

  /// A count of 0 means all places from the given one on.
  private func set(
    _ type: Int32,
    _ place: Int,
    count: Int = 1,
    waits: Bool
  ) throws(StorageError) -> Bool {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(Self.firstPlace + Int64(place))
    range.l_len = off_t(count)
    let command = waits ? Self.setLockWaiting : Self.setLock
    while true {
      switch Self.systemCall(descriptor, command, &range) {
      case 0: return true
      case EINTR: continue
      case EAGAIN, EACCES: return false
      case let code: throw StorageError(code: code, call: "fcntl")
      }
    }
  }

  /// Gives up all places; no other call may follow.
  package func close() {
    // A process that is just being started still has the file, and the locks of it, for a moment.
    _ = try? set(Int32(F_UNLCK), 0, count: 0, waits: false)
    _ = Foundation.close(descriptor)
  }
}
