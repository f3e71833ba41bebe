extension Property where V == HnswIndexPropertyType, R == Void {
  /// Matches the objects with the vectors nearest to a vector.
  ///
  /// The nearest objects of the whole entity are found first. Conditions combined by `&&` then
  /// filter them, so fewer than `maxCount` may remain; conditions combined by `||` add others.
  /// Objects without a vector are never among the nearest.
  ///
  /// With fewer than 1,000 vectors the result is exact. With more, the index gives an approximation
  /// from `maxCount` or 100 candidates, whichever is greater. A greater `maxCount` together with a
  /// `limit` is more accurate.
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
    PropertyQueryCondition(
      propertyId,
      .isNearest,
      .nearest(vector: queryVector, maxCount: maxCount)
    )
  }
}
