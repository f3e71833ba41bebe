public import ObjectBox

extension ClusterQuery {
  /// Returns the results of a nearest-neighbour search with their scores, the nearest first.
  ///
  /// Scores equal the embedded store's. The query's orders are ignored. With several
  /// nearest-neighbour conditions, the first one determines the scores. A result without a vector,
  /// matched by a condition after `||`, has an infinite score. All results are read, even with a
  /// limit.
  ///
  /// - Parameters:
  ///   - offset: Number of nearest results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ObjectBoxError`: `illegalState` when the query has no nearest-neighbour condition;
  ///   `illegalArgument` for more than 50,000 vectors on a server without the extension `vector`.
  ///   ``ClusterError``.
  public func findWithScores(
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> [ObjectWithScore<E>] {
    try await atOneVersion { query in
      let found = try await query.scored(offset, limit) { try $0.objects(and: $1) }
      let decoding = RowDecoding<E>(try query.table(), store: query.source.cluster.shape)
      let objects = try found.results.map { try decoding.object(found.rows, $0.row) }
      try await query.include(in: objects)
      return zip(objects, found.results).map { ObjectWithScore(object: $0, score: $1.score) }
    }
  }

  /// Returns the IDs and scores of a nearest-neighbour search, the nearest first.
  ///
  /// - Parameters:
  ///   - offset: Number of nearest results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: IDs with the scores of ``findWithScores(offset:limit:)``.
  /// - Throws: As ``findWithScores(offset:limit:)``.
  public func findIdsWithScores(offset: Int = 0, limit: Int = 0) async throws -> [IdWithScore] {
    try await atOneVersion { query in
      try await query.scored(offset, limit) { try $0.ids(and: $1) }.results
        .map { IdWithScore(id: $0.id, score: $0.score) }
    }
  }

  private func scored(
    _ offset: Int,
    _ limit: Int,
    _ statement: (QueryRun, Column) throws -> Statement
  ) async throws -> ScoredRows {
    try await ScoredRows(
      selection.condition,
      of: try table(),
      offset: offset,
      limit: limit,
      in: source,
      statement
    )
  }
}
