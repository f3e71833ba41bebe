internal import ObjectBoxFullText

/// The results of a search in the order of their scores, the best first.
///
/// The first search of the condition gives the scores: nearest neighbours, or words.
package struct ScoredSearch {
  private let condition: Condition
  private let leaf: PropertyCondition
  private let table: EntityTable
  private let transaction: Transaction
  private let skipped: SkippedObjects?

  /// - Parameters:
  ///   - condition: The condition of the results.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - skipped: Collects the IDs of damaged objects, which the run then skips.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the condition has no search.
  package init(
    _ condition: Condition?,
    _ table: EntityTable,
    _ transaction: Transaction,
    skipped: SkippedObjects?
  ) throws {
    guard let condition, let leaf = condition.properties.first(where: { $0.comparison.isSearch })
    else { throw ObjectBoxError.scoresMissing(in: table.name) }
    self.condition = condition
    self.leaf = leaf
    self.table = table
    self.transaction = transaction
    self.skipped = skipped
  }

  /// Returns the IDs of the results with their scores.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs and scores.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  package func ids(offset: Int, limit: Int) throws -> [(id: UInt64, score: Double)] {
    if let text = try TextCondition(leaf, table) {
      return try ids(of: text, offset: max(0, offset), limit: limit)
    }
    guard let nearest = try NearestCondition(leaf, entity: table.schema),
      let definition = nearest.definition(in: table)
    else { return [] }
    var found: [(id: UInt64, score: Double)] = []
    try run(condition).forEach { record in
      found.append((record.id, nearest.score(of: record, by: definition)))
      return true
    }
    found.sort { $0.score < $1.score || ($0.score == $1.score && $0.id < $1.id) }
    let rest = found.dropFirst(max(0, offset))
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }

  private func run(_ condition: Condition) throws -> QueryExecution {
    try QueryExecution(condition, table: table, transaction: transaction, skipped: skipped)
  }

  private func ids(
    of text: TextCondition,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    var others: [Condition] = []
    if case .property = condition {
      // The condition is the leaf alone.
    } else {
      others = condition.conjuncts
      guard let place = others.firstIndex(of: .property(leaf)) else {
        return try mixedIDs(of: text, offset: offset, limit: limit)
      }
      others.remove(at: place)
      // A search for neighbours is confined to the objects with the words.
      if others.contains(where: \.hasNearest) {
        return try mixedIDs(of: text, offset: offset, limit: limit)
      }
    }
    let filter =
      others.isEmpty && skipped == nil ? nil : try run(.all(others)).allIDs()
    return try transaction.searching(text) { search in
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
  /// Some need not have the words: those have the score 0.
  private func mixedIDs(
    of text: TextCondition,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    let all = try run(condition).ids(offset: 0, limit: 0)
    var found = try transaction.searching(text) { search in
      try search.hits(filter: FullTextFilter(ids: all)).map { (id: $0.id, score: $0.score) }
    }
    let scored = Set(found.map(\.id))
    found += all.filter { !scored.contains($0) }.map { (id: $0, score: 0) }
    let rest = found.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}

extension Transaction {
  /// Searches a full-text index, with the changes of this transaction.
  func searching<T>(_ text: TextCondition, _ body: (FullTextSearch) throws -> T) throws -> T {
    try flushFullText()
    return try usingFullText {
      let reader = try fullTextReaders.reader(of: text.definition.tables, in: storage)
      do {
        return try body(FullTextSearch(text.expression, in: reader))
      } catch {
        // It may have read a part of a damaged index.
        fullTextReaders.removeAll()
        throw error
      }
    }
  }
}

extension Condition {
  /// True if the condition searches for nearest neighbours of this entity's objects.
  fileprivate var hasNearest: Bool { properties.contains { $0.comparison == .isNearest } }
}
