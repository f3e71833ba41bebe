internal import CObjectBoxPages
internal import Foundation
internal import ObjectBoxStorage

extension StorageImage {
  /// The size of a write, and of a step of progress.
  private static let chunkSize = 4 << 20

  /// Writes a version of the file to a new file, waits for the disk, and names it: complete or not
  /// at all.
  ///
  /// Both head pages of the copy contain the version. Pages that the version does not use are
  /// copied too, and mean nothing.
  ///
  /// - Parameters:
  ///   - head: The head page of the version, which a read transaction pins.
  ///   - path: The new file, in an existing folder; nothing has its name.
  ///   - mode: The permission bits of the new file.
  ///   - progress: Gets the written part, from 0 to 1; false ends the copy.
  ///   - check: Gets the path of the written file before it is named; throws to discard it.
  /// - Returns: False when `progress` ended it; nothing is left behind then.
  /// - Throws: ``StorageError`` with the system's error number, or the error of `check`; nothing is
  ///   left behind then.
  func copy(
    _ head: Head,
    to path: String,
    mode: UInt32,
    progress: (Double) -> Bool,
    check: (String) throws -> Void
  ) throws -> Bool {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    var isDone = false
    defer {
      _ = Foundation.close(descriptor)
      if !isDone { unlink(temporary) }
    }
    // Exactly the requested bits: the process's mask may differ from the mask of the file's owner.
    guard fchmod(descriptor, mode_t(mode)) == 0 else {
      throw StorageError(code: errno, call: "fchmod")
    }
    guard try write(head, to: descriptor, progress) else { return false }
    try StorageEnvironment.synchronize(temporary)
    try check(temporary)
    // Linking refuses a name that another process has taken meanwhile.
    guard link(temporary, path) == 0 else { throw StorageError(code: errno, call: "link") }
    isDone = true
    unlink(temporary)
    try StorageEnvironment.synchronize(StorageEnvironment.folder(of: path))
    return true
  }

  private func write(
    _ head: Head,
    to descriptor: Int32,
    _ progress: (Double) -> Bool
  ) throws -> Bool {
    let pageSize = head.pageSizeInBytes
    let end = min(sizeInBytes / pageSize, Int(head.lastPage) + 1) * pageSize
    // As pinned: later commits may have written the page in the source.
    for number in 0..<2 { try writeHead(head.head, of: head, as: number, to: descriptor) }
    var offset = 2 * pageSize
    while offset < end {
      let next = min(end, offset + Self.chunkSize)
      try withBytes { bytes in
        try StorageEnvironment.write(
          UnsafeRawBufferPointer(rebasing: bytes[offset..<next]),
          to: descriptor,
          at: offset
        )
      }
      offset = next
      if !progress(Double(offset) / Double(end)) { return false }
    }
    return true
  }

  /// Writes a head page of a copy.
  ///
  /// - Parameters:
  ///   - raw: The version that it contains.
  ///   - head: The head page whose other bytes are copied.
  ///   - number: The number of the page, 0 or 1.
  ///   - descriptor: The file.
  /// - Throws: ``StorageError`` with the system's error number.
  func writeHead(
    _ raw: obx_head,
    of head: Head,
    as number: Int,
    to descriptor: Int32
  ) throws(StorageError) {
    let pageSize = head.pageSizeInBytes
    let start = head.number * pageSize
    var page = withBytes { [UInt8]($0[start..<(start + pageSize)]) }
    var raw = raw
    page.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { obx_head_write(&raw, address) }
      bytes.storeBytes(of: UInt64(number), as: UInt64.self)
    }
    try page.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in
        try StorageEnvironment.write(bytes, to: descriptor, at: number * pageSize)
      }
    }.get()
  }
}
