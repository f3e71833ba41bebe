/// Statements with integers, for trials that look past boxes.
extension ClusterTransaction {
  /// Runs a statement in the transaction.
  ///
  /// - Parameters:
  ///   - sql: SQL with parameters `$1` and so on.
  ///   - values: Their values, as bigint.
  /// - Returns: The integers of its rows.
  /// - Throws: As boxes of the transaction.
  package func run(_ sql: String, _ values: [Int64] = []) async throws -> [[Int64]] {
    try await run([Statement(sql, values)])[0].integers
  }
}

extension Cluster {
  /// Runs a statement that may be repeated.
  package func run(_ sql: String, _ values: [Int64] = []) async throws -> [[Int64]] {
    try await pool.read([Statement(sql, values)])[0].integers
  }

  /// Returns the name in SQL of an entity's table.
  package func tableName(of entity: String) -> String { tables.table(named: entity)?.name ?? "" }
}

extension Statement {
  fileprivate init(_ sql: String, _ values: [Int64]) {
    self.init(sql) { parameters in
      for value in values { parameters.append(value) }
    }
  }
}

extension ResultRows {
  fileprivate var integers: [[Int64]] {
    (0..<count).map { row in (0..<columnCount).compactMap { anyInteger(row, $0) } }
  }
}
