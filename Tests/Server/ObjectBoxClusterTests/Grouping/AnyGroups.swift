import ObjectBox
import ObjectBoxGrouping
import Testing

@testable import ObjectBoxCluster

/// The groups of a store of any kind.
struct AnyGrouping<E, Key>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let embedded: Grouping<E, Key>?
  let cluster: ClusterGrouping<E, Key>?

  func select<each V>(
    _ aggregates: repeat Aggregate<E, each V>
  ) -> AnyGroups<E, Key, repeat each V> {
    AnyGroups(
      embedded: embedded?.select(repeat each aggregates),
      cluster: cluster?.select(repeat each aggregates)
    )
  }
}

/// A grouped query of a store of any kind.
struct AnyGroups<E, Key, each V>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let embedded: GroupedQuery<E, Key, repeat each V>?
  let cluster: ClusterGroupedQuery<E, Key, repeat each V>?

  func having(_ condition: GroupCondition<E>) -> Self {
    Self(embedded: embedded?.having(condition), cluster: cluster?.having(condition))
  }

  func ordered<A>(by aggregate: Aggregate<E, A>, descending: Bool = false) -> Self {
    Self(
      embedded: embedded?.ordered(by: aggregate, descending: descending),
      cluster: cluster?.ordered(by: aggregate, descending: descending)
    )
  }

  func orderedByKey(descending: Bool = false) -> Self {
    Self(
      embedded: embedded?.orderedByKey(descending: descending),
      cluster: cluster?.orderedByKey(descending: descending)
    )
  }

  func find(offset: Int = 0, limit: Int = 0) async throws -> [GroupRow<Key, repeat each V>] {
    if let embedded { return try embedded.find(offset: offset, limit: limit) }
    return try await #require(cluster).find(offset: offset, limit: limit)
  }

  func findFirst() async throws -> GroupRow<Key, repeat each V>? {
    if let embedded { return try embedded.findFirst() }
    return try await #require(cluster).findFirst()
  }

  func count() async throws -> Int {
    if let embedded { return try embedded.count() }
    return try await #require(cluster).count()
  }
}

extension AnyQuery {
  func grouped<K: GroupingKey>(by key: K) -> AnyGrouping<E, K.Value> where K.Entity == E {
    AnyGrouping(embedded: embedded?.grouped(by: key), cluster: cluster?.grouped(by: key))
  }

  func grouped<K: GroupingKey, L: GroupingKey>(
    by key: K,
    _ second: L
  ) -> AnyGrouping<E, (K.Value, L.Value)> where K.Entity == E, L.Entity == E {
    AnyGrouping(
      embedded: embedded?.grouped(by: key, second),
      cluster: cluster?.grouped(by: key, second)
    )
  }

  func grouped<K: GroupingKey, L: GroupingKey, M: GroupingKey>(
    by key: K,
    _ second: L,
    _ third: M
  ) -> AnyGrouping<E, (K.Value, L.Value, M.Value)>
  where K.Entity == E, L.Entity == E, M.Entity == E {
    AnyGrouping(
      embedded: embedded?.grouped(by: key, second, third),
      cluster: cluster?.grouped(by: key, second, third)
    )
  }
}
