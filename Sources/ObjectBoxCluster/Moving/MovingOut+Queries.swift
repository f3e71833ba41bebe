package import ObjectBox

extension MovingOut {
  /// A query of the snapshot that is read.
  package struct Results: Sendable {
    fileprivate let run: QueryRun
    fileprivate var statements: CursorStatements
  }

  /// Prepares a query by names.
  ///
  /// - Parameters:
  ///   - query: The query, of a store with the schema of the database; for its condition and orders.
  ///   - offset: How many results to leave out at the beginning.
  ///   - limit: How many to find at most; 0 for all.
  /// - Returns: The query, before its first result.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for nearest neighbours, and for an entity that the model lacks.
  package func results(
    of query: DynamicQuery,
    offset: Int = 0,
    limit: Int = 0
  ) throws -> Results {
    let selection = query.selection
    guard let table = tables.table(entity: query.entityID) else {
      throw ObjectBoxError.illegalArgument(message: "the database has no such entity")
    }
    if selection.condition?.hasNearest ?? false {
      throw ObjectBoxError.illegalArgument(
        message:
          "'is nearest to' is searched in store files only; use ObjectBoxCluster in a program, or copy the "
          + "database to a store"
      )
    }
    let run = QueryRun(
      tables: tables,
      table: table,
      condition: selection.condition,
      orders: selection.orders
    )
    return Results(
      run: run,
      statements: CursorStatements(try run.objects(offset: offset, limit: limit))
    )
  }

  /// Reads the next results in their order; nil at the end.
  ///
  /// - Parameter results: The query.
  /// - Returns: Some records, in one round trip.
  /// - Throws: ``ClusterError``.
  package func next(_ results: inout Results) async throws -> [MovingRecord]? {
    guard let batch = results.statements.next() else { return nil }
    let rows = try await database.run(batch).last
    if let closing = results.statements.note(rows) { _ = try await database.run([closing]) }
    guard let rows else { return nil }
    return try records(rows, of: results.run.table)
  }

  /// Returns the number of all results, whatever the offset and the limit.
  package func count(of results: Results) async throws -> Int {
    Int(try await database.run([results.run.count(limit: 0)])[0].anyInteger(0, 0) ?? 0)
  }

  /// Returns the plan that the server has for the query.
  package func plan(of results: Results) async throws -> ClusterQueryPlan {
    let statements = ClusterQueryPlan.statements(results.statements.statement)
    return ClusterQueryPlan(
      try await database.run(statements),
      of: results.statements.statement
    )
  }
}
