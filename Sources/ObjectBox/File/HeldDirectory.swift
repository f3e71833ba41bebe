internal import Foundation
internal import Synchronization

/// The directory of a store that is open or being opened: as long as it is held, the system gives its node number to
/// no other directory.
///
/// A class, since it owns a descriptor.
package final class HeldDirectory: Sendable {
  #if os(Linux)
    // O_PATH, which the C library declares under a feature macro only; needs no right to list the directory.
    private static let access: Int32 = 0o10000000
  #else
    private static let access = O_RDONLY
  #endif

  /// The identity of the directory, which ``StoreRegistry`` knows it by.
  let key: String
  private let descriptor: Atomic<Int32>

  private init(key: String, descriptor: Int32) {
    self.key = key
    self.descriptor = Atomic(descriptor)
  }

  /// Stands for the directory of a store in memory, whose location no other store has.
  convenience init(memory location: String) {
    self.init(key: location, descriptor: -1)
  }

  /// Opens a directory; nil, with the cause in `errno`, when there is none.
  static func open(_ path: String) -> HeldDirectory? {
    let descriptor = Foundation.open(path, access | O_DIRECTORY | O_CLOEXEC)
    var status = stat()
    if descriptor >= 0, fstat(descriptor, &status) == 0 {
      return HeldDirectory(key: key(status), descriptor: descriptor)
    }
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    // Without a right or a descriptor its number is known, and not held.
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      errno = ENOTDIR
      return nil
    }
    return HeldDirectory(key: key(status), descriptor: -1)
  }

  /// The identity of a directory: its device and node numbers.
  static func key(_ status: stat) -> String { "\(status.st_dev):\(status.st_ino)" }

  /// Lets go of the directory, as the end of the object does; its number may be given to another one from now on.
  func close() {
    let descriptor = descriptor.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
  }

  deinit { close() }
}
