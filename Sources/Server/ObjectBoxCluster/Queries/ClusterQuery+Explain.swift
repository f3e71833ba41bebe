internal import ObjectBox

extension ClusterQuery: CustomDebugStringConvertible {
  /// Returns the server's plan for the query without running it.
  ///
  /// - Parameters:
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: The plan in words, and as PostgreSQL prints it.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func explain(offset: Int = 0, limit: Int = 0) async throws -> ClusterQueryPlan {
    try await atOneVersion { try await $0.explained(offset, limit) }
  }

  private func explained(_ offset: Int, _ limit: Int) async throws -> ClusterQueryPlan {
    let statement = try await run().objects(offset: offset, limit: limit)
    let rows = try await source.run(ClusterQueryPlan.statements(statement))
    return ClusterQueryPlan(rows, of: statement)
  }

  /// Returns the entity, the conditions with their current parameters, and the orders.
  ///
  /// The text is meant for people and may change. It contains the conditions' values.
  public func describe() -> String {
    source.cluster.shape.describe(selection, entity: E.entityInfo.entitySchemaId)
      ?? E.entityInfo.entityName
  }

  /// The type, and the text of ``describe()``.
  public var debugDescription: String { "<ObjectBox.ClusterQuery \"\(describe())\">" }
}
