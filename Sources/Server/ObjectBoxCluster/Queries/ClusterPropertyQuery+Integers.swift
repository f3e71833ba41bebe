public import ObjectBox

extension ClusterPropertyQuery where T: FixedWidthInteger {
  /// The sum, count, least and greatest of values; not negative for unsigned properties.
  private struct Summary {
    var sum: Int128
    var count: Int
    var least: Int128
    var greatest: Int128
  }

  private func summary() async throws -> Summary {
    let rows = try await values(ofType: .integers) { column, values in
      let value = Self.number(in: column)
      return "SELECT count(value), coalesce(sum(\(value)), 0)::text,"
        + " coalesce(min(\(value)), 0)::text, coalesce(max(\(value)), 0)::text\(values)"
    }
    func number(_ column: Int) -> Int128 { rows.text(0, column).flatMap { Int128($0) } ?? 0 }
    return Summary(
      sum: number(1),
      count: Int(rows.anyInteger(0, 0) ?? 0),
      least: number(2),
      greatest: number(3)
    )
  }

  /// The SQL of the number; a property of an unsigned type need not have the unsigned flag.
  private static func number(in column: Column) -> String {
    let isMarked = column.property.has(.unsigned)
    guard isMarked || !T.isSigned else { return "value" }
    let mask = isMarked ? IntegerOrder(column.property).mask : UInt64(T.max)
    return mask == .max
      ? "(value::numeric + CASE WHEN value < 0 THEN 18446744073709551616 ELSE 0 END)"
      : "(value & \(mask))"
  }

  /// Returns the sum of the values.
  ///
  /// Throws `ObjectBoxError.unknown` with code 10004 when the sum does not fit, other cases of
  /// `ObjectBoxError`, and ``ClusterError``.
  public func sum() async throws -> Int64 { try await summary().sum.narrowed(to: Int64.self) }

  /// Returns the sum of the values, like `sum()`.
  public func sumInt() async throws -> Int { try await summary().sum.narrowed(to: Int.self) }

  /// Returns the sum of the values as an unsigned number, like `sum()`; a negative sum does not
  /// fit.
  public func sumUnsigned() async throws -> UInt64 {
    try await summary().sum.narrowed(to: UInt64.self)
  }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func max() async throws -> T { T(truncatingIfNeeded: try await summary().greatest) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func min() async throws -> T { T(truncatingIfNeeded: try await summary().least) }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func average() async throws -> Double {
    let total = try await summary()
    return total.count == 0 ? 0 : total.sum.mean(of: total.count)
  }

  /// Returns the arithmetic mean of the values, truncated; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func averageInt() async throws -> T {
    let total = try await summary()
    return total.count == 0 ? 0 : T(truncatingIfNeeded: total.sum / Int128(total.count))
  }

  /// Returns the values.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func find() async throws -> [T] { try await all(.integers, value) }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUnique() async throws -> T? { try await only(.integers, value) }

  private func value(_ rows: ResultRows, _ row: Int) -> T? {
    rows.anyInteger(row, 0).map { T(truncatingIfNeeded: $0) }
  }
}

extension ClusterPropertyQuery where T: ScalarPropertyType, T.Scalar == Int64 {
  /// Returns the query with nulls counted as a value.
  public func with(nullValue: Int64) -> Self { replacingNull(by: .integers([nullValue])) }
}
