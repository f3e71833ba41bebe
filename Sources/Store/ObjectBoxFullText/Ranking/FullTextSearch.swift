/// A query of an index in one transaction.
///
/// Valid as long as the reader. Each call reads the postings again.
package final class FullTextSearch {
  let reader: FullTextReader
  let plan: QueryPlan
  let scorer: Scorer
  /// How the last call was executed.
  @exclusivity(unchecked) package internal(set) var statistics = FullTextStatistics()

  /// Makes a query; reads nothing.
  package init(_ expression: TextExpression, in reader: FullTextReader) {
    self.reader = reader
    plan = QueryPlan(expression)
    scorer = Scorer(reader)
  }

  // MARK: Results

  /// Returns the best matches.
  ///
  /// Scores count all objects of the index, regardless of the filter.
  ///
  /// - Parameters:
  ///   - offset: Number of the best matches to leave out.
  ///   - limit: The greatest number of matches to return; nil for all.
  ///   - filter: Conditions in addition to the words.
  /// - Returns: The matches by descending scores, then by ascending IDs.
  /// - Throws: ``FullTextError`` for an index that cannot be read, and the errors of the filter.
  package func hits(
    offset: Int = 0,
    limit: Int? = nil,
    filter: FullTextFilter = FullTextFilter()
  ) throws -> [FullTextHit] {
    precondition(offset >= 0 && (limit ?? 0) >= 0, "offset and limit are not negative")
    let (capacity, isOverflow) = offset.addingReportingOverflow(limit ?? .max)
    guard capacity != 0 else { return [] }
    let hits = try best(isOverflow ? .max : capacity, filter).sorted()
    return offset == 0 ? hits : Array(hits.dropFirst(offset))
  }

  /// Returns the best matches up to a number.
  private func best(_ capacity: Int, _ filter: FullTextFilter) throws -> TopHits {
    if filter.isEmpty, let word = try RareWord(plan, in: reader) {
      statistics = FullTextStatistics(runs: reader.runs.count)
      return try word.hits(scorer, capacity: capacity, &statistics)
    }
    let ranking = Ranking(scorer, filter, capacity: capacity)
    let searches = try open(isScored: true)
    for search in searches {
      guard let root = search.root else { continue }
      if let ids = leadingIDs(filter, search, root) {
        statistics.filteredRuns += 1
        let documents = try search.run.documents(of: ids)
        if let stream = search.lone {
          try documents.withUnsafeBufferPointer {
            try ranking.rank(search, lone: stream, among: $0)
          }
        } else if let streams = search.conjunction {
          try documents.withUnsafeBufferPointer {
            try ranking.rank(search, conjunction: streams, among: $0)
          }
        } else {
          try ranking.rank(search, root, among: documents)
        }
      } else if let streams = search.alternatives {
        if streams.count < WideUnion.leastCount {
          try ranking.rank(search, alternatives: streams)
        } else {
          try ranking.rank(search, wide: streams)
        }
      } else if let streams = search.conjunction {
        try ranking.rank(search, conjunction: streams)
      } else {
        try ranking.rank(search, root)
      }
    }
    statistics.scoredObjects = ranking.scoredCount
    note(searches)
    return ranking.hits
  }

  /// Returns the score of an object; nil if the object does not match.
  package func score(of id: UInt64) throws -> Double? {
    try hits(filter: FullTextFilter(ids: [id])).first?.score
  }

  /// Returns the IDs of all matches, ascending.
  package func ids(filter: FullTextFilter = FullTextFilter()) throws -> [UInt64] {
    var ids: [UInt64] = []
    var isSorted = true
    try walk(filter) { id in
      if let last = ids.last, last > id { isSorted = false }
      ids.append(id)
      return true
    }
    // The IDs of each run are sorted, but not across runs.
    if !isSorted { ids.sort() }
    return ids
  }

  /// Returns whether there is a match.
  package func hasMatch(filter: FullTextFilter = FullTextFilter()) throws -> Bool {
    var hasMatch = false
    try walk(filter) { _ in
      hasMatch = true
      return false
    }
    return hasMatch
  }

  /// Returns the number of matches.
  package func count(filter: FullTextFilter = FullTextFilter()) throws -> Int {
    var count = 0
    if filter.isEmpty {
      let searches = try open(isScored: false)
      if case .leaf(let index) = plan.root {
        for search in searches { count += search.matches[index] }
      } else {
        for search in searches { count += try self.count(search) }
      }
      note(searches)
    } else {
      try walk(filter) { _ in
        count += 1
        return true
      }
    }
    return count
  }

  private func count(_ search: RunSearch) throws(FullTextError) -> Int {
    guard let root = search.root else { return 0 }
    if let streams = search.alternatives {
      return Int(
        try DocumentSet(unionOf: streams, documentCount: search.run.documentCount)
          .count(live: search.liveBits)
      )
    }
    var count = 0
    if let streams = search.conjunction {
      let walk = ConjunctionWalk(streams)
      while try walk.next() {
        for index in 0..<walk.count where search.isLive(Int(walk.documents[index])) { count += 1 }
      }
      return count
    }
    var document = try root.seek(0)
    while document != LeafStream.end {
      if search.isLive(document) { count += 1 }
      document = try root.seek(document + 1)
    }
    return count
  }

  // MARK: Runs

  private func open(isScored: Bool) throws(FullTextError) -> [RunSearch] {
    statistics = FullTextStatistics(runs: reader.runs.count)
    var searches: [RunSearch] = []
    for run in reader.runs {
      let weights = reader.settings.weights
      searches.append(try RunSearch(plan, run, weights: weights, isScored: isScored))
    }
    guard isScored else { return searches }
    let weights = plan.leaves.indices.map { leaf in
      scorer.weight(matches: searches.reduce(0) { $0 + $1.matches[leaf] })
    }
    for search in searches {
      for stream in search.streams {
        stream.prepare(scorer, weight: weights[stream.leaf], boundFactor: search.run.boundFactor)
      }
    }
    return searches
  }

  private func note(_ searches: [RunSearch]) {
    for stream in searches.lazy.flatMap(\.streams) where stream.cursor != nil {
      statistics.readBlocks += stream.readBlocks
      let capacity = PostingsCursor.blockCapacity
      statistics.blocks += (stream.count + capacity - 1) / capacity
    }
  }

  /// Returns the IDs of a filter in a run, if looking up each costs less than reading postings.
  private func leadingIDs(
    _ filter: FullTextFilter,
    _ search: RunSearch,
    _ root: MatchNode
  ) -> ArraySlice<UInt64>? {
    guard let ids = filter.ids else { return nil }
    let bounds = search.run.idBounds
    let first = ids.partitioningIndex { $0 >= bounds.lowerBound }
    let end = ids.partitioningIndex { $0 > bounds.upperBound }
    // Looking up a document in each leaf costs as much as reading some postings.
    let lookups = (end - first) * max(1, search.streams.count / WideUnion.leastCount)
    return lookups * FullTextSearch.lookupCost < root.postingsCount ? ids[first..<end] : nil
  }

  /// The cost of looking up a document, in postings that are read sequentially.
  private static let lookupCost = 4

  /// Passes the IDs of all matches to a body until it returns false: run by run, ascending in each run.
  private func walk(_ filter: FullTextFilter, _ body: (UInt64) throws -> Bool) throws {
    let searches = try open(isScored: false)
    defer { note(searches) }
    for search in searches {
      guard let root = search.root else { continue }
      if let ids = leadingIDs(filter, search, root) {
        statistics.filteredRuns += 1
        for document in try search.run.documents(of: ids).lazy.map(Int.init)
        where search.isLive(document) {
          guard try root.seek(document) == document else { continue }
          let id = try search.run.id(of: UInt32(document))
          if try filter.predicate?(id) ?? true, try !body(id) { return }
        }
        continue
      }
      var walk = FilterWalk(filter)
      var document = try root.seek(0)
      while document != LeafStream.end {
        if search.isLive(document) {
          let id = try search.run.id(of: UInt32(document))
          if walk.contains(id), try filter.predicate?(id) ?? true, try !body(id) { return }
        }
        document = try root.seek(document + 1)
      }
    }
  }
}

/// How a query was executed, for explanations.
package struct FullTextStatistics: Hashable, Sendable, CustomStringConvertible {
  /// Number of runs of the index.
  package var runs = 0
  /// Number of runs in which the IDs of the filter were looked up, instead of reading all postings.
  package var filteredRuns = 0
  /// Number of blocks of postings that were read, and the number that the words have.
  package var readBlocks = 0
  package var blocks = 0
  /// Number of scored objects.
  package var scoredObjects = 0

  package var description: String {
    "\(readBlocks) of \(blocks) blocks read in \(runs) runs, the filter led in \(filteredRuns), "
      + "\(scoredObjects) objects scored"
  }
}
