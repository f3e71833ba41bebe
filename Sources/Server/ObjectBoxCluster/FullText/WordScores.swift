internal import ObjectBox
internal import ObjectBoxFullText

/// The scores of objects by a search for words.
///
/// The server counts, and this program computes with the same operations as a store.
struct WordScores {
  private let search: WordSearch
  private let scoring: ListedScoring

  /// Reads the sums over all objects of the index, in one round trip.
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - place: The place where the query runs, at one version of the objects.
  /// - Throws: Errors of the server.
  init(_ search: WordSearch, in place: some QueryPlace) async throws {
    self.search = search
    let columns = search.columns
    var batch = [
      Statement(
        "SELECT coalesce(sum(objects), 0)::bigint, coalesce(sum(words), 0)::bigint "
          + "FROM \(place.tables.textCountTable) WHERE index = $1"
      ) { $0.append(columns.uid) }
    ]
    let scored = search.plan.leaves.indices.filter { search.plan.leaves[$0].isScored }
    for leaf in scored {
      var rendering = ConditionRendering(place.tables)
      let alias = rendering.newAlias()
      let words = WordRendering(search, alias)
      let condition = words.sql(search.plan.leaves[leaf], &rendering)
      batch.append(
        Statement(
          "SELECT count(*) FROM \(search.table.name) \(alias) WHERE \(condition)",
          rendering.parameters
        )
      )
    }
    let results = try await place.run(batch)
    var matches = search.plan.leaves.map { _ in 0 }
    for (place, leaf) in scored.enumerated() {
      matches[leaf] = Int(results[place + 1].anyInteger(0, 0) ?? 0)
    }
    let index = columns.index
    scoring = ListedScoring(
      search.plan,
      k1: index.k1 ?? FullTextIndexSchema.usualK1,
      b: index.b ?? FullTextIndexSchema.usualB,
      weights: index.parts.map(\.weight),
      ListedScoring.Sums(
        objectCount: Int(results[0].anyInteger(0, 0) ?? 0),
        wordCount: Int(results[0].anyInteger(0, 1) ?? 0),
        matches: matches
      )
    )
  }

  /// Returns the score of a row with the columns of ``WordRendering/scoreColumns(_:_:)``; 0 for an
  /// object that does not have the words.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - row: The number of the row.
  ///   - first: The index of the first of the columns.
  /// - Returns: The score.
  func score(_ rows: ResultRows, _ row: Int, from first: Int) -> Double {
    var leaves = search.plan.leaves.map { _ in ListedScoring.Leaf.frequency(0) }
    var column = first + 1
    for leaf in search.countedLeaves {
      leaves[leaf] = .frequency(UInt32(clamping: rows.anyInteger(row, column) ?? 0))
      column += 1
    }
    let placed = search.placedLeaves
    if !placed.isEmpty {
      var positions = placed.map { _ in [UInt32]() }
      for place in rows.bytes(row, column)?.numbers(UInt64.self) ?? [] {
        let position = UInt32(truncatingIfNeeded: place >> 32) << 24 | UInt32(place & 0xff_ffff)
        positions[Int(place >> 40)].append(position)
      }
      for (leaf, positions) in zip(placed, positions) { leaves[leaf] = .positions(positions) }
    }
    return scoring.score(leaves, length: Int(rows.anyInteger(row, first) ?? 0)) ?? 0
  }
}
