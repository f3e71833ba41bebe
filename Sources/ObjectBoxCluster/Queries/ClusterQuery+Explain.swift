internal import ObjectBox

extension ClusterQuery: CustomDebugStringConvertible {
  /// Returns the plan that the server has for the query, without running it.
  ///
  /// - Parameters:
  ///   - offset: How many results to leave out at the beginning.
  ///   - limit: How many to find at most; 0 for all.
  /// - Returns: The plan in words, and as PostgreSQL prints it.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func explain(offset: Int = 0, limit: Int = 0) async throws -> ClusterQueryPlan {
    try await atOneVersion { try await $0.explained(offset, limit) }
  }

  private func explained(_ offset: Int, _ limit: Int) async throws -> ClusterQueryPlan {
    let statement = try await run().objects(offset: offset, limit: limit)
    func explaining(_ options: String) -> Statement {
      var explaining = Statement(once: "EXPLAIN \(options)\(statement.sql)")
      explaining.parameters = statement.parameters
      return explaining
    }
    let rows = try await source.run([explaining("(FORMAT JSON) "), explaining("")])
    func lines(_ rows: ResultRows) -> String {
      (0..<rows.count).compactMap { rows.text($0, 0) }.joined(separator: "\n")
    }
    return ClusterQueryPlan(json: lines(rows[0]), raw: lines(rows[1]), sql: statement.sql)
  }

  /// Returns the entity, the conditions with their present parameters, and the orders.
  ///
  /// The text is for people and may change; it has the values of the conditions.
  public func describe() -> String {
    source.cluster.shape.describe(selection, entity: E.entityInfo.entitySchemaId)
      ?? E.entityInfo.entityName
  }

  /// The kind, and the text of ``describe()``.
  public var debugDescription: String { "<ObjectBox.ClusterQuery \"\(describe())\">" }
}
