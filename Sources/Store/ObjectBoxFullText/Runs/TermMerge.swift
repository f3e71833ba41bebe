import CObjectBoxFullText

/// The step of a merge that writes terms of the output.
///
/// C merges the terms that have their postings in the dictionaries: most terms.
final class TermMerge {
  private let sources: [PostingsSource]
  private let output: RunReader
  /// The sources in C's form.
  private let inputs: UnsafeMutableBufferPointer<obx_merge_input>
  private var writer: RunWriter
  private let budget: Int
  private var term: [UInt8] = []

  /// - Parameters:
  ///   - table: The table of the index.
  ///   - merge: The merge; its documents are complete.
  ///   - readers: The inputs.
  ///   - settings: The settings of the index.
  ///   - budget: Number of bytes to write before the step ends.
  /// - Throws: ``FullTextError`` for damaged bytes.
  init(
    _ table: IndexTable,
    _ merge: MergeDescription,
    _ readers: [RunReader],
    _ settings: FullTextSettings,
    budget: Int
  ) throws(FullTextError) {
    self.budget = budget
    let output = RunReader(table, merge.output, isWeighted: settings.isWeighted, meanLength: 1)
    self.output = output
    let dictionary = DictionaryWriter(table, merge.output, settings)
    writer = try RunWriter(table, merge.output, settings, dictionary) {
      ordinals,
      lengths,
      count throws(FullTextError) in
      for index in 0..<count {
        guard Int(ordinals[index]) < output.documentCount else {
          throw output.damage("the map of an input of its merge")
        }
        lengths[index] = try output.length(of: ordinals[index])
      }
    }
    sources = readers.enumerated().map { index, reader in
      PostingsSource(
        reader,
        DictionaryCursor(table, reader.number),
        .init(table, merge, input: index)
      )
    }
    inputs = .allocate(capacity: sources.count)
    for (index, source) in sources.enumerated() {
      inputs.initializeElement(
        at: index,
        to: obx_merge_input(
          cursor: source.dictionary.place,
          map: source.map.map,
          count: UInt32(readers[index].documentCount),
          prefix: 0
        )
      )
    }
  }

  deinit { inputs.deallocate() }

  /// Writes terms until the budget is spent; true at the end of the merge.
  func run(_ merge: inout MergeDescription) throws(FullTextError) -> Bool {
    let isFinished = try writeTerms(&merge)
    try writer.finish()
    merge.output.postingsSize = writer.postings.size
    merge.output.positionsSize = writer.positions.size
    return isFinished
  }

  var writtenBytes: Int { writer.writtenBytes }

  private func writeTerms(_ merge: inout MergeDescription) throws(FullTextError) -> Bool {
    let last = merge.term
    for source in sources {
      try last.withBytes { term throws(FullTextError) in try source.dictionary.seek(term) }
    }
    if merge.segment > 0 {
      // Continues inside the term.
      term = last
      if try !writeTerm(&merge, isResumed: true) { return false }
    } else if !last.isEmpty {
      for source in sources { try source.pass(last) }
    }
    guard let inputs = inputs.baseAddress else { return true }
    while true {
      let stop = obx_merge_terms(
        inputs,
        UInt32(sources.count),
        output.lengthTable(),
        UInt32(output.documentCount),
        writer.dictionary.block,
        UInt64(max(0, budget))
      )
      let input = Int(stop.input)
      switch stop.reason {
      case OBX_MERGE_FINISHED: return true
      case OBX_MERGE_BUDGET_IS_SPENT:
        merge.term = writer.dictionary.lastTerm
        merge.segment = 0
        return false
      case OBX_MERGE_TERM_IS_LARGE:
        guard findTerm() else { return true }
        if try !writeTerm(&merge, isResumed: false) { return false }
      case OBX_MERGE_BLOCK_IS_FULL: try writer.dictionary.writeBlock()
      case OBX_MERGE_NEEDS_BLOCK: try sources[input].dictionary.next()
      case OBX_MERGE_NEEDS_MAP: try sources[input].map.read(stop.ordinal)
      case OBX_MERGE_NEEDS_LENGTHS:
        try output.readLengths(Int(stop.ordinal) / NumberTable.chunkCount)
      default: throw sources[input].damage("an entry of its dictionary, or its map in a merge")
      }
    }
  }

  /// Finds the least term of the inputs; false at the end.
  private func findTerm() -> Bool {
    var least: UnsafeRawBufferPointer?
    for source in sources where source.dictionary.isValid {
      let term = source.dictionary.term
      if let known = least, !isLess(term, known) { continue }
      least = term
    }
    guard let least else { return false }
    term.removeAll(keepingCapacity: true)
    term.append(contentsOf: least)
    return true
  }

  /// Writes the postings of the current term; false if the budget ran out inside it.
  private func writeTerm(
    _ merge: inout MergeDescription,
    isResumed: Bool
  ) throws(FullTextError) -> Bool {
    var deadCount = 0
    var hasPositions = true
    var active: [PostingsSource] = []
    for (index, source) in sources.enumerated() {
      let from = isResumed ? merge.inputs[index].ordinal : 0
      guard try source.begin(term, from: from) else { continue }
      if !isResumed { deadCount += source.deadCount }
      if source.count > 0 { hasPositions = source.hasPositions }
      active.append(source)
    }
    let segment = isResumed ? merge.segment : 0
    term.withBytes {
      writer.begin($0, hasPositions: hasPositions, deadCount: deadCount, segmentNumber: segment)
    }
    while true {
      var least: PostingsSource?
      var bound = UInt32.max
      for source in active {
        let dropped = try source.skipDropped()
        writer.deadCount -= dropped
        let head = source.head
        if let known = least, known.head <= head {
          bound = min(bound, head)
        } else {
          bound = least?.head ?? .max
          least = source
        }
      }
      guard let least, least.head != .max else { break }
      while least.head < bound {
        try least.writeSlice(to: &writer, below: bound)
        if writer.isAtSegmentEnd, writer.writtenBytes >= budget {
          merge.term = term
          merge.segment = writer.segmentNumber
          for (index, source) in sources.enumerated() {
            merge.inputs[index].ordinal = source.nextOrdinal
          }
          return false
        }
        if try !least.goOn() { break }
      }
    }
    try writer.end()
    return true
  }
}

/// Returns whether `a` is before `b` in the order of terms.
func isLess(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  let count = min(a.count, b.count)
  for index in 0..<count where a[index] != b[index] { return a[index] < b[index] }
  return a.count < b.count
}
