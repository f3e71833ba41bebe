package import ObjectBox
internal import ObjectBoxFullText

extension TextCondition: DerivedSearch {
  package var isConfined: Bool { false }

  package func find(
    in table: EntityTable,
    _ transaction: Transaction,
    among others: QueryExecution?
  ) throws -> FoundIDs {
    FoundIDs(try searching(table, transaction) { try $0.ids() }, .listed)
  }

  package func scores(
    of results: ScoredSearch,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    var others: [Condition] = []
    if case .property = results.condition {
      // The condition consists of this search alone.
    } else {
      others = results.condition.conjuncts
      // A search for neighbours is restricted to the objects with the words.
      guard let place = others.firstIndex(of: .property(results.leaf)),
        !others.contains(where: \.hasNearest)
      else { return try mixedScores(of: results, offset: offset, limit: limit) }
      others.remove(at: place)
    }
    let filter =
      others.isEmpty && results.skipped == nil ? nil : try results.run(.all(others)).allIDs()
    return try searching(results.table, results.transaction) { search in
      try search.hits(
        offset: offset,
        limit: limit > 0 ? limit : nil,
        filter: FullTextFilter(ids: filter)
      )
    }
    .map { ($0.id, $0.score) }
  }

  /// Returns the results of the whole condition.
  ///
  /// Objects that match without the words have the score 0.
  private func mixedScores(
    of results: ScoredSearch,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    let all = try results.run(results.condition).ids(offset: 0, limit: 0)
    var found = try searching(results.table, results.transaction) { search in
      try search.hits(filter: FullTextFilter(ids: all)).map { (id: $0.id, score: $0.score) }
    }
    let scored = Set(found.map(\.id))
    found += all.filter { !scored.contains($0) }.map { (id: $0, score: 0) }
    let rest = found.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }

  /// Searches the index, with the changes of a transaction.
  private func searching<T>(
    _ table: EntityTable,
    _ transaction: Transaction,
    _ body: (FullTextSearch) throws -> T
  ) throws -> T {
    try transaction.derivedIndex(definition, of: table).searching(expression, body)
  }
}

extension Condition {
  /// True if the condition searches for nearest neighbours of this entity's objects.
  fileprivate var hasNearest: Bool { properties.contains { $0.comparison == .isNearest } }
}
