import ObjectBoxStorage

/// Reads a stream of bytes that a run stores in chunks of a page.
///
/// Keeps the last chunk, copied in transactions that write.
final class ChunkReader {
  private let table: IndexTable
  private let run: UInt32
  private let kind: ValueKind
  private let size: UInt64
  @exclusivity(unchecked) private var number: UInt32 = .max
  @exclusivity(unchecked) private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private var copy: UnsafeMutableRawPointer?
  /// Room for bytes that are not in one chunk.
  @exclusivity(unchecked) private var joined: [UInt8] = []

  init(_ table: IndexTable, _ run: UInt32, _ kind: ValueKind, size: UInt64) {
    self.table = table
    self.run = run
    self.kind = kind
    self.size = size
  }

  deinit { copy?.deallocate() }

  /// Passes bytes of the stream; they are valid until the next call.
  func bytes(at offset: UInt64, _ count: Int) throws(FullTextError) -> UnsafeRawBufferPointer {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw .damaged(run: run, "bytes \(offset) and \(count) more are not in stream '\(kind)'")
    }
    if count == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = Int(offset % UInt64(IndexTable.chunkSize))
    try load(UInt32(truncatingIfNeeded: offset / UInt64(IndexTable.chunkSize)))
    if start + count <= chunk.count {
      return UnsafeRawBufferPointer(rebasing: chunk[start..<start + count])
    }
    return try join(start, count)
  }

  /// Passes at least `count` bytes of the stream, and the bytes after them that are in memory; all are valid until the
  /// next call.
  func bytes(
    at offset: UInt64,
    atLeast count: Int
  ) throws(FullTextError) -> UnsafeRawBufferPointer {
    let found = try bytes(at: offset, count)
    guard let start = found.baseAddress, let first = chunk.baseAddress, start >= first,
      start < first + chunk.count
    else { return found }
    return UnsafeRawBufferPointer(start: start, count: first + chunk.count - start)
  }

  @inline(never)
  private func join(_ start: Int, _ count: Int) throws(FullTextError) -> UnsafeRawBufferPointer {
    joined.removeAll(keepingCapacity: true)
    joined.reserveCapacity(count)
    var start = start
    while true {
      let end = min(start + count - joined.count, chunk.count)
      guard start < end else {
        throw .damaged(run: run, "chunk \(number) of '\(kind)' is too short")
      }
      joined.append(contentsOf: chunk[start..<end])
      if joined.count == count { break }
      try load(number + 1)
      start = 0
    }
    // The array does not change before the next call, which ends the validity.
    return joined.withUnsafeBytes { $0 }
  }

  private func load(_ wanted: UInt32) throws(FullTextError) {
    if wanted == number { return }
    guard let value = try table.value(run, kind, wanted), value.count <= IndexTable.chunkSize
    else { throw .damaged(run: run, "chunk \(wanted) of '\(kind)' is missing") }
    number = wanted
    chunk = value
    if table.isWriting {
      let room = copy ?? .allocate(byteCount: IndexTable.chunkSize, alignment: 16)
      copy = room
      if let bytes = value.baseAddress { room.copyMemory(from: bytes, byteCount: value.count) }
      chunk = UnsafeRawBufferPointer(start: room, count: value.count)
    }
  }
}
