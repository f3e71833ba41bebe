import CObjectBoxFullText

/// Documents of a transaction that are in no run yet.
final class GatheredPostings {
  let gather: OpaquePointer
  private var ids: [UInt64] = []
  private var lengths: [UInt16] = []
  private var isAscending = true
  /// The number of terms, once they are sorted.
  private var termCount = 0
  /// The IDs, if they do not ascend.
  private var unorderedIDs: Set<UInt64> = []

  init(_ settings: FullTextSettings) throws(FullTextError) {
    let gather = settings.weights.withUnsafeBufferPointer { weights in
      weights.baseAddress.flatMap { obx_gather_create($0, weights.count) }
    }
    guard let gather else { throw Self.withoutMemory }
    self.gather = gather
  }

  deinit { obx_gather_free(gather) }

  private static var withoutMemory: FullTextError { .withoutMemory }

  var memory: Int { obx_gather_memory(gather) + ids.count * 10 }

  func contains(_ id: UInt64) -> Bool {
    if !isAscending { return unorderedIDs.contains(id) }
    guard let last = ids.last, id <= last else { return false }
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return ids[low] == id
  }

  func add(_ id: UInt64, _ tokens: FullTextTokens) throws(FullTextError) {
    let isAdded = tokens.withPointers { bytes, ends, positions in
      obx_gather_add(
        gather,
        UInt32(truncatingIfNeeded: ids.count),
        bytes,
        ends,
        positions,
        tokens.count
      )
    }
    guard isAdded else { throw .withoutMemory }
    append(id, UInt16(clamping: tokens.wordCount))
  }

  /// Adds a document, whose words are added by themselves.
  func append(_ id: UInt64, _ length: UInt16) {
    if isAscending, let last = ids.last, id <= last {
      isAscending = false
      unorderedIDs = Set(ids)
    }
    if !isAscending { unorderedIDs.insert(id) }
    ids.append(id)
    lengths.append(length)
  }

  func remove(_ tokens: FullTextTokens) throws(FullTextError) {
    let isDone = tokens.withPointers { bytes, ends, _ in
      obx_gather_remove(gather, bytes, ends, tokens.count)
    }
    guard isDone else { throw .withoutMemory }
  }

  /// Whether there is nothing to write; after ``sort()``.
  var isEmpty: Bool {
    ids.isEmpty
      && (0..<termCount).allSatisfy {
        let term = obx_gather_term(gather, $0)
        return term.count == 0 && term.dead == 0
      }
  }

  /// Sorts documents and terms; nothing may be added afterwards.
  func sort() throws(FullTextError) {
    if !isAscending { try sortDocuments() }
    let count = obx_gather_sort(gather)
    if count == .max { throw .withoutMemory }
    termCount = count
  }

  /// Whether a run of the documents would take at most the given number of bytes, with all postings
  /// in the dictionary; after ``sort()``.
  func fits(_ capacity: Int) -> Bool {
    // IDs and lengths.
    let size = NumberTable.entrySize + ids.count * 10
    if ids.count > RunDescription.smallLimit || size > capacity { return false }
    return obx_gather_fits(gather, capacity - size)
  }

  /// Writes a run; after ``sort()``.
  func write(
    to table: IndexTable,
    _ settings: FullTextSettings,
    number: UInt32,
    meanLength: Double
  ) throws(FullTextError) -> RunDescription {
    var run = RunDescription(number: number)
    run.meanLength = meanLength
    run.documentCount = ids.count
    run.minimumID = ids.first ?? 0
    run.maximumID = ids.last ?? 0
    run.isSmall = ids.count <= RunDescription.smallLimit
    let start = table.writtenBytes
    var documents = try DocumentsWriter(table, run)
    for (id, length) in zip(ids, lengths) { try documents.add(id, length) }
    try documents.finish()
    try writeTerms(to: table, &run, settings)
    run.byteCount = table.writtenBytes - start
    run.level = RunDescription.level(ofByteCount: run.byteCount)
    return run
  }

