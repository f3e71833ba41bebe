internal import ObjectBox

/// Numbers of columns, for aggregates.
extension Column {
  var isFloatingPoint: Bool { kind == .real || kind == .double }

  /// True for numbers of 64 bits whose column orders them as signed.
  var isWideUnsigned: Bool {
    let order = IntegerOrder(property)
    return kind == .bigint && order.flip == 0 && order.mask == .max
  }

  /// Returns the number of a value of the column: milliseconds for a timestamp.
  ///
  /// - Parameter value: SQL of the value.
  /// - Returns: SQL.
  func number(_ value: String) -> String {
    switch kind {
    case .bool: "\(value)::int"
    case .timestamp: "floor(extract(epoch FROM \(value)) * 1000)"
    case .bigint where isWideUnsigned:
      "(\(value)::numeric + CASE WHEN \(value) < 0 THEN 18446744073709551616 ELSE 0 END)"
    default: value
    }
  }

  /// Returns the least or greatest value of a group of rows; NaN is none.
  ///
  /// - Parameters:
  ///   - function: `min` or `max`.
  ///   - value: SQL of the values.
  /// - Returns: SQL.
  func extreme(_ function: String, of value: String) -> String {
    "\(function)(\(value))" + (isFloatingPoint ? " FILTER (WHERE \(value) <> 'NaN')" : "")
  }
}
