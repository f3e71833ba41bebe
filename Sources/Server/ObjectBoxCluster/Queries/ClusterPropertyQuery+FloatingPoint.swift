public import ObjectBox

extension ClusterPropertyQuery where T: BinaryFloatingPoint {
  private func total(isMean: Bool) async throws -> Double {
    let rows = try await values(ofType: .doubles) { _, values in
      ExactDoubleSum.statement("value", of: values, isMean: isMean)
    }
    return rows.double(0, 0) ?? 0
  }

  private func extreme(_ function: String) async throws -> T {
    let rows = try await values(ofType: .doubles) { column, values in
      "SELECT \(column.extreme(function, of: "value"))\(values)"
    }
    return T(rows.double(0, 0) ?? 0)
  }

  /// Returns the sum of the values, which the server adds exactly and then rounds; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func sum() async throws -> Double { try await total(isMean: false) }

  /// Returns the greatest value, ignoring NaN; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func max() async throws -> T { try await extreme("max") }

  /// Returns the least value, ignoring NaN; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func min() async throws -> T { try await extreme("min") }

  /// Returns the arithmetic mean of the values, their sum divided by their number; 0 when there is none.
  ///
  /// Throws the same errors as `sum()`.
  public func average() async throws -> Double { try await total(isMean: true) }

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
