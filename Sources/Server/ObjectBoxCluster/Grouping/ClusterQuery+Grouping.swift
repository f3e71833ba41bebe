public import ObjectBox
public import ObjectBoxGrouping

extension ClusterQuery {
  /// Groups the objects that the query finds.
  ///
  ///     let rows = try await notes.query { Note.isPinned == true }
  ///       .grouped(by: Note.author)
  ///       .select(.count, .sum(Note.stars))
  ///       .find()
  ///
  /// The orders of the query and its included relations are ignored. Nulls form a group. Parameters that are set on the
  /// query later do not change the groups.
  ///
  /// - Parameter key: A property, or a function of one such as `.by(Order.date, .month)`.
  /// - Returns: The groups; select their aggregates next.
  public func grouped<K: GroupingKey>(by key: K) -> ClusterGrouping<E, K.Value>
  where K.Entity == E { ClusterGrouping(query: self, keys: GroupKeys(key)) }

  /// Groups the objects that the query finds by two properties or functions; a row's key is a tuple.
  public func grouped<K: GroupingKey, L: GroupingKey>(
    by key: K,
    _ second: L
  ) -> ClusterGrouping<E, (K.Value, L.Value)> where K.Entity == E, L.Entity == E {
    ClusterGrouping(query: self, keys: GroupKeys(key, second))
  }

  /// Groups the objects that the query finds by three properties or functions; a row's key is a
  /// tuple.
  public func grouped<K: GroupingKey, L: GroupingKey, M: GroupingKey>(
    by key: K,
    _ second: L,
    _ third: M
  ) -> ClusterGrouping<E, (K.Value, L.Value, M.Value)>
  where K.Entity == E, L.Entity == E, M.Entity == E {
    ClusterGrouping(query: self, keys: GroupKeys(key, second, third))
  }
}

/// The groups of a query of a cluster, before the selection of aggregates.
public struct ClusterGrouping<E, Key>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let query: ClusterQuery<E>
  let keys: GroupKeys<Key>

  /// Selects the values of each row in addition to its key.
  ///
  ///     let groups = notes.query().grouped(by: Note.author)
  ///       .select(.count, .sum(Note.stars), .max(Note.created))
  ///
  /// - Parameter aggregates: Any number of aggregates.
  /// - Returns: The query. Its rows have the aggregates' values as a tuple.
  public func select<each V>(
    _ aggregates: repeat Aggregate<E, each V>
  ) -> ClusterGroupedQuery<E, Key, repeat each V> {
    ClusterGroupedQuery(query: query, selection: GroupSelection(keys, repeat each aggregates))
  }
}