  private func sortDocuments() throws(FullTextError) {
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    var ordinals = [UInt32](repeating: 0, count: order.count)
    for (ordinal, index) in order.enumerated() { ordinals[index] = UInt32(ordinal) }
    let isDone = ordinals.withUnsafeBufferPointer { ordinals in
      ordinals.baseAddress.map { obx_gather_reorder(gather, $0) } ?? true
    }
    guard isDone else { throw .withoutMemory }
    ids = order.map { ids[$0] }
    lengths = order.map { lengths[$0] }
    isAscending = true
  }

  private func writeTerms(
    to table: IndexTable,
    _ run: inout RunDescription,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    let lengths = lengths
    var writer = try RunWriter(table, run, settings) { ordinals, places, count in
      for index in 0..<count { places[index] = UInt32(lengths[Int(ordinals[index])]) }
    }
    let batch = PostingsBatch()
    // C needs an address, also without documents.
    let places = lengths.isEmpty ? [0] : lengths
    var index = 0
    while true {
      let stop = obx_gather_write(
        gather,
        &index,
        writer.dictionary.block,
        FullTextTokens.beginningMark,
        places
      )
      switch stop {
      case OBX_WRITE_BLOCK_IS_FULL: try writer.dictionary.writeBlock()
      case OBX_WRITE_TERM_IS_LARGE:
        try write(obx_gather_term(gather, index), to: &writer, batch, settings)
        index += 1
      default:
        try writer.finish()
        run.postingsSize = writer.postings.size
        run.positionsSize = writer.positions.size
        return
      }
    }
  }

  /// Writes a term whose postings do not fit in an entry.
  private func write(
    _ term: obx_gathered,
    to writer: inout RunWriter,
    _ batch: PostingsBatch,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    writer.begin(
      UnsafeRawBufferPointer(start: term.term, count: Int(term.term_size)),
      hasPositions: term.term.pointee != FullTextTokens.beginningMark,
      deadCount: Int(term.dead)
    )
    try batch.copy(term, isWeighted: settings.isWeighted, to: &writer)
    try writer.end()
  }
}

extension FullTextTokens {
  /// Passes the arrays to a body.
  fileprivate func withPointers<T>(
    _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt32>, UnsafePointer<UInt32>) -> T
  ) -> T {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        positions.withUnsafeBufferPointer { positions in
          // An empty array may have no address; nothing is read then.
          withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1) { room in
            let empty = UnsafePointer(room.baseAddress.unsafelyUnwrapped)
            return empty.withMemoryRebound(to: UInt8.self, capacity: 1) { emptyBytes in
              body(
                bytes.baseAddress ?? emptyBytes,
                ends.baseAddress ?? empty,
                positions.baseAddress ?? empty
              )
            }
          }
        }
      }
    }
  }
}

/// Room for the postings of a block, unpacked from gathered ones.
private final class PostingsBatch {
  private static let capacity = PostingsCursor.blockCapacity
  private let room = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * capacity)

  deinit { room.deallocate() }

  /// Adds the postings of a term to a writer.
  func copy(
    _ term: obx_gathered,
    isWeighted: Bool,
    to writer: inout RunWriter
  ) throws(FullTextError) {
    guard var bytes = term.bytes else { return }
    let capacity = Self.capacity
    let (ordinals, frequencies) = (room, room + capacity)
    let (starts, ends) = (room + 2 * capacity, room + 3 * capacity)
    var size = term.size
    var rest = Int(term.count)
    var base: UInt32 = 0
    while rest > 0 {
      let count = min(rest, capacity)
      let used = obx_inline_unpack(
        bytes,
        size,
        UInt32(count),
        base,
        true,
        isWeighted,
        ordinals,
        frequencies,
        starts,
        ends
      )
      precondition(used > 0, "gathered postings are as they were packed")
      for index in 0..<count {
        let place = Int(starts[index])
        try writer.add(
          ordinals + index,
          frequencies + index,
          1,
          positions: UnsafeRawBufferPointer(start: bytes + place, count: Int(ends[index]) - place)
        )
      }
      base = ordinals[count - 1] + 1
      rest -= count
      bytes += used
      size -= used
    }
  }
}
