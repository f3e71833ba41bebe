extension Property where V: IndexedVectorPropertyType, R == Void {
  /// Matches the objects with the vectors nearest to a vector.
  ///
  /// Conditions combined by `&&` choose objects first. The nearest of these are found: `maxCount` objects if so
  /// many meet these conditions. Conditions combined by `||` add others to the nearest objects of the whole
  /// entity. Objects without a vector are never among the nearest.
  ///
  /// With fewer than 1,000 vectors the result is exact. With more, the index gives an approximation
  /// from `maxCount` or 100 candidates, whichever is greater. A greater `maxCount` together with a
  /// `limit` is more accurate. ``Query/explain(limit:)`` says how other conditions were applied.
  ///
  ///     let nearParis = try notes.query {
  ///       Note.place.nearestNeighbors(queryVector: [48.86, 2.35], maxCount: 10) && Note.stars > 3
  ///     }.build().find()
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions; for another number the query
  ///     throws ``ObjectBoxError/illegalArgument(message:)``.
  ///   - maxCount: How many objects to match at most; at least 1.
  /// - Returns: The condition. ``Query/findWithScores(offset:limit:)`` returns the distances.
  public func nearestNeighbors(
    queryVector: [Float],
    maxCount: Int
  ) -> PropertyQueryCondition<E, V> {
    nearestNeighbors(queryVector: queryVector, maxCount: maxCount, filtering: .first)
  }

  /// Matches the objects with the vectors nearest to a vector, before or after other conditions.
  ///
  ///     let near = Note.place.nearestNeighbors(
  ///       queryVector: [48.86, 2.35],
  ///       maxCount: 10,
  ///       filtering: .afterwards
  ///     )
  ///     let starred = try notes.query { near && Note.stars > 3 }.build().find()
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions; for another number the query
  ///     throws ``ObjectBoxError/illegalArgument(message:)``.
  ///   - maxCount: How many objects to match at most; at least 1.
  ///   - filtering: Whether conditions combined by `&&` choose objects before the search, as
  ///     ``nearestNeighbors(queryVector:maxCount:)`` does, or filter its results.
  /// - Returns: The condition.
  public func nearestNeighbors(
    queryVector: [Float],
    maxCount: Int,
    filtering: NearestFiltering
  ) -> PropertyQueryCondition<E, V> {
    comparing(
      .isNearest,
      .nearest(vector: queryVector, maxCount: maxCount, filtering: filtering)
    )
  }
}
