internal import Foundation
internal import Synchronization

/// Locks of single bytes of a file, which other processes see.
///
/// The bytes lie far behind the end of every file. The system frees the locks when the file is closed or the
/// process ends, in whatever way. Each object of this type holds its own locks; LMDB takes none in
/// `data.mdb`.
///
/// A class, since it owns an open file.
package final class FileLock: Sendable {
  private static let firstByte: Int64 = 1 << 62
  // Locks of the open file description, not of the process: closing another descriptor of the file does not
  // drop them. The C library declares the numbers only under feature macros.
  #if canImport(Darwin)
    private static let setLock: Int32 = 90
    private static let setLockWaiting: Int32 = 91
  #else
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38
  #endif

  /// Takes a lock by a descriptor, a command and a `flock`; returns 0 or the system's error number.
  ///
  /// Tests replace it to stand for other file systems.
  @TaskLocal package static var systemCall:
    @Sendable (Int32, Int32, UnsafeMutableRawPointer) -> Int32 = {
      fcntl($0, $1, $2) == -1 ? errno : 0
    }

  private let descriptor: Int32
  private let isOpen = Atomic<Bool>(true)

  /// Opens a file, and makes it when it is missing and may be written; nil when it cannot be opened, with the
  /// cause in `errno`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: The permission bits of a new file.
  ///   - isReadOnly: Whether no exclusive lock will be asked for.
  package init?(path: String, mode: UInt32, isReadOnly: Bool) {
    let access = isReadOnly ? O_RDONLY : O_RDWR | O_CREAT
    // Makes no file where a link leads, and waits for no pipe.
    descriptor = open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(mode))
    if descriptor < 0 {
      isOpen.store(false, ordering: .relaxed)
      return nil
    }
  }

  /// Locks a byte; a lock that this object has already changes its kind atomically.
  ///
  /// - Parameters:
  ///   - byte: The number of the lock byte, from 0.
  ///   - isExclusive: Whether nobody else may have it.
  ///   - waits: Whether to wait for others.
  /// - Returns: False when others have it; the lock that this object had stays.
  /// - Throws: ``StorageError`` when the system cannot tell, as on file systems without locks.
  package func lock(
    _ byte: Int,
    isExclusive: Bool,
    waits: Bool = false
  ) throws(StorageError) -> Bool {
    try set(isExclusive ? Int32(F_WRLCK) : Int32(F_RDLCK), byte, waits: waits)
  }

  /// Unlocks a byte.
  package func unlock(_ byte: Int) {
    _ = try? set(Int32(F_UNLCK), byte, waits: false)
  }

  /// Returns whether a path leads to the open file, and not to another one that has taken its name.
  package func isFile(at path: String) -> Bool {
    var (own, other) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino
      && own.st_dev == other.st_dev
  }

  /// A count of 0 means all bytes from the given one on.
  private func set(
    _ type: Int32,
    _ byte: Int,
    count: Int = 1,
    waits: Bool
  ) throws(StorageError) -> Bool {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(Self.firstByte + Int64(byte))
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

  /// Unlocks all bytes and closes the file, as the end of the object does; no other call may follow.
  package func close() {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    // A process that is being started has a copy of the descriptor, and with it the locks, for a moment.
    _ = try? set(Int32(F_UNLCK), 0, count: 0, waits: false)
    _ = Foundation.close(descriptor)
  }

  deinit { close() }
}
