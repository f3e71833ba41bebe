extension Query {
  /// Returns the results of a nearest-neighbour search with their scores, the nearest first.
  ///
  /// Nearer vectors have lower scores. The distance type of the index decides what the score is:
  /// - `euclidean`: the square of the Euclidean distance.
  /// - `cosine`: 1 minus the cosine of the angle: 0 for the same direction, 1 for a right angle, 2
  ///   for opposite directions. A vector of length 0 is orthogonal to all.
  /// - `dotProduct`: 1 minus the dot product: the same as `cosine` when all vectors have length 1.
  /// - `geo`: the distance of two positions on the earth in kilometres; the first two numbers of a
  ///   vector are latitude and longitude in degrees.
  /// - `dotProductNonNormalized`: 0 for the greatest dot product, 1 for 0, 2 for the least, on a
  ///   logarithmic scale.
  ///
  /// Orders of the query are ignored. With several nearest-neighbour conditions the first gives the
  /// scores. A result without a vector, which a condition after `||` can add, has an infinite
  /// score.
  ///
  ///     let query = try notes.query {
  ///       Note.place.nearestNeighbors(queryVector: [48.86, 2.35], maxCount: 3)
  ///     }.build()
  ///     for found in try query.findWithScores() { print(found.object.title, found.score, "km") }
  ///
  /// - Parameters:
  ///   - offset: How many of the nearest results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError``: `illegalState` when the query has no nearest-neighbour
  ///   condition; others when the store is closed or cannot be read.
  public func findWithScores(offset: Int = 0, limit: Int = 0) throws -> [ObjectWithScore<E>] {
    try box.reading { table, _ in
      let words = try FoundWords(selection.copy.condition, in: table, of: box.store)
      let scored = try scoredIDs(offset: offset, limit: limit)
      let objects = try including { ContiguousArray(try box.objects(scored.map(\.id))) }
      return zip(objects, scored).map { ObjectWithScore(object: $0, score: $1.score, words: words) }
    }
  }

  /// Returns the IDs of the results of a nearest-neighbour search with their scores, the nearest
  /// first.
  ///
  /// - Parameters:
  ///   - offset: How many of the nearest results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs with the scores of ``findWithScores(offset:limit:)``.
  /// - Throws: ``ObjectBoxError``: `illegalState` when the query has no nearest-neighbour
  ///   condition; others when the store is closed or cannot be read.
  public func findIdsWithScores(offset: Int = 0, limit: Int = 0) throws -> [IdWithScore] {
    try scoredIDs(offset: offset, limit: limit).map { IdWithScore(id: $0.id, score: $0.score) }
  }

  private func scoredIDs(offset: Int, limit: Int) throws -> [(id: UInt64, score: Double)] {
    let condition = selection.copy.condition
    return try skippingDamaged { skipped in
      try box.reading { table, transaction in
        try ScoredSearch(condition, table, transaction, skipped: skipped)
          .ids(offset: offset, limit: limit)
      }
    }
  }
}
