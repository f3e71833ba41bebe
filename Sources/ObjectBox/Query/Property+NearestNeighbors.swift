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

extension Query {
  /// Sets the vector of the first nearest-neighbour condition on a property.
  public func setParameter<V: FloatArrayPropertyType>(
    _ property: Property<E, V, Void>,
    to vector: [Float]
  ) {
    set(property: property.propertyId, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets the vector of the nearest-neighbour condition with the given alias.
  public func setParameter(_ alias: String, to vector: [Float]) {
    set(alias: alias, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets how many objects the first nearest-neighbour condition on a property matches at most.
  public func setParameter<V: FloatArrayPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to maxCount: T
  ) {
    set(property: property.propertyId, to: .integers([Int64(clamping: maxCount)]))
  }
}
