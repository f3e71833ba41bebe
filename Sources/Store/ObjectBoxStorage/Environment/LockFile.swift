internal import Foundation

/// LMDB's lock file; finds other processes that have an environment open.
///
/// While an environment is open, LMDB holds a system lock on `lock.mdb`, which also shows that the
/// process is alive. Asking for such locks takes none. But a process loses its own locks, including
/// LMDB's, when it closes any descriptor of the file: so this object may be released only when the
/// process has no environment of the file open.
package final class LockFile: Sendable {
  private let descriptor: Int32

  /// Opens the lock file; nil when it does not exist.
  ///
  /// - Parameter directory: The directory of the environment.
  package init?(directory: String) {
    let path = directory + "/" + StorageEnvironment.fileNames[1]
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return nil }
  }

  deinit { _ = close(descriptor) }

  /// Another process that uses the environment, numbered as the system shows it to this one.
  package struct Holder: Sendable {
    /// Nil when the system does not report it, such as for a process in another container.
    package let process: Int32?
  }

  /// Another process that has the environment open; nil for none, and on a file system without
  /// locks.
  package var otherHolder: Holder? {
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    // Of all bytes: any lock of another process conflicts.
    guard fcntl(descriptor, F_GETLK, &range) == 0, range.l_type != Int16(F_UNLCK) else {
      return nil
    }
    return Holder(process: range.l_pid > 0 ? range.l_pid : nil)
  }
}
