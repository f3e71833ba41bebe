internal import Foundation

/// LMDB's lock file, to find other processes that have an environment open.
///
/// LMDB holds a lock of the system on `lock.mdb` from opening an environment until it is closed, with which a process
/// also shows that it is alive. Asking for these locks takes none. A process loses its own, LMDB's among them, when it
/// closes any descriptor of the file: the caller closes this one when it has no environment of the file open.
///
/// A class, since it owns a descriptor.
package final class LockFile: Sendable {
  private let descriptor: Int32

  /// Opens the lock file; nil where there is none.
  ///
  /// - Parameter directory: The directory of the environment.
  package init?(directory: String) {
    let path = directory + "/" + StorageEnvironment.fileNames[1]
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return nil }
  }

  deinit { _ = close(descriptor) }

  /// Another process that uses the environment, as the system numbers it for this one.
  package struct Holder: Sendable {
    /// Nil when the system does not tell, such as of a process in another container.
    package let process: Int32?
  }

  /// A process other than this one that has the environment open; nil when there is none, or the file system has no
  /// locks.
  package var otherHolder: Holder? {
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    // All bytes: any lock of another process stands in the way of this one.
    guard fcntl(descriptor, F_GETLK, &range) == 0, range.l_type != Int16(F_UNLCK) else {
      return nil
    }
    return Holder(process: range.l_pid > 0 ? range.l_pid : nil)
  }
}
