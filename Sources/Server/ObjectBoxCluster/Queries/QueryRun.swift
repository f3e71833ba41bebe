internal import ObjectBox

/// The statements of one run of a query, with nearest neighbours already replaced by IDs.
struct QueryRun {
  let tables: ClusterTables
  let table: ClusterTable
  let condition: Condition?
  let orders: [QueryOrder]
  /// The place in the order after which the results begin; nil for all.
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

  /// Returns the statement for the IDs, and the numbers by which a search scores them.
  ///
  /// Objects with equal numbers have equal scores, so only those with the least IDs can be among the first results. The
  /// server leaves out the others if it has no places of words to compare.
  ///
  /// - Parameters:
  ///   - search: The search that gives scores.
  ///   - limit: The number of results that are wanted; 0 for all.
  /// - Returns: The statement.
  /// - Throws: `ObjectBoxError` when the condition does not fit the model.
  func words(_ search: WordSearch, limit: Int) throws -> Statement {
    var parts = try parts()
    let words = WordRendering(search, parts.alias)
    let columns = words.scoreColumns(parts.alias, &parts.rendering)
    let all =
      "SELECT \(parts.alias).\(table.id.name), \(columns.joined(separator: ", "))\(parts.source)"
    guard limit > 0, search.placedLeaves.isEmpty else {
      return Statement(all, parts.rendering.parameters)
    }
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let count = parts.rendering.parameter { $0.append(Int64(limit)) }
    return Statement(
      "SELECT id, \(names) FROM (SELECT s.*, row_number() OVER (PARTITION BY \(names) ORDER BY id) AS n "
        + "FROM (\(all)) AS s (id, \(names))) AS r WHERE n <= \(count)",
      parts.rendering.parameters
    )
  }

  /// Returns the statements that fail if searched texts of the condition have no words.
  func wordChecks() throws -> [Statement] { try parts().rendering.searches.map(\.check) }

  private func ordered(
    offset: Int,
    limit: Int,
    _ selection: (String) -> String
  ) throws -> Statement {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    var parts = try parts()
    let order = OrderRendering.sql(orders, of: table, as: parts.alias, in: tables)
    // Interpolation is slower, and each run of a query builds this text.
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
    try ObjectBoxError.checkPart(limit: limit)
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
