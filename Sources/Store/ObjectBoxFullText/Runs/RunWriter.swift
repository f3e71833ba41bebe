import CObjectBoxFullText

/// Writes the dictionary, the postings and the positions of a run, term by term.
///
/// Terms ascend by their bytes, and postings of a term by their ordinals.
struct RunWriter {
  /// Writes the lengths of documents: takes their ordinals, room for the lengths, and the count.
  typealias Lengths = (UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>, Int)
    throws(FullTextError) -> Void

  private let isWeighted: Bool
  /// Lengths of the run's documents.
  private let lengths: Lengths
  // Parts of BM25's denominator; see `obx_bound`.
  private let flat: Double
  private let slope: Double

  let postings: StreamWriter
  let positions: StreamWriter
  let dictionary: DictionaryWriter

  // The current term.
  private var term: [UInt8] = []
  private var hasPositions = true
  /// Number of closed segments of the term.
  private(set) var segmentNumber: UInt32 = 0
  /// Change of the count of the term that the next segment holds.
  var deadCount = 0
  /// The last ordinal of the term.
  private(set) var lastOrdinal: UInt32 = 0
  /// Whether the last posting has closed a segment.
  private(set) var isAtSegmentEnd = false

  // The current segment.
  private var segmentFirst: UInt32 = 0
  private var segmentPostings: UInt64 = 0
  private var segmentPositions: UInt64 = 0
  private var segmentBound: UInt8 = 0
  private var segmentCount = 0
  private var directory: [UInt8] = []
  private var blockCountInSegment = 0
  /// The first ordinal that is possible in the current block.
  private var blockBase: UInt32 = 0

  // Postings that are not in a block yet.
  private let buffer: PostingsBuffer

  /// Begins a run, or continues it.
  ///
  /// - Parameters:
  ///   - table: The table of the index.
  ///   - run: The run, with the sizes of its streams so far.
  ///   - settings: The settings of the index.
  ///   - dictionary: The writer of the run's dictionary.
  ///   - lengths: Returns the lengths of documents.
  /// - Throws: ``FullTextError`` when the streams cannot be read.
  init(
    _ table: IndexTable,
    _ run: RunDescription,
    _ settings: FullTextSettings,
    _ dictionary: DictionaryWriter,
    lengths: @escaping Lengths
  ) throws(FullTextError) {
    self.lengths = lengths
    isWeighted = settings.isWeighted
    flat = settings.k1 * (1 - settings.b)
    slope = settings.k1 * settings.b / run.meanLength
    postings = try StreamWriter(table, run.number, .postings, size: run.postingsSize)
    positions = try StreamWriter(table, run.number, .positions, size: run.positionsSize)
    self.dictionary = dictionary
    buffer = PostingsBuffer()
  }

  /// Bytes that were written since the writer was made.
  var writtenBytes: Int { Int(dictionary.block.pointee.written) }

  private func countWritten(_ count: Int) { dictionary.block.pointee.written += UInt64(count) }

  // MARK: Terms

  /// Begins a term, or continues one that has closed segments.
  mutating func begin(
    _ term: UnsafeRawBufferPointer,
    hasPositions: Bool,
    deadCount: Int,
    segmentNumber: UInt32 = 0
  ) {
    self.term.removeAll(keepingCapacity: true)
    self.term.append(contentsOf: term)
    self.hasPositions = hasPositions
    self.deadCount = deadCount
    self.segmentNumber = segmentNumber
    isAtSegmentEnd = false
  }

  /// Adds postings of the term.
  ///
  /// - Parameters:
  ///   - ordinals: The ordinals.
  ///   - frequencies: Their frequencies.
  ///   - count: The number of postings, at most ``room``.
  ///   - bytes: The positions of all postings, in stored form.
  /// - Throws: ``FullTextError`` when the run cannot be written.
  mutating func add(
    _ ordinals: UnsafePointer<UInt32>,
    _ frequencies: UnsafePointer<UInt32>,
    _ count: Int,
    positions bytes: UnsafeRawBufferPointer
  ) throws(FullTextError) {
    if segmentCount == 0 && buffer.count == 0 {
      segmentFirst = ordinals[0]
      blockBase = segmentFirst
      segmentPostings = postings.size
      segmentPositions = positions.size
    }
    isAtSegmentEnd = false
    buffer.add(ordinals, frequencies, count, hasPositions ? bytes : .init(start: nil, count: 0))
    lastOrdinal = ordinals[count - 1]
    guard buffer.count == PostingsBuffer.capacity else { return }
    try writeBlock()
    if blockCountInSegment == PostingsCursor.segmentCapacity
      || positions.size - segmentPositions > 1 << 30
    {
      try closeSegment()
      isAtSegmentEnd = true
    }
  }

