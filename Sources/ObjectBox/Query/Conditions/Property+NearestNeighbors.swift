extension Property where V == HnswIndexPropertyType, R == Void {
  /// Matches the objects whose vectors are nearest to a vector.
  ///
  /// The nearest objects of the whole entity are found first; conditions that are combined by `&&` then
  /// choose among them, so that fewer than `maxCount` objects may be left; conditions by `||` add others.
  /// Objects without a vector are never among the nearest.
  ///
  /// With fewer than 1,000 vectors the result is exact. With more it is an approximation by the index with
  /// the greater of `maxCount` and 100 candidates: a greater `maxCount` together with a `limit` is more
  /// accurate.
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions; the query throws
  ///     ``ObjectBoxError/illegalArgument(message:)`` for another number.
  ///   - maxCount: How many objects to match at most, from 1.
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
