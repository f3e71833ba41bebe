public import ObjectBox

extension QueryBuilder {
  /// Groups the objects that the query finds.
  ///
  ///     let rows = try notes.query { Note.isPinned == true }
  ///       .grouped(by: Note.author)
  ///       .select(.count, .sum(Note.stars))
  ///       .find()
  ///
  /// The orders of the query do not count. Nulls are a group.
  ///
  /// - Parameter key: A property, or a function of one such as `.by(Order.date, .month)`.
  /// - Returns: The groups; select their aggregates next.
  public func grouped<K: GroupingKey>(by key: K) -> Grouping<E, K.Value> where K.Entity == E {
    Grouping(source: .builder(self), keys: GroupKeys(key))
  }

  /// Groups the objects that the query finds by two properties or functions; a row's key is a tuple.
  public func grouped<K: GroupingKey, L: GroupingKey>(
    by key: K,
    _ second: L
  ) -> Grouping<E, (K.Value, L.Value)> where K.Entity == E, L.Entity == E {
    Grouping(source: .builder(self), keys: GroupKeys(key, second))
  }

  /// Groups the objects that the query finds by three properties or functions; a row's key is a
  /// tuple.
  public func grouped<K: GroupingKey, L: GroupingKey, M: GroupingKey>(
    by key: K,
    _ second: L,
    _ third: M
  ) -> Grouping<E, (K.Value, L.Value, M.Value)>
  where K.Entity == E, L.Entity == E, M.Entity == E {
    Grouping(source: .builder(self), keys: GroupKeys(key, second, third))
  }
}

extension Query {
  /// Groups the objects that the query finds, with its parameters at the time of each run.
  ///
  /// The orders of the query do not count. Nulls are a group.
  ///
  /// - Parameter key: A property, or a function of one such as `.by(Order.date, .month)`.
  /// - Returns: The groups; select their aggregates next.
  public func grouped<K: GroupingKey>(by key: K) -> Grouping<E, K.Value> where K.Entity == E {
    Grouping(source: .query(self), keys: GroupKeys(key))
  }

  /// Groups the objects that the query finds by two properties or functions; a row's key is a tuple.
  public func grouped<K: GroupingKey, L: GroupingKey>(
    by key: K,
    _ second: L
  ) -> Grouping<E, (K.Value, L.Value)> where K.Entity == E, L.Entity == E {
    Grouping(source: .query(self), keys: GroupKeys(key, second))
  }

  /// Groups the objects that the query finds by three properties or functions; a row's key is a
  /// tuple.
  public func grouped<K: GroupingKey, L: GroupingKey, M: GroupingKey>(
    by key: K,
    _ second: L,
    _ third: M
  ) -> Grouping<E, (K.Value, L.Value, M.Value)>
  where K.Entity == E, L.Entity == E, M.Entity == E {
    Grouping(source: .query(self), keys: GroupKeys(key, second, third))
  }
}

/// The groups of a query, before the selection of their aggregates.
public struct Grouping<E, Key>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let source: GroupedObjects<E>
  let keys: GroupKeys<Key>

  /// Selects the aggregates of each row.
  ///
  ///     let groups = notes.query().grouped(by: Note.author)
  ///       .select(.count, .sum(Note.stars), .max(Note.created))
  ///
  /// - Parameter aggregates: Any number of aggregates.
  /// - Returns: The query. Its rows have the aggregates' values as a tuple.
  public func select<each V>(
    _ aggregates: repeat Aggregate<E, each V>
  ) -> GroupedQuery<E, Key, repeat each V> {
    GroupedQuery(source: source, selection: GroupSelection(keys, repeat each aggregates))
  }
}

/// The source of the objects that are grouped.
enum GroupedObjects<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  case builder(QueryBuilder<E>)
  case query(Query<E>)

  var query: Query<E> {
    get throws {
      switch self {
      case .builder(let builder): try builder.build()
      case .query(let query): query
      }
    }
  }
}
