public import ObjectBox

/// A group of objects: its key, and the selected aggregates.
public struct GroupRow<Key, each Value> {
  /// The value that the objects have in common; a tuple for several keys.
  public let key: Key
  /// The aggregates in the order of their selection; a tuple for several.
  public let values: (repeat each Value)
}

extension GroupRow: Sendable where Key: Sendable, repeat each Value: Sendable {}

/// A query for groups of objects.
///
/// Each run searches again, in the thread's open transaction or in its own, and makes no objects: it reads the
/// grouped and aggregated properties of each object that the query finds, or only an index, see ``explain()``.
/// From 200,000 objects on, several threads read. Memory grows with the number of groups. One thread at a time
/// may use it.
public struct GroupedQuery<E, Key, each Value>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let source: GroupedObjects<E>
  private var selection: GroupSelection<E, Key, repeat each Value>

  init(
    source: GroupedObjects<E>,
    selection: GroupSelection<E, Key, repeat each Value>
  ) {
    self.source = source
    self.selection = selection
  }

  /// Keeps the groups that meet a condition; several conditions must all be met.
  ///
  ///     let groups = notes.query().grouped(by: Note.author).select(.average(Note.stars))
  ///       .having(.count > 3)
  ///
  /// - Parameter condition: A condition on aggregates, which need not be selected.
  /// - Returns: The narrower query.
  public func having(_ condition: GroupCondition<E>) -> Self {
    with(selection.having(condition))
  }

  /// Orders the rows by an aggregate; further calls order rows that are equal so far.
  ///
  /// Rows that are equal in all orders, and all rows without one, are ordered by their keys: nulls
  /// first, texts by their bytes.
  ///
  /// - Parameters:
  ///   - aggregate: An aggregate, which need not be selected.
  ///   - descending: True to begin with the greatest.
  /// - Returns: The ordered query.
  public func ordered<V>(by aggregate: Aggregate<E, V>, descending: Bool = false) -> Self {
    with(selection.ordered(by: .aggregate(aggregate.source), descending: descending))
  }

  /// Orders the rows by their keys.
  ///
  /// - Parameter descending: True to begin with the greatest.
  /// - Returns: The ordered query.
  public func orderedByKey(descending: Bool = false) -> Self {
    with(selection.ordered(by: .key, descending: descending))
  }

  private func with(_ selection: GroupSelection<E, Key, repeat each Value>) -> Self {
    var copy = self
    copy.selection = selection
    return copy
  }

  /// Returns the rows.
  ///
  /// - Parameters:
  ///   - offset: How many rows to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The rows in their order.
  /// - Throws: `ObjectBoxError`: `unknown` with code 10004 for a sum that does not fit,
  ///   `illegalArgument` for a date that no calendar has, others when the store is closed or cannot
  ///   be read.
  public func find(offset: Int = 0, limit: Int = 0) throws -> [GroupRow<Key, repeat each Value>] {
    let query = try source.query
    return try query.executing { execution, _ in
      try selection.rows(of: try pass(execution).table(), offset: offset, limit: limit)
    }
  }

  /// Returns the first row; nil without a group.
  ///
  /// Throws as ``find(offset:limit:)`` does.
  public func findFirst() throws -> GroupRow<Key, repeat each Value>? {
    try find(limit: 1).first
  }

  /// Returns the number of groups.
  ///
  /// Throws as ``find(offset:limit:)`` does.
  public func count() throws -> Int {
    try source.query.executing { execution, _ in
      try selection.count(of: try pass(execution).table())
    }
  }

  /// Returns how the next run reads, in words.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func explain() throws -> String {
    let query = try source.query
    return try query.executing { execution, _ in
      "\(try query.explain())\ngroups: \(try pass(execution).way)"
    }
  }

  private func pass(_ execution: QueryExecution) throws -> GroupPass {
    GroupPass(try selection.plan(of: execution.table.schema), execution)
  }
}
