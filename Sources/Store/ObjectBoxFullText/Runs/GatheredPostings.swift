import CObjectBoxFullText

/// Documents of a transaction that are not in a run yet.
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
      weights.baseAddress.flatMap { obx_gather_create($0, weights.count, Self.seeds) }
    }
    guard let gather else { throw Self.withoutMemory }
    self.gather = gather
  }

  deinit { obx_gather_free(gather) }

  private static let seeds = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]

  private static var withoutMemory: FullTextError { .withoutMemory }

  var documentCount: Int { ids.count }

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

  /// Adds a document; its words are added separately.
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

  /// Sorts documents and terms; call it again after adding others.
  func sort() throws(FullTextError) {
    if !isAscending { try sortDocuments() }
    let count = obx_gather_sort(gather)
    if count == .max { throw .withoutMemory }
    termCount = count
  }

  /// Whether a run of the documents would take at most the given number of bytes, with all postings in its dictionary;
  /// after ``sort()``.
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
    let dictionary = DictionaryWriter(table, run, settings)
    var large: LargeTerms?
    // C needs an address, also without documents.
    let places = lengths.isEmpty ? [0] : lengths
    var index = 0
    while true {
      let stop = obx_gather_write(
        gather,
        &index,
        dictionary.block,
        FullTextTokens.beginningMark,
        places
      )
      switch stop {
      case OBX_WRITE_BLOCK_IS_FULL: try dictionary.writeBlock()
      case OBX_WRITE_TERM_IS_LARGE:
        if large == nil { large = try LargeTerms(table, run, settings, dictionary, lengths) }
        try large?.write(obx_gather_term(gather, index))
        index += 1
      default:
        try dictionary.writeBlock()
        try large?.finish(&run)
        return
      }
    }
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
