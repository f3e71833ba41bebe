import CObjectBoxFullText

/// A query of one word that has its postings in the entries of dictionaries.
///
/// Most words are this rare, such as names and numbers. Their few postings are scored one by one, without cursors and
/// bounds.
struct RareWord {
  /// The entries, with their runs.
  private var entries: [(run: RunReader, entry: obx_entry)] = []
  /// Number of objects that have the word.
  private var matches = 0

  /// Looks up the word; nil for another kind of query, and for a word with more postings.
  init?(_ plan: QueryPlan, in reader: FullTextReader) throws(FullTextError) {
    guard case .leaf(let leaf) = plan.root, plan.leaves[leaf].column == nil,
      case .term(var word) = plan.leaves[leaf].content
    else { return nil }
    let isRare = try word.withUTF8 { bytes in
      Result { () throws(FullTextError) in
        try find(TermLimit.cut(UnsafeRawBufferPointer(bytes)), in: reader)
      }
    }
    .get()
    if !isRare { return nil }
  }

  private mutating func find(
    _ term: UnsafeRawBufferPointer,
    in reader: FullTextReader
  ) throws(FullTextError) -> Bool {
    for run in reader.runs {
      var entry = obx_entry()
      let place = try run.findEntry(of: term, &entry)
      if place == OBX_TERM_ABSENT { continue }
      guard place == OBX_TERM_FOUND else { return false }
      matches += Int(entry.count) - Int(truncatingIfNeeded: entry.dead)
      if entry.count == 0 { continue }
      guard entry.flags & UInt8(OBX_ENTRY_INLINE | OBX_ENTRY_SINGLE) != 0 else { return false }
      entries.append((run, entry))
    }
    return true
  }

  /// Returns the best matches.
  ///
  /// - Parameters:
  ///   - scorer: The numbers of the index.
  ///   - capacity: The greatest number of matches.
  ///   - statistics: Receives the numbers of blocks and of scored objects, which are added.
  /// - Returns: The matches.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func hits(
    _ scorer: Scorer,
    capacity: Int,
    _ statistics: inout FullTextStatistics
  ) throws(FullTextError) -> TopHits {
    let weight = scorer.weight(matches: matches)
    var hits = TopHits(capacity: capacity)
    let room = PostingsCursor.blockCapacity
    let ordinals = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * room)
    defer { ordinals.deallocate() }
    let frequencies = ordinals + room
    for (run, var entry) in entries {
      let live = try run.liveBits
      guard
        obx_entry_unpack(
          &entry,
          run.isWeighted,
          UInt32(run.documentCount),
          ordinals,
          frequencies,
          ordinals + 2 * room,
          ordinals + 3 * room
        )
      else { throw run.damage("postings in its dictionary") }
      for index in 0..<Int(entry.count) where live.isLive(Int(ordinals[index])) {
        let length = try run.length(of: ordinals[index])
        let score = scorer.part(frequency: frequencies[index], length: length, weight: weight)
        statistics.scoredObjects += 1
        if score < hits.threshold { continue }
        hits.add(FullTextHit(id: try run.id(of: ordinals[index]), score: score))
      }
    }
    statistics.readBlocks += entries.count
    statistics.blocks += entries.count
    return hits
  }
}
