internal import ObjectBox

/// Renders the orders of a query as SQL.
enum OrderRendering {
  /// Returns the terms of ORDER BY; equal objects are in the order of their IDs.
  ///
  /// - Parameters:
  ///   - orders: The orders of the query, already checked against the model.
  ///   - table: The table of the entity.
  ///   - alias: The name of the table in the statement.
  /// - Returns: SQL.
  static func sql(_ orders: [QueryOrder], of table: ClusterTable, as alias: String) -> String {
    var parts: [String] = []
    var isByID = false
    for order in QueryOrder.deciding(orders, entity: table.schema) {
      guard let column = table.column(property: order.propertyID) else { continue }
      isByID = column.isID
      parts += sql(order, column, alias)
    }
    // IDs are unsigned; none is above the greatest signed number.
    if !isByID { parts.append("\(alias).\(table.id.name)") }
    return parts.joined(separator: ", ")
  }

  private static func sql(_ order: QueryOrder, _ column: Column, _ alias: String) -> [String] {
    let direction = order.has(.descending) ? " DESC" : " ASC"
    if column.isID { return ["\(alias).\(column.name)\(direction)"] }
    var value =
      column.kind == .text
      ? column.text(alias, folded: !order.has(.caseSensitive)) : "\(alias).\(column.name)"
    var placesNullsLast = order.has(.nullsLast)
    if order.has(.nullsZero) {
      if let zero = column.zero {
        value = "coalesce(\(value), \(zero))"
      } else {
        // The key has no bytes, so it is less than all values.
        placesNullsLast = order.has(.descending)
      }
    }
    let isUnsigned = order.has(.unsigned) || column.property.has(.unsigned)
    var keys = [value]
    if !order.has(.nullsZero),
      let beginning = column.indexedBeginning(
        of: value,
        isFolded: column.kind == .text && !order.has(.caseSensitive)
      )
    {
      keys = [beginning, value]
    }
    switch column.kind {
    case .timestamp where isUnsigned: keys = ["(\(value) < timestamptz 'epoch')", value]
    case .bigint where isUnsigned && !column.isNarrow:
      keys = ["(\(value) # '\(Int64.min)'::bigint)"]
    case .smallint where isUnsigned && !column.property.has(.unsigned):
      keys = ["(\(value)::int & \(column.property.type == .byte ? 0xFF : 0xFFFF))"]
    case .integer where isUnsigned && !column.property.has(.unsigned):
      keys = ["(\(value)::bigint & \(UInt32.max))"]
    default: break
    }
    let nulls = placesNullsLast ? " NULLS LAST" : " NULLS FIRST"
    return keys.map { $0 + direction + nulls }
  }
}

extension Column {
  /// Whether numbers are unsigned and have 32 bits; in a bigint they are never negative.
  fileprivate var isNarrow: Bool { property.type == .int }

  /// The value that replaces null where nulls are zero; nil for a type without a zero.
  fileprivate var zero: String? {
    switch kind {
    case .bool: "false"
    case .smallint, .integer, .bigint, .real, .double, .numeric: "0"
    case .timestamp: "timestamptz 'epoch'"
    case .text: "''"
    case .bytes: "''::bytea"
    case .uuid, .integers, .bigints, .reals, .texts: nil
    }
  }
}
