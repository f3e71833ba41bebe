internal import ObjectBox

/// Renders the orders of a query as SQL.
enum OrderRendering {
  /// Returns the terms of ORDER BY; equal objects are in the order of their IDs.
  ///
  /// - Parameters:
  ///   - orders: The orders of the query, already checked against the model.
  ///   - table: The table of the entity.
  ///   - alias: The name of the table in the statement.
  ///   - tables: The tables of related objects.
  /// - Returns: SQL.
  static func sql(
    _ orders: [QueryOrder],
    of table: ClusterTable,
    as alias: String,
    in tables: ClusterTables
  ) -> String {
    terms(orders, of: table, as: alias, in: tables).map(\.sql).joined(separator: ", ")
  }

  /// Returns the condition that a row comes after another one in the order of a query.
  ///
  /// - Parameters:
  ///   - orders: The orders of the query, already checked against the model.
  ///   - table: The table of the entity.
  ///   - alias: The name of the table in the statement.
  ///   - other: The name of the other row.
  ///   - tables: The tables of related objects.
  ///   - hasFirst: True when the other row has a value of the first ordering property.
  /// - Returns: SQL, true or not for each row.
  static func behind(
    _ orders: [QueryOrder],
    of table: ClusterTable,
    as alias: String,
    _ other: String,
    in tables: ClusterTables,
    hasFirst: Bool
  ) -> String {
    let pairs = zip(
      terms(orders, of: table, as: alias, in: tables),
      terms(orders, of: table, as: other, in: tables)
    )
    var equal = ""
    var parts: [String] = []
    for (own, place) in pairs {
      parts.append("(\(equal)\(own.follows(place)))")
      equal += "\(own.key) IS NOT DISTINCT FROM \(place.key) AND "
    }
    let rows = "(" + parts.joined(separator: " OR ") + ")"
    guard hasFirst, let (own, place) = pairs.first(where: { _ in true }), own.nulls != .last else {
      return rows
    }
    // This follows from the rest, but lets an index on the key begin there.
    return "\(own.key) \(own.isDescending ? "<=" : ">=") \(place.key) AND \(rows)"
  }

  /// One term of ORDER BY.
  private struct Term {
    /// The place of nulls.
    enum Nulls: String {
      case first = " NULLS FIRST"
      case last = " NULLS LAST"
    }

    var key: String
    var isDescending: Bool
    /// Nil for a key that is never null.
    var nulls: Nulls?

    var sql: String { key + (isDescending ? " DESC" : " ASC") + (nulls?.rawValue ?? "") }

    /// The condition that this key comes after another row's key.
    func follows(_ other: Self) -> String {
      let comparison = "\(key) \(isDescending ? "<" : ">") \(other.key)"
      return switch nulls {
      case .first: "(\(comparison) OR \(other.key) IS NULL AND \(key) IS NOT NULL)"
      case .last: "(\(comparison) OR \(key) IS NULL AND \(other.key) IS NOT NULL)"
      case nil: comparison
      }
    }
  }

  private static func terms(
    _ orders: [QueryOrder],
    of table: ClusterTable,
    as alias: String,
    in tables: ClusterTables
  ) -> [Term] {
    var terms: [Term] = []
    var isByID = false
    for order in QueryOrder.deciding(orders, entity: table.schema) {
      guard let source = KeySource(order, of: table, as: alias, in: tables) else { continue }
      isByID = source.column.isID && order.path.isEmpty
      terms += self.terms(order, source)
    }
    // IDs are unsigned; none is above the greatest signed number.
    if !isByID { terms.append(Term(key: "\(alias).\(table.id.name)", isDescending: false)) }
    return terms
  }

  private static func terms(_ order: QueryOrder, _ source: KeySource) -> [Term] {
    let isDescending = order.has(.descending)
    let (column, alias) = (source.column, source.alias)
    if column.isID, order.path.isEmpty {
      return [Term(key: "\(alias).\(column.name)", isDescending: isDescending)]
    }
    var value = source.value(
      column.kind == .text
        ? column.text(alias, folded: !order.has(.caseSensitive)) : "\(alias).\(column.name)"
    )
    var placesNullsLast = order.has(.nullsLast)
    if order.has(.nullsZero) {
      if let zero = column.zero {
        value = "coalesce(\(value), \(zero))"
      } else {
        // The key has no bytes, so it is less than all other values.
        placesNullsLast = order.has(.descending)
      }
    }
    let isUnsigned = order.has(.unsigned) || column.property.has(.unsigned)
    var keys = [value]
    if !order.has(.nullsZero), order.path.isEmpty,
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
    return keys.map {
      Term(key: $0, isDescending: isDescending, nulls: placesNullsLast ? .last : .first)
    }
  }
}

/// The column of an order, and the table that has it.
private struct KeySource {
  let column: Column
  /// The name of the column's table in the statement.
  let alias: String
  /// FROM and WHERE of the subquery that finds the related object; nil for the results' own table.
  private let subquery: String?

  /// Nil when the model lacks a part of the way.
  init?(
    _ order: QueryOrder,
    of table: ClusterTable,
    as host: String,
    in tables: ClusterTables
  ) {
    var (last, alias) = (table, host)
    var source = ""
    var condition = ""
    for (index, step) in order.path.enumerated() {
      guard let relation = last.column(property: step.relationID),
        let target = tables.table(entity: step.target)
      else { return nil }
      let name = "\(host)_\(index)"
      let isTarget = "\(name).\(target.id.name) = \(alias).\(relation.name)"
      if index == 0 {
        source = " FROM \(target.name) \(name)"
        condition = " WHERE \(isTarget)"
      } else {
        source += " JOIN \(target.name) \(name) ON \(isTarget)"
      }
      (last, alias) = (target, name)
    }
    guard let column = last.column(property: order.propertyID) else { return nil }
    self.column = column
    self.alias = alias
    subquery = order.path.isEmpty ? nil : source + condition
  }

  /// Returns the SQL of a value of the column's table, for a row of the results.
  func value(_ sql: String) -> String { subquery.map { "(SELECT \(sql)\($0))" } ?? sql }
}

extension Column {
  /// True if numbers are unsigned and have 32 bits; in a bigint they are never negative.
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
