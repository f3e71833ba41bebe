package import ObjectBox

/// The keys, aggregates, conditions and orders of a grouped query, on any kind of store.
package struct GroupSelection<E, Key, each Value> {
  private let keys: GroupKeys<Key>
  private let aggregates: (repeat Aggregate<E, each Value>)
  private let selected: [AggregateSource]
  private var join: ConditionJoin<GroupTest>?
  private var orders: [GroupOrder] = []

  package init(_ keys: GroupKeys<Key>, _ aggregates: repeat Aggregate<E, each Value>) {
    self.keys = keys
    self.aggregates = (repeat each aggregates)
    var selected: [AggregateSource] = []
    for aggregate in repeat each aggregates { selected.append(aggregate.source) }
    self.selected = selected
  }

  private var test: GroupTest? { join?.condition }

  /// Returns the selection with one more condition.
  package func having(_ condition: GroupCondition<E>) -> Self {
    var copy = self
    copy.join = join.map { .both($0, condition.join) } ?? condition.join
    return copy
  }

  /// Returns the selection with one more order.
  package func ordered(by subject: GroupOrder.Subject, descending: Bool) -> Self {
    var copy = self
    copy.orders.append(GroupOrder(subject: subject, isDescending: descending))
    return copy
  }

  /// Returns the columns, keys and aggregates that the groups need.
  ///
  /// - Parameter entity: The entity of the objects.
  /// - Returns: The plan.
  /// - Throws: `ObjectBoxError` when a property is not in the model or has another type.
  package func plan(of entity: EntitySchema) throws -> GroupPlan {
    let others = orders.compactMap {
      if case .aggregate(let source) = $0.subject { source } else { nil }
    }
    return try GroupPlan(
      keys: keys.sources,
      aggregates: selected + others + (try test?.sources ?? []),
      entity: entity
    )
  }

  /// Returns the rows of groups.
  ///
  /// - Parameters:
  ///   - table: The groups, by this selection's plan.
  ///   - offset: How many rows to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The rows in their order.
  /// - Throws: `ObjectBoxError`: `unknown` with code 10004 for a sum that does not fit.
  package func rows(
    of table: GroupTable,
    offset: Int,
    limit: Int
  ) throws -> [GroupRow<Key, repeat each Value>] {
    let groups = try table.groups(test, orders, offset: offset, limit: limit)
    let keyNumbers = table.keyNumbers()
    let indexes = selected.map(table.index)
    return try groups.map { group in
      var place = 0
      func next<V>(_ aggregate: Aggregate<E, V>) throws -> V {
        defer { place += 1 }
        return aggregate.decode(GroupCell(try table.content(indexes[place], group)))
      }
      return GroupRow(
        key: keys.decode { table.key($0, keyNumbers[$0][group]) },
        values: (repeat try next(each aggregates))
      )
    }
  }

  /// Returns the number of groups that meet the conditions.
  package func count(of table: GroupTable) throws -> Int {
    try table.groups(test).count
  }
}