  /// Number of postings that fit in the current block.
  var room: Int { PostingsBuffer.capacity - buffer.count }

  /// Ends the term.
  mutating func end() throws(FullTextError) {
    if segmentCount + buffer.count > 0 || deadCount != 0 { try closeSegment() }
  }

  private mutating func bound() throws(FullTextError) -> UInt8 {
    try lengths(buffer.ordinals, buffer.lengths, buffer.count)
    return obx_bound(buffer.frequencies, buffer.lengths, UInt32(buffer.count), flat, slope)
  }

  private mutating func writeBlock() throws(FullTextError) {
    let bound = try bound()
    let last = buffer.ordinals[buffer.count - 1]
    let size = obx_block_pack(
      buffer.packed,
      buffer.ordinals,
      buffer.frequencies,
      UInt32(buffer.count),
      blockBase
    )
    appendEntry(last, bound, size)
    try postings.append(UnsafeRawBufferPointer(start: buffer.packed, count: size))
    try positions.append(buffer.positions)
    countWritten(size + buffer.positions.count)
    segmentBound = max(segmentBound, bound)
    segmentCount += buffer.count
    blockCountInSegment += 1
    blockBase = last + 1
    buffer.removeAll()
  }

  /// Adds an entry of a block to the directory.
  private mutating func appendEntry(_ last: UInt32, _ bound: UInt8, _ size: Int) {
    func add<T: FixedWidthInteger>(_ number: T) {
      withUnsafeBytes(of: number.littleEndian) { directory.append(contentsOf: $0) }
    }
    add(last)
    add(UInt32(postings.size - segmentPostings))
    add(UInt32(positions.size - segmentPositions))
    add(bound)
    add(UInt8(buffer.count))
    add(UInt16(size))
  }

  // MARK: Segments

  private mutating func closeSegment() throws(FullTextError) {
    var entry = obx_entry()
    var flags = hasPositions ? 0 : OBX_ENTRY_WITHOUT_POSITIONS
    if deadCount != 0 { flags |= OBX_ENTRY_DEAD }
    entry.dead = Int64(deadCount)
    var inline: UnsafeRawBufferPointer?
    if segmentCount + buffer.count == 0 {
      flags |= OBX_ENTRY_EMPTY
    } else if segmentCount == 0, let bytes = buffer.packInline(hasPositions, isWeighted) {
      inline = bytes
      entry.bound = try bound()
      entry.count = UInt32(buffer.count)
      entry.size = UInt32(bytes.count)
      let isSingle =
        buffer.count == 1 && buffer.frequencies[0] == 1 && !(isWeighted && hasPositions)
      flags |= isSingle ? OBX_ENTRY_SINGLE : OBX_ENTRY_INLINE
      if isSingle {
        entry.first = buffer.ordinals[0]
        // Only the position.
        inline = buffer.positions
        entry.size = UInt32(buffer.positions.count)
      }
    } else {
      if buffer.count > 0 { try writeBlock() }
      entry.bound = segmentBound
      entry.count = UInt32(segmentCount)
      entry.first = segmentFirst
      entry.last = lastOrdinal
      entry.postings = segmentPostings
      entry.positions = segmentPositions
      entry.positions_size = positions.size - segmentPositions
      entry.directory = try writeDirectory()
    }
    entry.flags = UInt8(flags)
    if let inline { entry.bytes = inline.baseAddress?.assumingMemoryBound(to: UInt8.self) }
    try dictionary.append(term, segment: segmentNumber, entry)
    segmentNumber += 1
    deadCount = 0
    segmentBound = 0
    segmentCount = 0
    blockCountInSegment = 0
    directory.removeAll(keepingCapacity: true)
    buffer.removeAll()
  }

  /// Writes the directory of the segment after its blocks; returns its offset.
  private mutating func writeDirectory() throws(FullTextError) -> UInt64 {
    // An entry must not span two chunks.
    let rest = Int(postings.size % UInt64(PostingsCursor.entrySize))
    if rest > 0 {
      let padding = [UInt8](repeating: 0, count: PostingsCursor.entrySize - rest)
      try padding.withBytes { bytes throws(FullTextError) in try postings.append(bytes) }
    }
    let offset = postings.size
    try directory.withBytes { bytes throws(FullTextError) in try postings.append(bytes) }
    countWritten(directory.count)
    return offset
  }

  /// Writes the rest; the run can be continued later.
  mutating func finish() throws(FullTextError) {
    try dictionary.writeBlock()
    try postings.finish()
    try positions.finish()
  }
}
