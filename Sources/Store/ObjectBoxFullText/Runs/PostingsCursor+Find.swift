import CObjectBoxFullText

extension PostingsCursor {
  /// Looks up ascending documents in the current block, without unpacking all of it.
  ///
  /// - Parameters:
  ///   - documents: The documents; none is before the block.
  ///   - ordinals: Receives the documents found; has room for a block.
  ///   - frequencies: Receives their frequencies; has room for a block.
  /// - Returns: The number of documents found.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func find(
    _ documents: UnsafeBufferPointer<UInt32>,
    _ ordinals: UnsafeMutablePointer<UInt32>,
    _ frequencies: UnsafeMutablePointer<UInt32>
  ) throws(FullTextError) -> UInt32 {
    guard blockCount > 0, let start = documents.baseAddress else { return 0 }
    if isDecoded {
      let (known, count) = (self.ordinals, UInt32(blockCount))
      return obx_find(
        known,
        self.frequencies,
        count,
        start,
        documents.count,
        ordinals,
        frequencies
      )
    }
    let packed = try packedBlock()
    guard let bytes = packed.baseAddress else { throw run.damage("a block of postings") }
    let found = obx_block_find(
      bytes,
      packed.count,
      UInt32(blockCount),
      blockBase,
      blockLast,
      start,
      documents.count,
      ordinals,
      frequencies
    )
    if found == .max { throw run.damage("a block of postings") }
    return found
  }

  /// Whether the postings of the current segment are in blocks.
  var hasBlocks: Bool { blockCount > 0 && !isInline }

  /// Looks up ascending documents in the blocks of the current segment, from the current block on, without unpacking
  /// them.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - place: The index of the first document to look up, which is not before the current block; becomes the index of
  ///     the first document that is left.
  ///   - leastBound: The bound that blocks need; others are skipped.
  ///   - found: Receives the postings.
  ///   - wantedCount: The number of postings at which the search ends.
  /// - Returns: The number of blocks that were searched.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func find(
    _ documents: UnsafeBufferPointer<UInt32>,
    from place: inout Int,
    leastBound: UInt32,
    _ found: PostingsView,
    until wantedCount: Int
  ) throws(FullTextError) -> Int {
    guard hasBlocks, let start = documents.baseAddress, let entries = directory.baseAddress
    else { return 0 }
    let entry = segments[segment]
    var blocks = obx_segment(
      // Not moved while this function runs: another reader reads the blocks.
      directory: entries.assumingMemoryBound(to: UInt8.self),
      block_count: UInt32(blockTotal),
      first: entry.first,
      last: min(segmentLast, UInt32(run.documentCount - 1)),
      block: UInt32(block),
      bytes: nil,
      bytes_size: 0,
      bytes_start: 0,
      wanted_size: 0,
      read_blocks: 0
    )
    search: while true {
      let state = found.add { ordinals, frequencies, count in
        obx_segment_find(
          &blocks,
          start,
          documents.count,
          &place,
          leastBound,
          ordinals,
          frequencies,
          &count,
          UInt32(wantedCount)
        )
      }
      switch state {
      case OBX_SEGMENT_LACKS_BYTES:
        let (offset, isOverflow) = entry.postings.addingReportingOverflow(
          UInt64(blocks.bytes_start)
        )
        guard !isOverflow else { throw run.damage("a directory of postings") }
        let bytes = try postings.bytes(at: offset, atLeast: Int(blocks.wanted_size))
        blocks.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        blocks.bytes_size = bytes.count
      case OBX_SEGMENT_DAMAGED: throw run.damage("a block of postings")
      default: break search
      }
    }
    if blocks.block != block {
      block = Int(blocks.block)
      blockBase = last(ofBlock: block - 1) &+ 1
      try enterBlock()
    }
    return Int(blocks.read_blocks)
  }
}
