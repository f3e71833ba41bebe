internal import Foundation
internal import Synchronization

/// Locks of single bytes of a file, visible to other processes.
///
/// The bytes lie far after the end of every file. The system frees the locks when the file is
/// closed or the process ends in any way. Each object holds its own locks; LMDB takes none in
/// `data.mdb`.
package final class FileLock: Sendable {
  private static let firstByte: Int64 = 1 << 62
  // Locks of the open file description, not of the process: closing another descriptor of the file
  // keeps them. The C library declares the numbers only under feature macros.
  #if canImport(Darwin)
    private static let setLock: Int32 = 90
    private static let setLockWaiting: Int32 = 91
  #else
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38
  #endif

  /// Takes a lock by a descriptor, a command and a `flock`; returns 0 or the system's error number.
  ///
  /// Tests replace it to simulate other file systems.
  @TaskLocal package static var systemCall:
    @Sendable (Int32, Int32, UnsafeMutableRawPointer) -> Int32 = {
      fcntl($0, $1, $2) == -1 ? errno : 0
    }

  private let descriptor: Int32
  private let isOpen = Atomic<Bool>(true)

  /// Opens a file, and creates it if it is missing and may be written.
  ///
  /// Nil when it cannot be opened, with the cause in `errno`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: The permission bits of a new file.
  ///   - isReadOnly: True if no exclusive lock will be requested.
  package init?(path: String, mode: UInt32, isReadOnly: Bool) {
    let access = isReadOnly ? O_RDONLY : O_RDWR | O_CREAT
    // Creates no file behind a link, and does not wait for a pipe.
    descriptor = open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(mode))
    if descriptor < 0 {
      isOpen.store(false, ordering: .relaxed)
      return nil
    }
  }

  /// Locks a byte; changes the kind of a lock that this object already holds, atomically.
  ///
  /// - Parameters:
  ///   - byte: The number of the lock byte, from 0.
  ///   - isExclusive: True to exclude all other holders.
  ///   - waits: Whether to wait for other holders.
  /// - Returns: False when others hold it; this object then keeps the lock that it has.
  /// - Throws: ``StorageError`` when the system cannot lock, as on file systems without locks.
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

  /// Returns whether a path leads to the open file, not to a file that has taken its name.
  package func isFile(at path: String) -> Bool {
    (try? FileIdentity(descriptor) == FileIdentity(path: path)) ?? false
  }

  /// A count of 0 means all bytes from the given byte on.
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

  /// Unlocks all bytes and closes the file, as releasing the object does; no other call may follow.
  package func close() {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    // A process that is being started briefly has a copy of the descriptor, and with it the locks.
    _ = try? set(Int32(F_UNLCK), 0, count: 0, waits: false)
    _ = Foundation.close(descriptor)
  }

  deinit { close() }
}
