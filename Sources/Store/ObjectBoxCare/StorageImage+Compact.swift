internal import CObjectBoxCare
internal import CObjectBoxPages
internal import Foundation
internal import ObjectBoxStorage

extension StorageImage {
  /// Writes the pages that a version uses to an empty file, one after another, with head pages of
  /// the same commit number.
  ///
  /// As after two commits, one head page contains the version and the other the previous one; both
  /// lead to the same pages. The file is not synced.
  ///
  /// - Parameters:
  ///   - head: The version's head page; its pages do not change meanwhile.
  ///   - descriptor: The file.
  ///   - progress: Gets the number of written pages, from time to time; false ends the copy.
  /// - Returns: The size of the file in bytes; nil when `progress` ended it.
  /// - Throws: ``StorageError``: `isCorrupt` for damaged pages, and the system's number.
  func compact(
    _ head: Head,
    to descriptor: Int32,
    progress: (Int) -> Bool
  ) throws(StorageError) -> Int? {
    let pageSize = head.pageSizeInBytes
    var (raw, badPage) = (head.head, UInt64(0))
    let (status, failure) = withoutActuallyEscaping(progress) { progress in
      var output = CompactOutput(descriptor: descriptor, pageSize: pageSize, progress: progress)
      let status = withUnsafeMutablePointer(to: &output) { context in
        var image = image
        var writer = obx_compact_writer(
          context: context,
          write: { context, bytes, size in
            guard let context else { return 1 }
            return context.assumingMemoryBound(to: CompactOutput.self).pointee.add(bytes, size)
              ? 0 : 1
          }
        )
        return obx_compact(&image, &raw, &writer, &badPage)
      }
      let isEnded = status == OBX_COMPACT_DONE && !output.flush()
      return (isEnded ? OBX_COMPACT_ENDED : status, output.failure)
    }
    if let failure { throw failure }
    switch status {
    case OBX_COMPACT_DONE: break
    case OBX_COMPACT_ENDED: return nil
    case OBX_COMPACT_CORRUPT: throw .damaged(badPage)
    case OBX_COMPACT_NO_MEMORY: throw StorageError(code: ENOMEM, call: "malloc")
    default: throw .unknownForm
    }
    let version = raw.transaction
    for number in 0..<2 {
      raw.transaction = Int(version & 1) == number ? version : version - min(version, 1)
      try writeHead(raw, of: head, as: number, to: descriptor)
    }
    return (Int(raw.last_page) + 1) * pageSize
  }
}

/// Collects the pages of a compact copy into large writes.
private struct CompactOutput {
  private static let chunkSize = 4 << 20

  let descriptor: Int32
  let pageSize: Int
  let progress: (Int) -> Bool
  private(set) var failure: StorageError?
  private var offset: Int
  private var chunk: [UInt8] = []

  init(descriptor: Int32, pageSize: Int, progress: @escaping (Int) -> Bool) {
    self.descriptor = descriptor
    self.pageSize = pageSize
    self.progress = progress
    offset = 2 * pageSize
    chunk.reserveCapacity(Self.chunkSize + pageSize)
  }

  /// Adds pages; false when the copy ends.
  mutating func add(_ bytes: UnsafeRawPointer, _ size: Int) -> Bool {
    chunk.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size))
    return chunk.count < Self.chunkSize || flush()
  }

  mutating func flush() -> Bool {
    do throws(StorageError) {
      let written = chunk.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in
          try StorageEnvironment.write(bytes, to: descriptor, at: offset)
        }
      }
      try written.get()
    } catch {
      failure = error
      return false
    }
    offset += chunk.count
    chunk.removeAll(keepingCapacity: true)
    return progress(offset / pageSize)
  }
}
