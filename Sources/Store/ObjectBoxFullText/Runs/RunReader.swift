import CObjectBoxFullText
import ObjectBoxStorage

/// A run of an index as one transaction sees it.
///
/// A run has documents, with ordinals that ascend with their IDs, and a dictionary of terms with postings. Valid until
/// the next write of the transaction.
package final class RunReader {
  let table: IndexTable
  let description: RunDescription
  let isWeighted: Bool
  /// Upper bound of the ratio of a part of a score to its bound in the run.
  package let boundFactor: Double
  /// Number of documents, including dead ones.
  package let documentCount: Int
  /// Number of dead documents.
  package var deadCount: Int { description.deadCount }
  /// The least and the greatest ID of the documents; zero without documents.
  package var idBounds: ClosedRange<UInt64> { description.minimumID...description.maximumID }

  @exclusivity(unchecked) private var dictionary: DictionaryCursor?
  /// The streams for one cursor at a time, in write transactions: each keeps copies.
  @exclusivity(unchecked) private var streams: PostingsStreams?
  /// Whether values are copied, so that the reader is valid after writes.
  private let isCopying: Bool
  /// The copies.
  @exclusivity(unchecked) private var copies: [UnsafeMutableRawPointer] = []
  // Lengths and IDs that were read, by chunk. The arrays are allocated after a few chunks were read: most queries read
  // few documents. In write transactions, chunks are copied, and read once.
  @exclusivity(unchecked) private var lengthChunks: UnsafeMutableBufferPointer<UnsafeRawPointer?>?
  @exclusivity(unchecked) private var idChunks: UnsafeMutableBufferPointer<NumberTable.Chunk?>?
  @exclusivity(unchecked) private var lengthMissCount = 0
  @exclusivity(unchecked) private var idMissCount = 0
  private static let missCapacity = 8
  /// The last read chunks.
  @exclusivity(unchecked) private var lastLengths: (chunk: Int, lengths: UnsafeRawPointer)?
  @exclusivity(unchecked) private var lastIDs: (chunk: Int, ids: NumberTable.Chunk)?
  /// The last read value of the directory of IDs.
  @exclusivity(unchecked) private var lastDirectory: (value: Int, entries: UnsafeRawBufferPointer)?
  /// Copies of the directory, in write transactions.
  @exclusivity(unchecked) private var directories: [Int: UnsafeRawBufferPointer] = [:]
  @exclusivity(unchecked) private var live: UnsafeMutablePointer<UInt64>?
  /// IDs and lengths of a small run.
  @exclusivity(unchecked) private var documents:
    (ids: NumberTable.Chunk, lengths: UnsafeRawPointer)?

  /// Begins to read a run.
  ///
  /// `isCopying`: whether the reader is used after writes; by default true in a write transaction.
  init(
    _ table: IndexTable,
    _ description: RunDescription,
    isWeighted: Bool,
    meanLength: Double,
    isCopying: Bool? = nil
  ) {
    self.table = table
    self.isCopying = isCopying ?? table.isWriting
    self.description = description
    self.isWeighted = isWeighted
    documentCount = description.documentCount
    boundFactor = max(1, meanLength / description.meanLength)
  }

  deinit {
    lengthChunks?.deallocate()
    idChunks?.deallocate()
    live?.deallocate()
    for copy in copies { copy.deallocate() }
  }

  var number: UInt32 { description.number }

  func damage(_ text: String) -> FullTextError { .damaged(run: number, text) }

  /// Returns a value that is valid as long as the reader.
  private func keep(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard isCopying, let bytes = value.baseAddress else { return value }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: value.count, alignment: 8)
    copy.copyMemory(from: bytes, byteCount: value.count)
    copies.append(copy)
    return UnsafeRawBufferPointer(start: copy, count: value.count)
  }

  private var chunkCount: Int {
    (documentCount + NumberTable.chunkCount - 1) / NumberTable.chunkCount
  }

  /// Upper bound of the bytes that the reader allocates over time, in a read transaction.
  var maximumByteCount: Int {
    let chunkSize =
      MemoryLayout<UnsafeRawPointer?>.stride + MemoryLayout<NumberTable.Chunk?>.stride
    return chunkCount * chunkSize + (deadCount > 0 ? documentCount / 8 : 0)
  }

  /// Number of documents of a chunk.
  func count(ofChunk chunk: Int) -> Int {
    min(documentCount - chunk * NumberTable.chunkCount, NumberTable.chunkCount)
  }

  // MARK: Documents

  /// Returns the number of words of a document, at most 65,535; its ordinal must exist.
  @inline(__always)
  package func length(of ordinal: UInt32) throws(FullTextError) -> UInt32 {
    let ordinal = Int(ordinal)
    let chunk = ordinal / NumberTable.chunkCount
    let index = ordinal - chunk * NumberTable.chunkCount
    let lengths =
      if let lastLengths, lastLengths.chunk == chunk {
        lastLengths.lengths
      } else if let known = lengthChunks?[chunk] {
        known
      } else {
        try readLengths(chunk)
      }
    return UInt32(lengths.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self).littleEndian)
  }

  /// Pointers to the lengths of each chunk, two bytes for a document; nil before
  /// ``readLengths(_:)``.
  func lengthTable() -> UnsafePointer<UnsafeRawPointer?> {
    let chunks = lengthChunks ?? .allocate(capacity: max(1, chunkCount))
    if lengthChunks == nil {
      chunks.initialize(repeating: nil)
      lengthChunks = chunks
    }
    return UnsafePointer(UnsafeMutablePointer(chunks.baseAddress.unsafelyUnwrapped))
  }

  /// Reads the lengths of a chunk.
  @inline(never)
  @discardableResult
  func readLengths(_ chunk: Int) throws(FullTextError) -> UnsafeRawPointer {
    lengthMissCount += 1
    if lengthMissCount > Self.missCapacity || isCopying { _ = lengthTable() }
    let lengths: UnsafeRawPointer
    if description.isSmall {
      lengths = try readDocuments().lengths
    } else {
      lengths = try readLengths(from: chunk)
    }
    lengthChunks?[chunk] = lengths
    lastLengths = (chunk, lengths)
    return lengths
  }

  /// Reads the lengths of a chunk and of some chunks after it: each miss reads one more, because reading the next chunk
  /// costs less than searching for it.
  private func readLengths(from chunk: Int) throws(FullTextError) -> UnsafeRawPointer {
    guard lengthChunks != nil else {
      guard let value = try table.value(number, .lengths, UInt32(chunk)).map(keep),
        value.count >= count(ofChunk: chunk) * 2, let bytes = value.baseAddress
      else { throw damage("chunk \(chunk) of its lengths") }
      return bytes
    }
    var next = chunk
    let end = min(chunk + lengthMissCount, chunkCount)
    try table.forEachValue(number, .lengths, UInt32(chunk)) { value in
      guard value.count >= count(ofChunk: next) * 2, let bytes = keep(value).baseAddress
      else { return false }
      lengthChunks?[next] = UnsafeRawPointer(bytes)
      next += 1
      return next < end && lengthChunks?[next] == nil
    }
    guard let lengths = lengthChunks?[chunk] else { throw damage("chunk \(chunk) of its lengths") }
    return lengths
  }

  /// Returns the ID of a document; its ordinal must exist.
  package func id(of ordinal: UInt32) throws(FullTextError) -> UInt64 {
    let chunk = Int(ordinal) / NumberTable.chunkCount
    return try ids(chunk).number(at: Int(ordinal) - chunk * NumberTable.chunkCount)
  }

  /// Returns the first ordinal with an ID that is at least the given one; the number of documents if there is none.
  ///
  /// - Complexity: O(log *n*).
  package func firstOrdinal(from id: UInt64) throws(FullTextError) -> UInt32 {
    if documentCount == 0 || id <= description.minimumID { return 0 }
    if id > description.maximumID { return UInt32(documentCount) }
    // The last chunk that does not begin above the ID.
    var (low, high) = (0, chunkCount - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if try entry(ofChunk: middle).base <= id { low = middle } else { high = middle - 1 }
    }
    let index = try ids(low).firstIndex(from: id, count: count(ofChunk: low))
    return UInt32(low * NumberTable.chunkCount + index)
  }

  private func entry(ofChunk chunk: Int) throws(FullTextError) -> NumberTable.Chunk {
    if description.isSmall { return try readDocuments().ids }
    let (value, index) = chunk.quotientAndRemainder(dividingBy: NumberTable.entriesPerValue)
    guard let entries = try directory(value),
      entries.count >= (index + 1) * NumberTable.entrySize, let bytes = entries.baseAddress,
      let entry = NumberTable.Chunk(entry: bytes + index * NumberTable.entrySize)
    else { throw damage("entry \(chunk) of its directory of IDs") }
    return entry
  }

  private func directory(_ value: Int) throws(FullTextError) -> UnsafeRawBufferPointer? {
    if let lastDirectory, lastDirectory.value == value { return lastDirectory.entries }
    if let known = directories[value] { return known }
    guard let entries = try table.value(number, .idDirectory, UInt32(value)).map(keep) else {
      return nil
    }
    lastDirectory = (value, entries)
    // A copy is made once.
    if isCopying { directories[value] = entries }
    return entries
  }

  /// Returns the IDs of a chunk.
  func ids(_ chunk: Int) throws(FullTextError) -> NumberTable.Chunk {
    if let lastIDs, lastIDs.chunk == chunk { return lastIDs.ids }
    if let known = idChunks?[chunk] { return known }
    return try readIDs(chunk)
  }

  @inline(never)
  private func readIDs(_ chunk: Int) throws(FullTextError) -> NumberTable.Chunk {
    idMissCount += 1
    if idChunks == nil, idMissCount > Self.missCapacity || isCopying {
      let chunks = UnsafeMutableBufferPointer<NumberTable.Chunk?>.allocate(capacity: chunkCount)
      chunks.initialize(repeating: nil)
      idChunks = chunks
    }
    var ids = try entry(ofChunk: chunk)
    if !description.isSmall, ids.width > 0 {
      guard let value = try table.value(number, .ids, UInt32(chunk)),
        value.count >= count(ofChunk: chunk) * ids.width
      else { throw damage("chunk \(chunk) of its IDs") }
      ids.offsets = keep(value)
    }
    idChunks?[chunk] = ids
    lastIDs = (chunk, ids)
    return ids
  }

  private func readDocuments() throws(FullTextError) -> (
    ids: NumberTable.Chunk, lengths: UnsafeRawPointer
  ) {
    if let documents { return documents }
    guard let value = try table.value(number, .documents).map(keep),
      value.count >= NumberTable.entrySize,
      let bytes = value.baseAddress, var ids = NumberTable.Chunk(entry: bytes),
      value.count == NumberTable.entrySize + documentCount * (ids.width + 2)
    else { throw damage("the value of its documents") }
    let end = NumberTable.entrySize + documentCount * ids.width
    ids.offsets = UnsafeRawBufferPointer(rebasing: value[NumberTable.entrySize..<end])
    let found = (ids, bytes + end)
    documents = found
    return found
  }

  // MARK: Live documents

  /// A bit for each document, set if it is live; nil if all are live.
  package var liveBits: UnsafePointer<UInt64>? {
    get throws(FullTextError) {
      if description.deadCount == 0 { return nil }
      if let live { return UnsafePointer(live) }
      return UnsafePointer(try readLiveBits())
    }
  }

  @inline(never)
  private func readLiveBits() throws(FullTextError) -> UnsafeMutablePointer<UInt64> {
    // Fails for a damaged number of documents before memory is allocated for it.
    if documentCount > 0 { _ = try length(of: UInt32(documentCount - 1)) }
    let wordCount = (documentCount + 63) / 64
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, wordCount))
    do throws(FullTextError) {
      try readLiveBits(to: words)
    } catch {
      words.deallocate()
      throw error
    }
    live = words
    return words
  }

  private func readLiveBits(to words: UnsafeMutablePointer<UInt64>) throws(FullTextError) {
    let wordCount = (documentCount + 63) / 64
    words.initialize(repeating: .max, count: max(1, wordCount))
    let room = UnsafeMutableRawBufferPointer(start: words, count: wordCount * 8)
    var offset = 0
    var chunk: UInt32 = 0
    while offset < room.count {
      let size = min(IndexTable.chunkSize, room.count - offset)
      if let value = try table.value(number, .liveBits, chunk) {
        // Bits that are not stored count as set.
        UnsafeMutableRawBufferPointer(rebasing: room[offset...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: value.prefix(size)))
      }
      offset += size
      chunk += 1
    }
    for ordinal in description.pendingDead {
      guard ordinal < documentCount else { throw damage("its dead documents") }
      words[Int(ordinal / 64)] &= ~(1 << UInt64(ordinal % 64))
    }
  }

  // MARK: Terms

  /// Returns streams for a cursor on postings.
  func makeStreams() -> PostingsStreams {
    if let streams { return streams }
    let made = PostingsStreams(table, description)
    if table.isWriting { streams = made }
    return made
  }

  private func makeDictionary() -> DictionaryCursor {
    let cursor = dictionary ?? DictionaryCursor(table, number)
    dictionary = cursor
    return cursor
  }

  /// Looks up the only entry of a term, without a cursor; most terms have one entry.
  ///
  /// - Parameters:
  ///   - term: The term, cut by ``TermLimit/cut(_:)``.
  ///   - entry: Becomes the entry; valid as long as the transaction's pages.
  /// - Returns: `OBX_TERM_FOUND` or `OBX_TERM_ABSENT`; `OBX_TERM_UNCLEAR` if a cursor must search for the term, as in
  ///   write transactions.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func findEntry(
    of term: UnsafeRawBufferPointer,
    _ entry: inout obx_entry
  ) throws(FullTextError) -> obx_term_place {
    guard !table.isWriting, let start = term.baseAddress else { return OBX_TERM_UNCLEAR }
    guard let row = try table.block(number, upTo: term), let block = row.value.baseAddress
    else { return OBX_TERM_ABSENT }
    let place = obx_dictionary_find(
      block.assumingMemoryBound(to: UInt8.self),
      row.value.count,
      start.assumingMemoryBound(to: UInt8.self),
      term.count,
      &entry
    )
    guard place != OBX_TERM_DAMAGED else { throw damage("a block of its dictionary") }
    return place
  }

  /// Returns a cursor on the postings of a term; nil if the run has no postings and no dead count for it.
  package func postings(
    of term: UnsafeRawBufferPointer
  ) throws(FullTextError) -> PostingsCursor? {
    let term = TermLimit.cut(term)
    var entry = obx_entry()
    switch try findEntry(of: term, &entry) {
    case OBX_TERM_FOUND: return try PostingsCursor(self, entry)
    case OBX_TERM_ABSENT: return nil
    default: break
    }
    let dictionary = makeDictionary()
    try dictionary.seek(term)
    guard dictionary.isValid, dictionary.term.elementsEqual(term) else { return nil }
    return try PostingsCursor(self, dictionary)
  }

  /// Passes the terms that begin with a prefix to a body, in the order of their bytes.
  ///
  /// The body must not look up other terms of the run.
  package func forEachTerm(
    startingWith prefix: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, PostingsCursor) throws -> Void
  ) throws {
    // A separate cursor: the body may use the run's cursor.
    let dictionary = DictionaryCursor(table, number)
    let prefix = TermLimit.cut(prefix)
    try dictionary.seek(prefix)
    while dictionary.isValid, dictionary.term.starts(with: prefix) {
      let term = [UInt8](dictionary.term)
      let cursor = try PostingsCursor(self, dictionary)
      try term.withUnsafeBytes { try body($0, cursor) }
    }
  }

  /// Returns cursors on the postings of all terms that begin with a prefix, in the order of their
  /// bytes; none for terms without postings.
  func cursors(
    startingWith prefix: UnsafeRawBufferPointer
  ) throws(FullTextError) -> [PostingsCursor] {
    // A separate cursor on the dictionary, because it may move far.
    let dictionary = DictionaryCursor(table, number)
    let prefix = TermLimit.cut(prefix)
    var cursors: [PostingsCursor] = []
    try dictionary.seek(prefix)
    while dictionary.isValid, dictionary.term.starts(with: prefix) {
      let cursor = try PostingsCursor(self, dictionary)
      if cursor.count > 0 { cursors.append(cursor) }
    }
    return cursors
  }
}
