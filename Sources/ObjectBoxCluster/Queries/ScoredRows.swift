internal import ObjectBox

/// The results of a nearest-neighbour search with their scores, the nearest first.
struct ScoredRows {
  let rows: ResultRows
  /// The ID, the row and the score of each result.
  let results: [(id: UInt64, row: Int, score: Double)]

  /// Searches, in two round trips.
  ///
  /// - Parameters:
  ///   - condition: The condition; its first nearest-neighbour search determines the scores.
  ///   - table: The table of its entity.
  ///   - offset: Number of nearest results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  ///   - place: The place where the query runs.
  ///   - statement: Returns the statement of a run, with the given column as the last.
  /// - Throws: `ObjectBoxError`: `illegalState` without a nearest-neighbour search; errors of the
  ///   search. Errors of the server.
  init(
    _ condition: Condition?,
    of table: ClusterTable,
    offset: Int,
    limit: Int,
    in place: some QueryPlace,
    _ statement: (QueryRun, Column) throws -> Statement
  ) async throws {
    guard let condition,
      let leaf = condition.properties.first(where: { $0.comparison == .isNearest }),
      let nearest = try NearestCondition(leaf, entity: table.schema),
      let column = table.column(property: leaf.propertyID)
    else { throw ObjectBoxError.scoresMissing(in: table.schema.name) }
    let search = try await NearestSearch(condition, of: table, in: place)
    let run = QueryRun(
      tables: place.tables,
      table: table,
      condition: search.condition,
      orders: []
    )
    let rows = try await place.run([try statement(run, column)])[0]
    let results = rows.ids().enumerated().map { row, id in
      let distance = nearest.distance(rows, row, rows.columnCount - 1)
      return (id: id, row: row, score: distance.map(nearest.score) ?? .infinity)
    }
    let rest = results.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.dropFirst(max(0, offset))
    self.rows = rows
    self.results = Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}
