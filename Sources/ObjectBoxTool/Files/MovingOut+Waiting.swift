internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxDynamic

/// Queries of a database, for a thread that waits.
extension MovingOut {
  /// Returns the number of all results of a query.
  func waitForCount(of query: DynamicQuery) throws -> Int {
    try Waiting.run { try await self.count(of: try await self.results(of: query)) }
  }

  /// Returns the plan of a query in words.
  func waitForPlan(of query: DynamicQuery, limit: Int) throws -> String {
    try Waiting.run { try await self.plan(of: try await self.results(of: query, limit: limit)) }
      .description
  }

  /// Passes the results of a query to a body, in their order.
  ///
  /// - Parameters:
  ///   - query: The query, of a store with the schema of the database.
  ///   - id: Passes only those behind the object with this ID, of a query in the order of IDs; nil for all.
  ///   - offset: How many results to leave out at the beginning.
  ///   - limit: How many to pass at most; 0 for all.
  ///   - body: Is passed a record, which is valid until it returns.
  /// - Throws: `ObjectBoxError` and `ClusterError`; the error of the body.
  func forEachRecord(
    of query: DynamicQuery,
    after id: UInt64? = nil,
    offset: Int = 0,
    limit: Int = 0,
    _ body: (FlatBufferReader) throws -> Void
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
