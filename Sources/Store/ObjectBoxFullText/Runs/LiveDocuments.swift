/// The stored live bits of runs, in a write transaction.
///
/// Bits that are not stored count as set, so a run without dead documents stores none. A document that died recently is
/// in ``RunDescription/pendingDead``, and its bit is still set.
struct LiveDocuments {
  private static let bitsPerChunk = IndexTable.chunkSize * 8

  let table: IndexTable

  /// Returns whether the bit of a document is set.
  func isSet(_ run: UInt32, _ ordinal: UInt32) throws(FullTextError) -> Bool {
    let (chunk, bit) = Int(ordinal).quotientAndRemainder(dividingBy: Self.bitsPerChunk)
    guard let bytes = try table.value(run, .liveBits, UInt32(chunk)) else { return true }
    return bit / 8 >= bytes.count || bytes[bit / 8] >> (bit % 8) & 1 == 1
  }

  /// Clears the bits of documents of a run.
  func clear(_ run: UInt32, _ ordinals: [UInt32]) throws(FullTextError) {
    let chunks = Dictionary(grouping: ordinals) { $0 / UInt32(Self.bitsPerChunk) }
    for (chunk, ordinals) in chunks {
      let value = try table.value(run, .liveBits, chunk)
      var bytes = value.map { [UInt8]($0.prefix(IndexTable.chunkSize)) } ?? []
      for ordinal in ordinals {
        let bit = Int(ordinal) % Self.bitsPerChunk
        let missing = bit / 8 + 1 - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0xff, count: missing)) }
        bytes[bit / 8] &= ~(1 << UInt8(bit % 8))
      }
      try bytes.withBytes { bytes throws(FullTextError) in
        try table.put(run, .liveBits, chunk, bytes)
      }
    }
  }
}

extension UnsafePointer<UInt64>? {
  /// Returns whether the bit of a document is set; without bits, all documents are live.
  @inline(__always)
  func isLive(_ ordinal: Int) -> Bool {
    guard let bits = self else { return true }
    return bits[ordinal / 64] >> UInt64(ordinal % 64) & 1 != 0
  }
}
