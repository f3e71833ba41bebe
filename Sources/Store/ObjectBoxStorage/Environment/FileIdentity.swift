internal import Foundation

/// The device and inode of a file.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let node: UInt64
  /// The number of names (hard links) of the file.
  let nameCount: Int
  let sizeInBytes: Int
  let mode: mode_t

  /// - Throws: ``StorageError`` with the system's error number.
  init(_ descriptor: Int32) throws(StorageError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StorageError(code: errno, call: "fstat") }
    self.init(status)
  }

  /// - Throws: ``StorageError`` with the system's error number.
  init(path: String) throws(StorageError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError(code: errno, call: "stat") }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    nameCount = Int(status.st_nlink)
    sizeInBytes = Int(status.st_size)
    mode = status.st_mode
  }

  static func == (a: Self, b: Self) -> Bool { a.device == b.device && a.node == b.node }
}
