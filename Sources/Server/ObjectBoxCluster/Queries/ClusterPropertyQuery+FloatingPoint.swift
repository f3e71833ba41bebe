public import ObjectBox

extension ClusterPropertyQuery where T: BinaryFloatingPoint {
  /// Returns the sum and the number of values, added in the order of IDs so that rounding is
  /// reproducible.
  private func total() async throws -> (sum: Double, count: Int) {
    // An error of the server would end the transaction, so the values are added here.
    guard case .newest = query.source else { return try await totalOfValues() }
    do {
      let rows = try await values(ofType: .doubles) { _, values in
        "SELECT count(value), sum(value ORDER BY id)\(values)"
      }
      // Adding 0 turns a sum of negative zeros into 0.
      return (0 + (rows.double(0, 1) ?? 0), Int(rows.anyInteger(0, 0) ?? 0))
    } catch  where Self.isOverflow(error) {
      // The server refuses infinite sums.
      return try await totalOfValues()
    }
  }

  private func totalOfValues() async throws -> (sum: Double, count: Int) {
    let values = try await all(.doubles) { $0.double($1, 0) }
    return (values.reduce(0, +), values.count)
  }

  private static func isOverflow(_ error: any Error) -> Bool {
    let state = "22003"
    if let failure = error as? ServerFailure { return failure.state == state }
    if case ClusterError.server(let found, _) = error { return found == state }
    return false
  }

  private func extreme(_ function: String) async throws -> T {
    let rows = try await values(ofType: .doubles) { _, values in
      "SELECT \(function)(value)\(values) AND value <> 'NaN'"
    }
    return T(rows.double(0, 0) ?? 0)
  }

  /// Returns the sum of the values.
  ///
  /// The server adds them, except in a transaction and when the sum overflows: then all values are
  /// read. Throws `ObjectBoxError` and ``ClusterError``.
  public func sum() async throws -> Double { try await total().sum }

  /// Returns the greatest value, ignoring NaN; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func max() async throws -> T { try await extreme("max") }

  /// Returns the least value, ignoring NaN; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func min() async throws -> T { try await extreme("min") }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws the same errors as `sum()`.
  public func average() async throws -> Double {
    let total = try await total()
    return total.count == 0 ? 0 : total.sum / Double(total.count)
  }

  private func value(_ rows: ResultRows, _ row: Int) -> T? {
    rows.double(row, 0).map { T($0) }
  }

  /// Returns the values.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findDoubles() async throws -> [Double] where T == Double {
    try await all(.doubles, value)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUniqueDouble() async throws -> Double? where T == Double {
    try await only(.doubles, value)
  }

  /// Returns the values.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findFloats() async throws -> [Float] where T == Float {
    try await all(.doubles, value)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUniqueFloat() async throws -> Float? where T == Float {
    try await only(.doubles, value)
  }
}

extension ClusterPropertyQuery where T: ScalarPropertyType, T.Scalar: BinaryFloatingPoint {
  /// Returns the query with nulls counted as a value.
  public func with(nullValue: T.Scalar) -> Self {
    replacingNull(by: .doubles([Double(nullValue)]))
  }
}
