public import ObjectBox

extension ClusterQuery {
  /// Returns the results of a nearest-neighbour search with their scores, the nearest first.
  ///
  /// Scores are those of the embedded store. Orders of the query are ignored. With several nearest-neighbour
  /// conditions the first one gives the scores. A result without a vector, which a condition after `||` can bring,
  /// has an infinite score. All results are read, also with a limit.
  ///
  /// - Parameters:
  ///   - offset: How many of the nearest results to leave out.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ObjectBoxError`: `illegalState` when the query has no nearest-neighbour condition, `illegalArgument`
  ///   for more than 50,000 vectors on a server without the extension `vector`; ``ClusterError``.
  public func findWithScores(
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> [ObjectWithScore<E>] {
    try await atOneVersion { query in
      let (rows, scored) = try await query.scored(offset, limit) { try $0.objects(and: $1) }
      let decoding = RowDecoding<E>(try query.table(), store: query.source.cluster.shape)
      let objects = try scored.map { try decoding.object(rows, $0.row) }
      try await query.include(in: objects)
      return zip(objects, scored).map { ObjectWithScore(object: $0, score: $1.score) }
    }
  }

  /// Returns the IDs of the results of a nearest-neighbour search with their scores, the nearest first.
  ///
  /// - Parameters:
  ///   - offset: How many of the nearest results to leave out.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs with the scores of ``findWithScores(offset:limit:)``.
  /// - Throws: As ``findWithScores(offset:limit:)``.
  public func findIdsWithScores(offset: Int = 0, limit: Int = 0) async throws -> [IdWithScore] {
    try await atOneVersion { query in
      try await query.scored(offset, limit) { try $0.ids(and: $1) }.results
        .map { IdWithScore(id: $0.id, score: $0.score) }
    }
  }

  private typealias Scored = (id: UInt64, row: Int, score: Double)

  private func scored(
    _ offset: Int,
    _ limit: Int,
    _ statement: (QueryRun, Column) throws -> Statement
  ) async throws -> (rows: ResultRows, results: [Scored]) {
    let table = try table()
    guard let condition = selection.condition,
      let leaf = condition.properties.first(where: { $0.comparison == .isNearest }),
      let nearest = try NearestCondition(leaf, entity: table.schema),
      let column = table.column(property: leaf.propertyID)
    else { throw ObjectBoxError.scoresMissing(in: table.schema.name) }
    let search = try await NearestSearch(condition, of: table, in: source)
    let run = run(of: table, try search.resolve(condition, of: table.schema))
    let rows = try await source.run([try statement(run, column)])[0]
    let results = rows.ids().enumerated().map { row, id in
      let distance = nearest.distance(rows, row, rows.columnCount - 1)
      return (id: id, row: row, score: distance.map(nearest.score) ?? .infinity)
    }
    let rest = results.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.dropFirst(max(0, offset))
    return (rows, Array(limit > 0 ? rest.prefix(limit) : rest))
  }
}
