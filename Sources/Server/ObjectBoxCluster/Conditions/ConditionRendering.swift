internal import ObjectBox

/// Renders conditions as SQL in which each value is a parameter.
///
/// The text depends on a condition's form, not on the number of values in a list, so the server
/// keeps few plans. Conditions were already checked against the model.
struct ConditionRendering {
  let tables: ClusterTables
  var parameters = Parameters()
  private var aliasCount = 0
  /// The searches for words in the conditions so far.
  var searches: [WordSearch] = []

  init(_ tables: ClusterTables) {
    self.tables = tables
  }

  /// Returns a table alias that the statement does not use yet.
  mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// Appends a parameter, and returns its SQL.
  mutating func parameter(_ append: (inout Parameters) -> Void) -> String {
    append(&parameters)
    return "$\(parameters.count)"
  }

  /// Returns a condition as SQL: true for matching rows, false or null for other rows.
  ///
  /// - Parameters:
  ///   - condition: The condition, without nearest neighbours.
  ///   - table: The table of its entity.
  ///   - alias: The name of the table in the statement.
  /// - Returns: SQL.
  /// - Throws: `ObjectBoxError` when the condition does not fit the model.
  mutating func sql(
    _ condition: Condition,
    of table: ClusterTable,
    as alias: String
  ) throws -> String {
    switch condition {
    case .all(let parts): try joined(parts, "AND", empty: "true", table, alias)
    case .any(let parts): try joined(parts, "OR", empty: "false", table, alias)
    case .property(let condition): try sql(condition, table, alias)
    case .link(let link): try sql(link, table, alias)
    }
  }

  private mutating func joined(
    _ parts: [Condition],
    _ word: String,
    empty: String,
    _ table: ClusterTable,
    _ alias: String
  ) throws -> String {
    var texts: [String] = []
    for part in parts { texts.append(try sql(part, of: table, as: alias)) }
    return texts.isEmpty ? empty : "(" + texts.joined(separator: " \(word) ") + ")"
  }

  private mutating func sql(
    _ link: LinkCondition,
    _ table: ClusterTable,
    _ alias: String
  ) throws -> String {
    guard let target = tables.table(entity: link.target) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link leads to '\(link.targetName)', which the model lacks; run the generator again"
      )
    }
    let other = newAlias()
    let condition = try sql(link.condition, of: target, as: other)
    let ends = try tables.columns(of: link.end, from: table, to: target)
    let related: String
    if let pairs = ends.pairs {
      let pair = newAlias()
      related =
        " FROM \(pairs) \(pair)"
        + " JOIN \(target.name) \(other) ON \(other).\(target.id.name) = \(pair).\(ends.target)"
        + " WHERE \(pair).\(ends.host) = \(alias).\(table.id.name) AND \(condition)"
    } else {
      related =
        " FROM \(target.name) \(other)"
        + " WHERE \(other).\(ends.target) = \(alias).\(ends.host) AND \(condition)"
    }
    guard let aggregate = link.aggregate else { return "EXISTS (SELECT\(related))" }
    let test = try RelatedTest(aggregate, of: target.schema)
    let column = test.property.map { target.column(property: $0.identity.id) ?? Column($0) }
    return sql(test, column.map { RelatedColumn(column: $0) }, other, of: related)
  }

  /// Returns the comparison of an aggregate of rows.
  private mutating func sql(
    _ test: RelatedTest,
    _ column: RelatedColumn?,
    _ alias: String,
    of rows: String
  ) -> String {
    let comparison = test.aggregate.comparison
    if case .integer(0) = test.operand, column == nil {
      switch comparison {
      case .equal: return "NOT EXISTS (SELECT\(rows))"
      case .greater, .notEqual: return "EXISTS (SELECT\(rows))"
      default: break
      }
    }
    let operation =
      comparison == .equal ? "=" : comparison == .notEqual ? "<>" : comparison.rawValue
    var value =
      column?.statement(test.aggregate.function, alias, of: rows) ?? "SELECT count(*)\(rows)"
    let operand: String
    switch test.operand {
    // A comparison of any sum with any literal is exact.
    case .integer(let number): operand = parameter { $0.append("\(number)") } + "::numeric"
    case .double(let number):
      // In PostgreSQL, NaN equals itself and is greater than all numbers.
      if number.isNaN { return "false" }
      value = "SELECT nullif((\(value)), 'NaN')"
      operand = parameter { $0.append(number) }
    case .text(let text): return compare("(\(value))", comparison, text)
    }
    return "(\(value)) \(operation) \(operand)"
  }

  private mutating func sql(
    _ condition: PropertyCondition,
    _ table: ClusterTable,
    _ alias: String
  ) throws -> String {
    if let search = try WordSearch(condition, of: table) { return sql(search, as: alias) }
    let property = try ConditionTypes.property(condition.propertyID, in: table.schema)
    let column = table.column(property: property.identity.id) ?? Column(property)
    let name = "\(alias).\(column.name)"
    switch condition.comparison {
    case .isNil: return "\(name) IS NULL"
    case .isNotNil: return "\(name) IS NOT NULL"
    default: break
    }
    switch try ConditionTypes.operand(of: condition, for: property) {
    case .integers(let values): return integers(condition.comparison, values, column, name)
    case .doubles(let values): return doubles(condition.comparison, values, column, name)
    case .texts(let values): return texts(condition, values, column, alias)
    case .bytes(let values): return bytes(condition.comparison, values, column, name)
    // These were replaced by bytes, integers or IDs before.
    case .none, .dates, .encoded, .nearest, .matching: return "false"
    }
  }
}

/// The columns by which an end of a relation is followed.
struct RelationColumns {
  /// The table of pairs of a standalone relation; nil for a to-one relation and its backlink.
  var pairs: String?
  /// The column of the pairs or of the hosts' table that identifies the host.
  var host: String
  /// The column of the pairs or of the targets' table that identifies the target.
  var target: String
}

extension ClusterTables {
  /// Returns the columns of an end of a relation.
  ///
  /// - Parameters:
  ///   - end: The end at the hosts.
  ///   - host: The table of the hosts; nil unless the end is a property of the host.
  ///   - target: The table of the related objects.
  /// - Returns: Names, quoted.
  /// - Throws: `ObjectBoxError.illegalArgument` when the model lacks the relation.
  func columns(
    of end: RelationEnd,
    from host: ClusterTable?,
    to target: ClusterTable
  ) throws -> RelationColumns {
    switch end {
    case .toOne(let id):
      guard let column = host?.column(property: id) else { break }
      return RelationColumns(host: column.name, target: target.id.name)
    case .toOneBacklink(let id):
      guard let column = target.column(property: id) else { break }
      return RelationColumns(host: host?.id.name ?? "", target: column.name)
    case .standalone(let id):
      guard let pairs = pairs(relation: id) else { break }
      return RelationColumns(pairs: pairs.name, host: "source", target: "target")
    case .standaloneBacklink(let id):
      guard let pairs = pairs(relation: id) else { break }
      return RelationColumns(pairs: pairs.name, host: "target", target: "source")
    }
    throw ObjectBoxError.illegalArgument(
      message:
        "a relation to '\(target.schema.name)' is not in the model of the cluster; run the generator again"
    )
  }
}
