public import ObjectBox

extension ClusterBox {
  /// Starts a query for all objects.
  public func query() -> ClusterQuery<E> { ClusterQuery(source, nil) }

  /// Starts a query for the objects that match a condition.
  ///
  /// Inside the block, properties of the entity can be written as `.name` and as `E.name`.
  ///
  ///     let best = try await notes.query { Note.stars > 3 }
  ///       .ordered(by: Note.title).find(limit: 10)
  ///
  /// - Parameter conditions: Returns the condition; runs at once.
  /// - Returns: A query, which further calls can order and narrow.
  public func query(_ conditions: () -> QueryCondition<E>) -> ClusterQuery<E> {
    ClusterQuery(source, conditions())
  }
}
