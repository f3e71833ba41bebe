/// The live bits of runs, in a transaction that writes.
///
/// Bits that are not stored are set, so a run without dead documents has none.
final class LiveBits {
  private struct Key: Hashable {
    var run: UInt32
    var chunk: UInt32
  }

  private static let bitsPerChunk = IndexTable.chunkSize * 8

  private let table: IndexTable
  /// Chunks that have changed.
  private var chunks: [Key: [UInt8]] = [:]

  init(_ table: IndexTable) { self.table = table }

  /// Returns whether a document is live.
  func isLive(_ run: UInt32, _ ordinal: UInt32) throws(FullTextError) -> Bool {
    let (chunk, bit) = Int(ordinal).quotientAndRemainder(dividingBy: Self.bitsPerChunk)
    let key = Key(run: run, chunk: UInt32(chunk))
    if let bytes = chunks[key] {
      return bit / 8 >= bytes.count || bytes[bit / 8] >> (bit % 8) & 1 == 1
    }
    guard let bytes = try table.value(run, .liveBits, key.chunk) else { return true }
    return bit / 8 >= bytes.count || bytes[bit / 8] >> (bit % 8) & 1 == 1
  }

  /// Marks a document as dead.
  func clear(_ run: UInt32, _ ordinal: UInt32) throws(FullTextError) {
    let (chunk, bit) = Int(ordinal).quotientAndRemainder(dividingBy: Self.bitsPerChunk)
    let key = Key(run: run, chunk: UInt32(chunk))
    if chunks[key] == nil {
      let value = try table.value(run, .liveBits, key.chunk)
      chunks[key] = value.map { [UInt8]($0.prefix(IndexTable.chunkSize)) } ?? []
    }
    let size = bit / 8 + 1
    if let count = chunks[key]?.count, count < size {
      chunks[key]?.append(contentsOf: repeatElement(0xff, count: size - count))
    }
    chunks[key]?[bit / 8] &= ~(1 << UInt8(bit % 8))
  }

  /// Writes the chunks that have changed.
  func write() throws(FullTextError) {
    for (key, bytes) in chunks {
      try bytes.withBytes { bytes throws(FullTextError) in
        try table.put(key.run, .liveBits, key.chunk, bytes)
      }
    }
    chunks.removeAll(keepingCapacity: true)
  }
}
