#if OBJECTBOX_SODIUM
  internal import Foundation
  internal import ObjectBoxStorage

  /// An open pages file; a compaction opens another one in its place.
  final class PagesFile: Sendable {
    private let descriptor: Int32

    /// Takes an open file.
    ///
    /// - Parameter descriptor: The result of `open`.
    /// - Throws: ``StorageError`` with the system's error number when the system refused.
    init(_ descriptor: Int32) throws(StorageError) {
      guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
      self.descriptor = descriptor
    }

    deinit { _ = Foundation.close(descriptor) }

    /// Reads from the file; bytes after its end are not set.
    ///
    /// - Returns: The number of bytes that were read; -1, with `errno`, after an error.
    func get(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
      Self.get(buffer, from: descriptor, at: offset)
    }

    static func get(
      _ buffer: UnsafeMutableRawBufferPointer,
      from descriptor: Int32,
      at offset: Int
    ) -> Int {
      var done = 0
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        if count < 0 { return -1 }
        if count == 0 { break }
        done += count
      }
      return done
    }

    /// Writes to the file.
    func put(
      _ bytes: UnsafeRawBufferPointer,
      at offset: Int,
      _ didWrite: (Int, Int) -> Void = ImageFiles.didWrite
    ) throws(StorageError) {
      try StorageEnvironment.write(bytes, to: descriptor, at: offset)
      didWrite(offset, bytes.count)
    }

    /// Waits until the file is on the disk.
    func sync() throws(StorageError) {
      let code = ImageFiles.synchronize(descriptor)
      if code != 0 { throw StorageError(code: code, call: "fdatasync") }
    }

    /// Reserves room on the disk for a part of the file.
    ///
    /// On a file system without reservations, only the write itself can fail.
    func reserve(offset: Int, size: Int) throws(StorageError) {
      try Self.reserve(descriptor, offset: offset, size: size)
    }

    static func reserve(_ file: Int32, offset: Int, size: Int) throws(StorageError) {
      let code = ImageFiles.takeRoom(file, Int64(offset), Int64(size))
      if code != 0, code != EOPNOTSUPP, code != ENOSYS {
        throw StorageError(code: code, call: "fallocate")
      }
    }
  }
#endif
