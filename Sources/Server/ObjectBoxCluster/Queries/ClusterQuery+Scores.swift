public import ObjectBox

extension ClusterQuery {
  /// Returns the results of a search with their scores, the best first.
  ///
  /// Scores equal the embedded store's, and so does their order: the nearest neighbours first, or the objects with the
  /// highest score of their words. The query's orders are ignored. With several searches, the first one determines the
  /// scores. A result that matches only a condition after `||` has an infinite score if it has no vector, and the score
  /// 0 if it has no such words. The server counts words in all results, even with a limit.
  ///
  /// - Parameters:
  ///   - offset: Number of best results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ObjectBoxError`: `illegalState` when the query has no search; `illegalArgument` for
  ///   more than 50,000 vectors on a server without the extension `vector`, and for a text that
  ///   cannot be read. ``ClusterError``.
  public func findWithScores(
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> [ObjectWithScore<E>] {
    try await atOneVersion(isScored: true) { query in
      let found = try await query.scored(offset, limit, .objects)
      let decoding = RowDecoding<E>(try query.table(), store: query.source.cluster.shape)
      let objects = try found.results.map { try decoding.object(found.rows, $0.row) }
      try await query.include(in: objects)
      let words = try query.foundWords(query.selection.condition)
      return zip(objects, found.results).map {
        ObjectWithScore(object: $0, score: $1.score, words: words)
      }
    }
  }

  /// Returns the IDs and scores of a search, the best first.
  ///
  /// - Parameters:
  ///   - offset: Number of best results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: IDs with the scores of ``findWithScores(offset:limit:)``.
  /// - Throws: The same errors as ``findWithScores(offset:limit:)``.
  public func findIdsWithScores(offset: Int = 0, limit: Int = 0) async throws -> [IdWithScore] {
    try await atOneVersion(isScored: true) { query in
      try await query.scored(offset, limit, .ids).results
        .map { IdWithScore(id: $0.id, score: $0.score) }
    }
  }

  private func scored(
    _ offset: Int,
    _ limit: Int,
    _ content: ScoredRows.Content
  ) async throws -> ScoredRows {
    try await ScoredRows(
      selection.condition,
      of: try table(),
      offset: offset,
      limit: limit,
      in: source,
      reading: content
    )
  }
}
