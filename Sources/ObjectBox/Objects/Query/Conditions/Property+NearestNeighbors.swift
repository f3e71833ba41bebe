extension Property where V == HnswIndexPropertyType, R == Void {
  /// Matches the objects whose vectors are nearest to a vector.
  ///
  /// The nearest ones of the whole entity are found first; other conditions that are combined with this
  /// one by `&&` then choose among them, so that fewer than `maxCount` objects may be left; those by `||`
  /// add others to them. Objects without a vector are never among the nearest ones.
  ///
  /// With fewer than 1,000 vectors the answer is exact. With more it is an approximation by the index,
  /// which looks at the greater of `maxCount` and 100 candidates: a greater `maxCount` together
  /// with a `limit` finds the nearest ones more surely.
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions; the query throws
  ///     ``ObjectBoxError/illegalArgument(message:)`` for another number.
  ///   - maxCount: How many objects to match at most, from 1.
  /// - Returns: The condition. ``Query/findWithScores(offset:limit:)`` tells how near they are.
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
