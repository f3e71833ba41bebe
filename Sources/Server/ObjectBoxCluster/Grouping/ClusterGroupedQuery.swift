public import ObjectBox
public import ObjectBoxGrouping

/// A query for groups of a cluster's objects; the counterpart of `GroupedQuery`.
///
/// Each run is one round trip with one `GROUP BY`, and returns the same rows in the same order as an embedded store.
/// The server computes the groups. For keys that the server may evaluate differently, such as time zones, it computes
/// parts of groups. The client joins the parts, checks the conditions of `having`, and orders the groups, so all groups
/// are transferred, whatever the limit of ``find(offset:limit:)``. If a part belongs to several groups, the client asks
/// again for a part for each different value. That happens for dates before 1901 and after 2099, and for letters that
/// consist of several characters.
///
/// The query is a value. All functions throw `ObjectBoxError` like the embedded store, and
/// ``ClusterError`` when no server answers.
public struct ClusterGroupedQuery<E, Key, each Value>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let query: ClusterQuery<E>
  private var selection: GroupSelection<E, Key, repeat each Value>

  init(query: ClusterQuery<E>, selection: GroupSelection<E, Key, repeat each Value>) {
    self.query = query
    self.selection = selection
  }

  /// Keeps the groups that meet a condition; several conditions must all be met.
  ///
  ///     let groups = notes.query().grouped(by: Note.author).select(.average(Note.stars))
  ///       .having(.count > 3)
  ///
  /// - Parameter condition: A condition on aggregates, which need not be selected.
  /// - Returns: The narrower query.
  public func having(_ condition: GroupCondition<E>) -> Self { with(selection.having(condition)) }

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
  ///   `illegalArgument` for a date that no calendar has, others of the query. ``ClusterError``.
  public func find(
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> [GroupRow<Key, repeat each Value>] {
    try selection.rows(of: try await groups(), offset: offset, limit: limit)
  }

  /// Returns the first row; nil without a group.
  ///
  /// Throws the same errors as ``find(offset:limit:)``.
  public func findFirst() async throws -> GroupRow<Key, repeat each Value>? {
    try await find(limit: 1).first
  }

  /// Returns the number of groups.
  ///
  /// Throws the same errors as ``find(offset:limit:)``.
  public func count() async throws -> Int { try selection.count(of: try await groups()) }

  /// Returns the server's plan for the next run without running it.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func explain() async throws -> ClusterQueryPlan {
    try await query.atOneVersion { query in
      let plan = try selection.plan(of: try query.table().schema)
      let statement = try await groups(plan, isExact: false, query).statement
      let rows = try await query.source.run(ClusterQueryPlan.statements(statement))
      return ClusterQueryPlan(rows, of: statement)
    }
  }

  private func groups() async throws -> GroupTable {
    try await query.atOneVersion { query in
      let plan = try selection.plan(of: try query.table().schema)
      var found = ""
      for isExact in [false, true] {
        let parts = try await groups(plan, isExact: isExact, query)
        let rows = try await query.source.run([parts.statement])[0]
        switch try parts.read(rows) {
        case .groups(let table): return table
        case .undecided(let words): found = words
        }
      }
      // Each value belongs to one group, so this is a fault of the keys' functions.
      throw ObjectBoxError.illegalState(
        message:
          "cannot group '\(E.entityInfo.entityName)': the server's row for the keys' values \(found) "
          + "belongs to no single group; leave out keys to find the one at fault, and report it"
      )
    }
  }

  private func groups(
    _ plan: GroupPlan,
    isExact: Bool,
    _ query: ClusterQuery<E>
  ) async throws -> GroupParts {
    try GroupParts(plan, isExact: isExact, query.table(), try await query.run().parts())
  }
}
