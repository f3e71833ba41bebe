internal import CObjectBoxPages
internal import Foundation

/// A map of a file for reading, with its descriptor; both end with the object.
final class FileMap: Sendable {
  // No code writes through it; valid until `deinit`.
  nonisolated(unsafe) let base: UnsafeRawPointer
  /// The number of mapped bytes; bytes after the end of the file must not be read.
  let size: Int
  /// The size of the file when it was mapped.
  let fileSize: Int
  let descriptor: Int32

  /// The smallest size of a map with room.
  private static let smallestSize = 64 << 20

  /// Maps an open file; nil for an empty one.
  ///
  /// - Parameters:
  ///   - descriptor: The file. The map closes it, also when this throws or returns nil.
  ///   - hasRoom: Whether to map twice the size, so that the file may grow in the map.
  /// - Throws: ``StorageError`` with the system's error number.
  init?(taking descriptor: Int32, hasRoom: Bool) throws(StorageError) {
    let fileSize = Int(obx_pages_file_size(descriptor))
    guard fileSize > 0 else {
      let code = errno
      _ = close(descriptor)
      if fileSize < 0 { throw StorageError(code: code, call: "fstat") }
      return nil
    }
    let size = hasRoom ? max(Self.smallestSize, 2 * fileSize) : fileSize
    let address = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else {
      let code = errno
      _ = close(descriptor)
      throw StorageError(code: code, call: "mmap")
    }
    base = UnsafeRawPointer(address)
    self.size = size
    self.fileSize = fileSize
    self.descriptor = descriptor
  }

  /// Returns another descriptor of an open file.
  static func duplicate(_ descriptor: Int32) throws(StorageError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw StorageError(code: errno, call: "fcntl") }
    return copy
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: base), size)
    _ = close(descriptor)
  }
}
