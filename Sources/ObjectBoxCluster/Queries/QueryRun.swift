internal import ObjectBox

/// The statements of one run of a query, with nearest neighbours already replaced by IDs.
struct QueryRun {
  let tables: ClusterTables
  let table: ClusterTable
  let condition: Condition?
  let orders: [QueryOrder]
  /// The place in the order behind which the results begin; nil for all.
  var cursor: PageCursor?

  /// The parts common to all statements of a run.
  struct Parts {
    var rendering: ConditionRendering
    /// The name of the entity's table in the statement.
    let alias: String
    /// FROM and, with a condition, WHERE.
    let source: String
  }

  func parts() throws -> Parts {
    var rendering = ConditionRendering(tables)
    let alias = rendering.newAlias()
    var source = " FROM "
    source += table.name
    source += " "
    source += alias
    if let cursor { return try parts(behind: cursor, alias, source, rendering) }
    if let condition {
      source += " WHERE "
      source += try rendering.sql(condition, of: table, as: alias)
    }
    return Parts(rendering: rendering, alias: alias, source: source)
  }

  /// Returns the statement for the ordered objects.
  func objects(offset: Int, limit: Int) throws -> Statement {
    try ordered(offset: offset, limit: limit) { table.selection(as: $0) }
  }

  /// Returns the statement for the ordered IDs.
  func ids(offset: Int, limit: Int) throws -> Statement {
    try ordered(offset: offset, limit: limit) { "\($0).\(table.id.name)" }
  }

  /// Returns the statement for the objects and one more column, the last.
  func objects(and column: Column) throws -> Statement {
    try ordered(offset: 0, limit: 0) { "\(table.selection(as: $0)), \($0).\(column.name)" }
  }

  /// Returns the statement for the IDs and one more column.
  func ids(and column: Column) throws -> Statement {
    try ordered(offset: 0, limit: 0) { "\($0).\(table.id.name), \($0).\(column.name)" }
  }

  private func ordered(
    offset: Int,
    limit: Int,
    _ selection: (String) -> String
  ) throws -> Statement {
    var parts = try parts()
    let order = OrderRendering.sql(orders, of: table, as: parts.alias, in: tables)
    // Interpolation is slower, and each run of a query makes this text.
    var sql = "SELECT "
    sql += selection(parts.alias)
    sql += parts.source
    sql += " ORDER BY "
    sql += order
    sql += parts.rendering.page(offset: offset, limit: limit)
    return Statement(sql, parts.rendering.parameters)
  }

  /// Returns the statement for the number of results.
  func count(limit: Int) throws -> Statement {
    var parts = try parts()
    var sql = "SELECT count(*)\(parts.source)"
    if limit > 0 {
      sql = "SELECT count(*) FROM (SELECT\(parts.source)"
      sql += parts.rendering.page(offset: 0, limit: limit) + ") q"
    }
    return Statement(sql, parts.rendering.parameters)
  }
}

extension ConditionRendering {
  /// Returns LIMIT and OFFSET.
  mutating func page(offset: Int, limit: Int) -> String {
    var sql = ""
    if limit > 0 { sql += " LIMIT \(parameter { $0.append(Int64(limit)) })" }
    if offset > 0 { sql += " OFFSET \(parameter { $0.append(Int64(offset)) })" }
    return sql
  }
}
