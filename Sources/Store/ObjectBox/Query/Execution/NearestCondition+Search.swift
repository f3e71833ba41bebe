extension NearestCondition: DerivedSearch {
  package var isConfined: Bool { filtering == .first }

  package func find(
    in table: EntityTable,
    _ transaction: Transaction,
    among others: QueryExecution?
  ) throws -> FoundIDs {
    guard let definition = definition(in: table) else { return FoundIDs([], .unfiltered) }
    guard let others else {
      let graph = try transaction.derivedIndex(definition, of: table)
      return FoundIDs(try graph.nearest(to: vector, maxCount: maxCount), .unfiltered)
    }
    let search = try FilteredNeighbors(self, definition, among: others)
    var found = try search.find()
    found.others = search.plan
    return found
  }

  package func scores(
    of results: ScoredSearch,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    guard let definition = definition(in: results.table) else { return [] }
    var found: [(id: UInt64, score: Double)] = []
    try results.run(results.condition).forEach { record in
      found.append((record.id, score(of: record, by: definition)))
      return true
    }
    found.sort { $0.score < $1.score || ($0.score == $1.score && $0.id < $1.id) }
    let rest = found.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}

extension VectorIndexEngine: DerivedSearchEngine {
  func search(
    _ condition: PropertyCondition,
    in table: EntityTable
  ) throws -> (any DerivedSearch)? {
    try NearestCondition(condition, entity: table.schema)
  }
}
