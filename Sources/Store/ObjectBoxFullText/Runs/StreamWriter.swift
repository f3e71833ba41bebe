/// Writes a stream of bytes in chunks of a page.
final class StreamWriter {
  private let table: IndexTable
  private let run: UInt32
  private let kind: ValueKind
  /// Added to the numbers of chunks.
  private let firstChunk: UInt32
  private(set) var size: UInt64
  private var chunk: [UInt8] = []

  /// Begins a stream, or continues one of the given size.
  init(
    _ table: IndexTable,
    _ run: UInt32,
    _ kind: ValueKind,
    size: UInt64 = 0,
    firstChunk: UInt32 = 0
  ) throws(FullTextError) {
    self.table = table
    self.run = run
    self.kind = kind
    self.size = size
    self.firstChunk = firstChunk
    let rest = Int(size % UInt64(IndexTable.chunkSize))
    guard rest > 0 else { return }
    guard let value = try table.value(run, kind, number), value.count >= rest
    else { throw .damaged(run: run, "the last chunk of '\(kind)'") }
    chunk.append(contentsOf: value[..<rest])
  }

  private var number: UInt32 {
    firstChunk + UInt32(truncatingIfNeeded: size / UInt64(IndexTable.chunkSize))
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(FullTextError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(rest.count, IndexTable.chunkSize - chunk.count)
      chunk.append(contentsOf: rest[..<count])
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if chunk.count == IndexTable.chunkSize {
        try write()
        chunk.removeAll(keepingCapacity: true)
      }
      size += UInt64(count)
    }
  }

  /// Writes the last chunk; the stream can be continued later.
  func finish() throws(FullTextError) {
    if !chunk.isEmpty { try write() }
  }

  private func write() throws(FullTextError) {
    let (table, run, kind, number) = (table, run, kind, number)
    try chunk.withBytes { bytes throws(FullTextError) in try table.put(run, kind, number, bytes) }
  }
}
