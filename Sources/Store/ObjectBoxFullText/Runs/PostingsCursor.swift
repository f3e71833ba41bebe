import CObjectBoxFullText

/// The streams that a cursor on postings reads.
final class PostingsStreams {
  let directories: ChunkReader
  let postings: ChunkReader
  let positions: ChunkReader

  init(_ table: IndexTable, _ run: RunDescription) {
    directories = ChunkReader(table, run.number, .postings, size: run.postingsSize)
    postings = ChunkReader(table, run.number, .postings, size: run.postingsSize)
    positions = ChunkReader(table, run.number, .positions, size: run.positionsSize)
  }
}

/// A cursor on the postings of a term in a run, block by block.
///
/// It begins at the first block. Valid until the next write of the transaction.
///
/// The properties of readers have no checks for exclusive access, which would cost more than the access itself. One
/// thread uses a reader, and no access lasts while one of its methods runs.
package final class PostingsCursor {
  static let blockCapacity = Int(OBX_BLOCK_CAPACITY)
  /// The greatest number of blocks of a segment.
  static let segmentCapacity = 64
  /// Size of a block's entry in the directory of its segment.
  static let entrySize = Int(OBX_DIRECTORY_ENTRY)

  /// Number of postings, including postings of dead documents.
  @exclusivity(unchecked) package private(set) var count = 0
  /// Number by which the count of the term must be reduced, for postings here or in other runs; may be negative.
  @exclusivity(unchecked) package private(set) var deadCount = 0
  /// Upper bound of a posting's part of a score, in 255ths of the limit.
  @exclusivity(unchecked) package private(set) var bound: UInt8 = 0
  /// Whether the postings have positions.
  @exclusivity(unchecked) package private(set) var hasPositions = true

  /// The last ordinal of the current segment.
  @exclusivity(unchecked) package private(set) var segmentLast: UInt32 = 0
  @exclusivity(unchecked) package private(set) var segmentBound: UInt8 = 0
  /// The last ordinal of the current block.
  @exclusivity(unchecked) package private(set) var blockLast: UInt32 = 0
  @exclusivity(unchecked) package private(set) var blockBound: UInt8 = 0
  /// Number of postings of the current block; 0 after the last.
  @exclusivity(unchecked) package private(set) var blockCount = 0
  /// The postings of the block, after `decode`.
  package let ordinals: UnsafeMutablePointer<UInt32>
  package let frequencies: UnsafeMutablePointer<UInt32>
  /// Offsets of the positions of each posting in `positionBytes`, after `splitPositions`.
  let starts: UnsafeMutablePointer<UInt32>
  let ends: UnsafeMutablePointer<UInt32>

  /// The capacity of each of the four arrays above; they share one allocation.
  private let capacity: Int
  let run: RunReader
  @exclusivity(unchecked) private var streams: PostingsStreams?
  /// The postings of `streams`, without reference counting for each block.
  @exclusivity(unchecked) private unowned(unsafe) var knownPostings: ChunkReader?
  @exclusivity(unchecked) private(set) var segments: [obx_entry] = []
  @exclusivity(unchecked) private(set) var segment = 0
  @exclusivity(unchecked) var block = 0
  @exclusivity(unchecked) private(set) var blockTotal = 0
  /// The first ordinal that is possible in the current block.
  @exclusivity(unchecked) var blockBase: UInt32 = 0
  @exclusivity(unchecked) private(set) var isDecoded = false
  /// The directory of the current segment.
  @exclusivity(unchecked) private(set) var directory = UnsafeRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private(set) var positionBytes = UnsafeRawBufferPointer(
    start: nil,
    count: 0
  )
  @exclusivity(unchecked) private var hasStarts = false
  @exclusivity(unchecked) private var positions: [UInt32] = []
  @exclusivity(unchecked) private var joined: [UInt8] = []
  @exclusivity(unchecked) private(set) var isInline = false
  /// Inline postings, in write transactions.
  @exclusivity(unchecked) private var copy: [UInt8] = []

  /// Reads the entries of the dictionary's current term, and leaves the dictionary at the next term.
  init(_ run: RunReader, _ dictionary: DictionaryCursor) throws(FullTextError) {
    self.run = run
    capacity = Self.blockCapacity
    ordinals = .allocate(capacity: 4 * capacity)
    frequencies = ordinals + capacity
    starts = ordinals + 2 * capacity
    ends = ordinals + 3 * capacity
    try read(dictionary)
  }

  /// Reads the only entry of a term, in a read transaction.
  init(_ run: RunReader, _ entry: obx_entry) throws(FullTextError) {
    self.run = run
    let isInline = entry.flags & UInt8(OBX_ENTRY_INLINE | OBX_ENTRY_SINGLE) != 0
    capacity = isInline ? min(Int(entry.count), Self.blockCapacity) : Self.blockCapacity
    ordinals = .allocate(capacity: 4 * capacity)
    frequencies = ordinals + capacity
    starts = ordinals + 2 * capacity
    ends = ordinals + 3 * capacity
    count = Int(entry.count)
    deadCount = Int(truncatingIfNeeded: entry.dead)
    bound = entry.bound
    if count > 0 { segments.append(entry) }
    hasPositions = entry.flags & UInt8(OBX_ENTRY_WITHOUT_POSITIONS) == 0
    try enterSegment()
  }

  /// Goes to the postings of the dictionary's current term, and leaves the dictionary at the next
  /// term.
  func read(_ dictionary: DictionaryCursor) throws(FullTextError) {
    precondition(capacity == Self.blockCapacity, "a cursor on one entry has no room for others")
    (count, deadCount, bound) = (0, 0, 0)
    segments.removeAll(keepingCapacity: true)
    copy.removeAll(keepingCapacity: true)
    segment = 0
    var flags: UInt8 = 0
    repeat {
      var entry = dictionary.entry
      count += Int(entry.count)
      deadCount += Int(truncatingIfNeeded: entry.dead)
      bound = max(bound, entry.bound)
      if entry.count > 0 {
        flags |= entry.flags
        if run.table.isWriting, let bytes = entry.bytes {
          // The place in the copy.
          entry.postings = UInt64(copy.count)
          entry.bytes = nil
          copy.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(entry.size)))
        }
        segments.append(entry)
      }
    } while try dictionary.next() && dictionary.isSameTerm
    hasPositions = flags & UInt8(OBX_ENTRY_WITHOUT_POSITIONS) == 0
    try enterSegment()
  }

  deinit {
    ordinals.deallocate()
  }

  private func makeStreams() -> PostingsStreams {
    if let streams { return streams }
    let made = run.makeStreams()
    streams = made
    knownPostings = made.postings
    return made
  }

  var postings: ChunkReader { knownPostings ?? makeStreams().postings }

  // MARK: Moving

  /// Goes to the first block of the current segment, or past the last segment.
  private func enterSegment() throws(FullTextError) {
    blockCount = 0
    guard segment < segments.count else { return }
    let entry = segments[segment]
    segmentBound = entry.bound
    block = 0
    if entry.flags & UInt8(OBX_ENTRY_INLINE | OBX_ENTRY_SINGLE) != 0 {
      return try unpackInline(entry)
    }
    blockTotal = (Int(entry.count) + Self.blockCapacity - 1) / Self.blockCapacity
    guard blockTotal <= Self.segmentCapacity else { throw run.damage("a segment is too large") }
    segmentLast = entry.last
    directory = try makeStreams().directories.bytes(
      at: entry.directory,
      blockTotal * Self.entrySize
    )
    blockBase = entry.first
    try enterBlock()
  }

  func last(ofBlock block: Int) -> UInt32 {
    directory.loadUnaligned(fromByteOffset: block * Self.entrySize, as: UInt32.self)
  }

  func enterBlock() throws(FullTextError) {
    let place = block * Self.entrySize
    blockLast = last(ofBlock: block)
    blockBound = directory[place + 12]
    blockCount = Int(directory[place + 13])
    isDecoded = false
    hasStarts = false
    isInline = false
    guard Int(blockLast) < run.documentCount, blockLast <= segmentLast, blockCount > 0,
      blockCount <= Self.blockCapacity
    else { throw run.damage("a directory of postings") }
  }

  private func unpackInline(_ entry: obx_entry) throws(FullTextError) {
    var entry = entry
    if entry.bytes == nil {
      // Valid until the cursor goes to another term, because that changes the copy.
      copy.withUnsafeBufferPointer {
        entry.bytes = $0.baseAddress.map { $0 + Int(entry.postings) }
      }
    }
    positionBytes = UnsafeRawBufferPointer(start: entry.bytes, count: Int(entry.size))
    let isWithoutPositions = entry.flags & UInt8(OBX_ENTRY_WITHOUT_POSITIONS) != 0
    let documentCount = UInt32(run.documentCount)
    guard hasPositions != isWithoutPositions,
      obx_entry_unpack(
        &entry,
        run.isWeighted,
        documentCount,
        ordinals,
        frequencies,
        starts,
        ends
      )
    else { throw run.damage("postings in its dictionary") }
    blockTotal = 1
    blockCount = Int(entry.count)
    blockBound = entry.bound
    blockLast = ordinals[blockCount - 1]
    segmentLast = blockLast
    isDecoded = true
    hasStarts = true
    isInline = true
  }

  /// Goes to the first block from the current one on that ends at or after the given ordinal, without unpacking it;
  /// false if there is none.
  package func skipBlocks(to ordinal: UInt32) throws(FullTextError) -> Bool {
    if blockCount > 0, blockLast >= ordinal { return true }
    return try search(ordinal)
  }

  private func search(_ ordinal: UInt32) throws(FullTextError) -> Bool {
    while blockCount > 0 {
      if segmentLast < ordinal {
        // Segments with a known last ordinal are skipped without reading their directories.
        repeat {
          segment += 1
        } while segment < segments.count
          && segments[segment].last > 0 && segments[segment].last < ordinal
        try enterSegment()
        if blockCount > 0, blockLast >= ordinal { return true }
        continue
      }
      var (low, high) = (block + 1, blockTotal - 1)
      guard low <= high else { throw run.damage("a directory of postings") }
      // Usually one of the next blocks.
      var step = 1
      while low + step < high, last(ofBlock: low + step - 1) < ordinal {
        low += step
        step *= 2
      }
      high = min(high, low + step)
      while low < high {
        let middle = (low + high) / 2
        if last(ofBlock: middle) < ordinal { low = middle + 1 } else { high = middle }
      }
      block = low
      blockBase = last(ofBlock: block - 1) &+ 1
      try enterBlock()
      if blockLast < ordinal { throw run.damage("a directory of postings") }
      return true
    }
    return false
  }

  // MARK: Reading

  /// Unpacks the current block, unless that was done.
  @inline(__always)
  package func decode() throws(FullTextError) {
    if !isDecoded { try unpack() }
  }

  /// Returns the packed bytes of the current block; valid until the next call.
  func packedBlock() throws(FullTextError) -> UnsafeBufferPointer<UInt8> {
    let place = block * Self.entrySize
    let offset = directory.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
    let size = directory.loadUnaligned(fromByteOffset: place + 14, as: UInt16.self)
    let (start, isOverflow) = segments[segment].postings.addingReportingOverflow(UInt64(offset))
    guard !isOverflow else { throw run.damage("a directory of postings") }
    let bytes = try postings.bytes(at: start, Int(size))
    return bytes.assumingMemoryBound(to: UInt8.self)
  }

  private func unpack() throws(FullTextError) {
    guard blockCount > 0 else { return }
    let packed = try packedBlock()
    guard let bytes = packed.baseAddress,
      obx_block_unpack(
        bytes,
        packed.count,
        UInt32(blockCount),
        blockBase,
        blockLast,
        ordinals,
        frequencies
      )
    else { throw run.damage("a block of postings") }
    isDecoded = true
  }

  /// Finds the positions of each posting of the current block, which is unpacked.
  func splitPositions() throws(FullTextError) {
    if hasStarts { return }
    try readPositionBytes()
    guard let bytes = positionBytes.baseAddress,
      obx_positions_split(
        bytes.assumingMemoryBound(to: UInt8.self),
        positionBytes.count,
        UInt32(blockCount),
        frequencies,
        run.isWeighted,
        starts,
        ends
      )
    else { throw run.damage("positions") }
    hasStarts = true
  }

  private func readPositionBytes() throws(FullTextError) {
    let entry = segments[segment]
    let offset = positionsOffset(ofBlock: block)
    let end = block + 1 < blockTotal ? positionsOffset(ofBlock: block + 1) : entry.positions_size
    let (start, isOverflow) = entry.positions.addingReportingOverflow(offset)
    guard !isOverflow, offset <= end, end - offset <= UInt32.max
    else { throw run.damage("a directory of postings") }
    positionBytes = try makeStreams().positions.bytes(at: start, Int(end - offset))
  }

  /// Returns the positions of postings in stored form; valid until the next call.
  ///
  /// - Parameters:
  ///   - start: The index of the first posting.
  ///   - end: The index after the last one.
  ///   - bytes: The address of ``positionBytes``.
  /// - Returns: The bytes, without the other data between postings in a dictionary.
  func joinedPositions(
    from start: Int,
    to end: Int,
    _ bytes: UnsafeRawPointer
  ) -> UnsafeRawBufferPointer {
    if end - start == 1 || !isInline {
      let count = Int(ends[end - 1] - starts[start])
      return UnsafeRawBufferPointer(start: bytes + Int(starts[start]), count: count)
    }
    joined.removeAll(keepingCapacity: true)
    for index in start..<end {
      let part = UnsafeRawBufferPointer(
        start: bytes + Int(starts[index]),
        count: Int(ends[index] - starts[index])
      )
      joined.append(contentsOf: part)
    }
    return joined.withUnsafeBytes { $0 }
  }

  private func positionsOffset(ofBlock block: Int) -> UInt64 {
    UInt64(directory.loadUnaligned(fromByteOffset: block * Self.entrySize + 8, as: UInt32.self))
  }

  /// Returns the current block, which is unpacked, for a word of a phrase; valid as long as the block.
  ///
  /// - Parameters:
  ///   - index: The index of the first posting to consider.
  ///   - offset: The word's distance from the first word of the phrase.
  /// - Returns: The block in C's form.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func phraseWord(from index: Int, offset: UInt32) throws(FullTextError) -> obx_phrase_word {
    if !hasStarts { try readPositionBytes() }
    guard !run.isWeighted, let bytes = positionBytes.baseAddress else {
      throw run.damage("positions")
    }
    return obx_phrase_word(
      ordinals: ordinals,
      frequencies: frequencies,
      bytes: bytes.assumingMemoryBound(to: UInt8.self),
      size: positionBytes.count,
      starts: hasStarts ? UnsafePointer(starts) : nil,
      index: UInt32(index),
      offset: offset,
      place: nil,
      split: 0,
      rest: 0,
      position: 0
    )
  }

  /// Returns the positions of a posting of the current block, which is unpacked; valid until the
  /// next call.
  ///
  /// Positions ascend. Positions of column *c* begin at *c* · 2²⁴.
  package func positions(at index: Int) throws(FullTextError) -> UnsafeBufferPointer<UInt32> {
    guard hasPositions else { return UnsafeBufferPointer(start: nil, count: 0) }
    try splitPositions()
    let (start, end) = (Int(starts[index]), Int(ends[index]))
    guard start <= end, end <= positionBytes.count,
      let base = positionBytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { throw run.damage("positions") }
    var header = 0
    let count = Int(
      obx_positions_count(base + start, end - start, frequencies[index], run.isWeighted, &header)
    )
    // Each takes at least a byte.
    guard count <= end - start - header else { throw run.damage("positions") }
    if positions.count < count {
      positions = [UInt32](repeating: 0, count: max(count, 2 * positions.count))
    }
    return try positions.withUnsafeMutableBufferPointer {
      room throws(FullTextError) -> UnsafeBufferPointer<UInt32> in
      guard let start = room.baseAddress,
        obx_positions_unpack(
          base + Int(starts[index]) + header,
          end - Int(starts[index]) - header,
          UInt32(count),
          start
        )
      else { throw run.damage("positions") }
      // The array does not change before the next call, which ends the validity.
      return UnsafeBufferPointer(start: start, count: count)
    }
  }
}
