internal import ObjectBox
package import ObjectBoxDynamic

extension MovingOut {
  /// A running query of the snapshot.
  package struct Results: Sendable {
    fileprivate let run: QueryRun
    fileprivate var statements: CursorStatements
  }

  /// Splits texts that programs have stored by SQL if a query searches for words, and begins a new snapshot.
  ///
  /// If the role or the server does not accept writes, a query that needs the words throws
  /// `illegalState`. Costs three round trips, and none for other queries.
  ///
  /// - Parameter query: The query, made in a store with the schema of the database.
  /// - Throws: ``ClusterError``.
  package func findWords(for query: DynamicQuery) async throws {
    guard query.selection.condition?.hasWords ?? false else { return }
    try await database.run(["ROLLBACK"])
    try await database.telling { [tables] in
      try await TextFilling(tables: tables).runIfPermitted(on: $0)
    }
    try await database.run([Self.beginning])
  }

  /// Prepares a query by names.
  ///
  /// A condition with nearest neighbours costs a round trip, other conditions none.
  ///
  /// - Parameters:
  ///   - query: The query, made in a store with the schema of the database; supplies condition and
  ///     orders.
  ///   - id: In the direction of an order by ID, only finds results after the object with this ID;
  ///     nil for all.
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: The query, before its first result.
  /// - Throws: `ObjectBoxError.illegalArgument` for an entity that the model lacks, and for nearest
  ///   neighbours among too many vectors to compare; ``ClusterError``.
  package func results(
    of query: DynamicQuery,
    after id: UInt64? = nil,
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> Results {
    let selection = query.selection
    let table = try table(of: query)
    var condition = selection.condition
    if let open = condition, open.hasNearest {
      condition = try await NearestSearch(open, of: table, in: self).condition
    }
    if let id {
      let isDescending = selection.orders.first?.has(.descending) ?? false
      let comparison: PropertyCondition.Comparison = isDescending ? .less : .greater
      let behind = try Condition.comparingID(comparison, [id], of: table.schema)
      condition = .all([condition, behind].compactMap(\.self))
    }
    let run = QueryRun(
      tables: tables,
      table: table,
      condition: condition,
      orders: selection.orders
    )
    return Results(
      run: run,
      statements: CursorStatements(try run.objects(offset: offset, limit: limit), limit: limit)
    )
  }

  private func table(of query: DynamicQuery) throws -> ClusterTable {
    guard let table = tables.table(entity: query.entityID) else {
      throw ObjectBoxError.illegalArgument(message: "the database has no such entity")
    }
    return table
  }

  /// Reads the next results in order; nil at the end.
  ///
  /// - Parameter results: The query.
  /// - Returns: One batch of records, in one round trip.
  /// - Throws: ``ClusterError``.
  package func next(_ results: inout Results) async throws -> [MovingRecord]? {
    guard let batch = results.statements.next() else { return nil }
    let rows = try await database.run(batch).last
    if let closing = results.statements.note(rows) { _ = try await database.run([closing]) }
    guard let rows else { return nil }
    return try records(rows, of: results.run.table)
  }

  /// Returns the results of a search for neighbours or words with their scores, the best first.
  ///
  /// - Parameters:
  ///   - query: The query, made in a store with the schema of the database; its orders are ignored.
  ///   - offset: Number of best results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: Records and scores; the scores equal the embedded store's.
  /// - Throws: The same errors as ``results(of:after:offset:limit:)``; `illegalState` for a query without such a
  ///   search.
  package func scored(
    _ query: DynamicQuery,
    offset: Int = 0,
    limit: Int
  ) async throws -> [(record: MovingRecord, score: Double)] {
    let table = try table(of: query)
    let found = try await ScoredRows(
      query.selection.condition,
      of: table,
      offset: offset,
      limit: limit,
      in: self,
      reading: .objects
    )
    let encoding = RowEncoding(table)
    return try found.results.map { result in
      (try record(found.rows, result.row, encoding, of: table), result.score)
    }
  }

  /// Returns the number of all results, regardless of offset and limit.
  package func count(of results: Results) async throws -> Int {
    Int(try await database.run([results.run.count(limit: 0)])[0].anyInteger(0, 0) ?? 0)
  }

  /// Returns the server's plan for the query.
  package func plan(of results: Results) async throws -> ClusterQueryPlan {
    let statements = ClusterQueryPlan.statements(results.statements.statement)
    return ClusterQueryPlan(
      try await database.run(statements),
      of: results.statements.statement
    )
  }
}
