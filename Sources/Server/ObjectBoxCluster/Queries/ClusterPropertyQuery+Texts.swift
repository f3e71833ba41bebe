public import Foundation
public import ObjectBox

extension ClusterPropertyQuery where T: StringPropertyType {
  /// Returns the query with each value counted once.
  ///
  /// - Parameter caseSensitiveCompare: False to treat values that differ only in case as equal, in
  ///   every script; the first of equal values is kept.
  /// - Returns: A query for distinct values.
  public func distinct(caseSensitiveCompare: Bool) -> Self {
    distinct(foldsCase: !caseSensitiveCompare)
  }

  /// Returns the values.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findStrings() async throws -> [String] { try await all(.texts, value) }

  /// Returns the last value; nil when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findString() async throws -> String? { try await last(.texts, value) }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUniqueString() async throws -> String? { try await only(.texts, value) }

  private func value(_ rows: ResultRows, _ row: Int) -> String? { rows.text(row, 0) }
}

extension ClusterPropertyQuery where T == String? {
  /// Returns the query with nulls counted as a value.
  public func with(nullString: String) -> Self { replacingNull(by: .texts([nullString])) }
}

extension ClusterPropertyQuery where T: EncodedPropertyType {
  /// Returns the values.
  ///
  /// Throws `ObjectBoxError.propertyTypeMismatch` for a text that encodes no value, other cases of
  /// `ObjectBoxError`, and ``ClusterError``.
  public func find() async throws -> [T.Encoded] { try await all(.texts, decoded) }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUnique() async throws -> T.Encoded? { try await only(.texts, decoded) }

  fileprivate func decoded(_ rows: ResultRows, _ row: Int) throws -> T.Encoded? {
    guard let bytes = rows.bytes(row, 0) else { return nil }
    return try T.Encoded.checkedValue(in: bytes, of: propertyName, E.entityInfo.entityName, .shown)
  }
}

extension ClusterPropertyQuery where T: UUIDPropertyType {
  /// Returns the UUIDs.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findUUIDs() async throws -> [UUID] { try await find() }

  /// Returns the last UUID; nil when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findUUID() async throws -> UUID? { try await last(.texts, decoded) }

  /// Returns the only UUID; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several, others, and ``ClusterError``.
  public func findUniqueUUID() async throws -> UUID? { try await findUnique() }
}

extension ClusterPropertyQuery where T: EncodedPropertyType, T.Encoded == Decimal {
  private func total() async throws -> DecimalSum {
    let rows = try await values(ofType: .texts) { _, values in
      "SELECT coalesce(sum(value::numeric), 0)::text, count(value)\(values)"
    }
    return DecimalSum(rows.text(0, 0) ?? "0", count: Int(rows.anyInteger(0, 1) ?? 0))
  }

  private func extreme(_ function: String) async throws -> Decimal {
    let rows = try await values(ofType: .texts) { _, values in
      "SELECT \(function)(value::numeric)::text\(values)"
    }
    return try decoded(rows, 0) ?? 0
  }

  /// Returns the sum of the values: exact if a `Decimal` holds it, else rounded once, to 38 digits.
  ///
  /// Throws `ObjectBoxError.unknown` with code 10004 when the sum exceeds the greatest `Decimal`,
  /// other cases of `ObjectBoxError`, and ``ClusterError``.
  public func sum() async throws -> Decimal {
    guard let sum = try await total().divided(by: 1) else {
      throw ObjectBoxError.sumOverflow("the sum does not fit into Decimal")
    }
    return sum
  }

  /// Returns the arithmetic mean of the values, rounded like `sum()`; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func average() async throws -> Decimal {
    let total = try await total()
    return total.divided(by: Swift.max(1, total.count)) ?? 0
  }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func max() async throws -> Decimal { try await extreme("max") }

  /// Returns the least value; 0 when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func min() async throws -> Decimal { try await extreme("min") }

  /// Returns the query with nulls counted as a value.
  public func with(nullValue: Decimal) -> Self {
    replacingNull(by: .texts([nullValue.description]))
  }
}
