internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxDynamic

/// Queries of a database for a thread that waits.
extension MovingOut {
  /// Returns the number of all results of a query.
  func waitForCount(of query: DynamicQuery) throws -> Int {
    try Waiting.run { try await self.count(of: try await self.results(of: query)) }
  }

  /// Returns the plan of a query as text.
  func waitForPlan(of query: DynamicQuery, limit: Int) throws -> String {
    try Waiting.run { try await self.plan(of: try await self.results(of: query, limit: limit)) }
      .description
  }

  /// Passes the results of a query to a body, in their order.
  ///
  /// - Parameters:
  ///   - query: The query, made in a store with the schema of the database.
  ///   - id: In a query ordered by ID, only passes results after the object with this ID; nil for
  ///     all.
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  ///   - body: Gets a record, valid until it returns.
  /// - Throws: `ObjectBoxError` and `ClusterError`; the error of the body.
  func forEachRecord(
    of query: DynamicQuery,
    after id: UInt64? = nil,
    offset: Int = 0,
    limit: Int = 0,
    _ body: (RecordReader) throws -> Void
  ) throws {
    var results: Results?
    while true {
      let (state, records) = try Waiting.run { [results] in
        var state: Results
        if let results {
          state = results
        } else {
          state = try await self.results(of: query, after: id, offset: offset, limit: limit)
        }
        let records = try await self.next(&state)
        return (state, records)
      }
      guard let records else { return }
      results = state
      for record in records { try record.reading(body) }
    }
  }
}
