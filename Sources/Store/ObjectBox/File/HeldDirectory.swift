internal import Foundation
internal import Synchronization

/// Keeps the directory of a store open, so that the system cannot reuse its inode number.
package final class HeldDirectory: Sendable {
  #if os(Linux)
    // O_PATH, which needs no permission to list the directory. The C library declares it only under
    // a feature macro.
    private static let access: Int32 = 0o10000000
  #else
    private static let access = O_RDONLY
  #endif

  /// The identity of the directory, its key in ``StoreRegistry``.
  let key: String
  private let descriptor: Atomic<Int32>

  /// Stands for a directory that is not held, such as one of a store in memory, unless it is open.
  init(key: String, descriptor: Int32 = -1) {
    self.key = key
    self.descriptor = Atomic(descriptor)
  }

  /// Opens a directory; nil, with the cause in `errno`, if there is none.
  static func open(_ path: String) -> HeldDirectory? {
    let descriptor = Foundation.open(path, access | O_DIRECTORY | O_CLOEXEC)
    var status = stat()
    if descriptor >= 0, fstat(descriptor, &status) == 0 {
      return HeldDirectory(key: key(status), descriptor: descriptor)
    }
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    // Without permission or a free descriptor the directory is known by its number, but not held.
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      errno = ENOTDIR
      return nil
    }
    return HeldDirectory(key: key(status))
  }

  /// The identity of a directory: its device and inode numbers.
  static func key(_ status: stat) -> String { "\(status.st_dev):\(status.st_ino)" }

  /// Closes the directory before the end of this object; the system may then reuse its inode
  /// number.
  func close() {
    let descriptor = descriptor.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
  }

  deinit { close() }
}
