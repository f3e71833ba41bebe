internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

extension SyncedEntity {
  /// Returns the SQL of the objects that are in one of several scopes; nil if no object can be in any.
  func condition(_ scopes: [Scope], _ parameters: inout Parameters) -> String? {
    if scopes.contains(where: \.comparisons.isEmpty) { return "true" }
    var conditions: [String] = []
    for var group in groups(of: scopes) {
      var tests: [String?] = []
      if let column = group.column, group.ids.count > 1 {
        parameters.append(ids: group.ids)
        tests.append("\(column) = ANY ($\(parameters.count))")
      } else {
        group.others = group.first.comparisons
      }
      // Unused parameters of a scope that no object can be in do no harm.
      tests += group.others.map { test($0, &parameters) }
      let all = tests.compactMap(\.self)
      if all.count == tests.count { conditions.append("(\(all.joined(separator: " AND ")))") }
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
  }

  /// Scopes that differ only in the ID of the object or of a to-one relation's target, such as the scopes of a link.
  private struct ScopeGroup {
    let first: Scope
    /// The name of the column with the IDs; nil for a scope without such a comparison.
    let column: String?
    var ids: [UInt64] = []
    /// The comparisons that all these scopes share.
    var others: [Scope.Comparison]
  }

  /// Returns scopes in groups: a statement with thousands of separate conditions takes seconds to plan.
  private func groups(of scopes: [Scope]) -> [ScopeGroup] {
    var groups: [ScopeGroup] = []
    var places: [Scope: Int] = [:]
    for scope in scopes {
      guard let index = scope.comparisons.firstIndex(where: { idColumn($0) != nil }),
        case .integer(let id) = scope.comparisons[index].value
      else {
        groups.append(ScopeGroup(first: scope, column: nil, others: scope.comparisons))
        continue
      }
      let key = scope.comparisons[index]
      var others = scope.comparisons
      others.remove(at: index)
      // The ID is replaced by 0, which no object has.
      let shared = Scope(
        entity: scope.entity,
        others + [Scope.Comparison(key.property, key.test, .integer(0))]
      )
      let place = places[shared] ?? groups.count
      if place == groups.count {
        places[shared] = place
        groups.append(ScopeGroup(first: scope, column: idColumn(key), others: others))
      }
      groups[place].ids.append(UInt64(bitPattern: id))
    }
    return groups
  }

  /// Returns the name of the column of IDs for a comparison by ID; nil for other comparisons.
  private func idColumn(_ comparison: Scope.Comparison) -> String? {
    guard case .integer = comparison.value else { return nil }
    if comparison.test == .isObject { return table.id.name }
    guard comparison.test == .equals, let column = column(comparison.property),
      column.property.type == .relation
    else { return nil }
    return column.name
  }

  /// Returns the SQL of a comparison; nil when no object passes it.
  ///
  /// It passes the same rows as the protocol's comparison of values, since both select rows.
  private func test(_ comparison: Scope.Comparison, _ parameters: inout Parameters) -> String? {
    if comparison.test == .isObject {
      guard case .integer(let id) = comparison.value else { return nil }
      parameters.append(id)
      return "\(table.id.name) = $\(parameters.count)"
    }
    guard let column = column(comparison.property) else { return nil }
    switch comparison.test {
    case .isObject: return nil
    case .isPresent: return "\(column.name) IS NOT NULL"
    case .contains:
      guard column.kind == .texts,
        ServerValue.append(comparison.value, as: .text, to: &parameters)
      else { return nil }
      // This form can use a GIN index.
      return "\(column.name) @> ARRAY[$\(parameters.count)]"
    case .equals:
      if comparison.value == .null { return "\(column.name) IS NULL" }
      return column.comparison("=", comparison.value, &parameters)
    case .differs:
      // A value that the column cannot have differs from all of its values.
      return column.comparison("<>", comparison.value, &parameters) ?? "\(column.name) IS NOT NULL"
    case .below: return column.comparison("<", comparison.value, &parameters)
    case .atMost: return column.comparison("<=", comparison.value, &parameters)
    case .above: return column.comparison(">", comparison.value, &parameters)
    case .atLeast: return column.comparison(">=", comparison.value, &parameters)
    }
  }
}

extension Column {
  /// Returns the SQL of a comparison with a value; nil for a value that cannot be compared.
  fileprivate func comparison(
    _ comparison: String,
    _ value: PropertyValue,
    _ parameters: inout Parameters
  ) -> String? {
    switch (kind, value) {
    // Integers of any width: a literal of another width would not fit.
    case (.smallint, .integer(let number)), (.integer, .integer(let number)),
      (.bigint, .integer(let number)):
      parameters.append(number)
    case (.timestamp, .integer(let milliseconds)):
      return timestamps(comparison, milliseconds, &parameters)
    case (.real, .double(let bits)), (.double, .double(let bits)):
      parameters.append(Double(bitPattern: bits))
      // In PostgreSQL, NaN equals itself and is greater than infinity.
      let test = "\(name) \(comparison) $\(parameters.count)"
      return comparison.hasPrefix(">") || comparison == "<>"
        ? "(\(test) AND \(name) <= 'infinity')" : test
    default:
      guard ServerValue.append(value, as: kind, to: &parameters) else { return nil }
    }
    let parameter = "$\(parameters.count)" + (kind == .numeric ? "::numeric" : "")
    return self.comparison(name, comparison, parameter)
  }

  /// Returns the SQL of a comparison of dates.
  ///
  /// Other programs may store microseconds, but values of the protocol have milliseconds.
  private func timestamps(
    _ comparison: String,
    _ milliseconds: Int64,
    _ parameters: inout Parameters
  ) -> String? {
    guard ColumnKind.timestamps.contains(milliseconds) else { return nil }
    func parameter(_ microseconds: Int64) -> String {
      let timestamp = (milliseconds - ColumnKind.epoch) * 1_000 + microseconds
      parameters.append(kind.type) { $0.append(contentsOf: timestamp.bytes) }
      return "$\(parameters.count)"
    }
    switch comparison {
    case "<", ">=": return "\(name) \(comparison) \(parameter(0))"
    case "<=", ">": return "\(name) \(comparison) \(parameter(999))"
    default:
      let range = "\(name) BETWEEN \(parameter(0)) AND \(parameter(999))"
      return comparison == "=" ? range : "NOT (\(range))"
    }
  }
}

extension ServerLog {
  /// Returns the statement that searches for the objects of a link; nil if there are none.
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - limit: The greatest number of IDs.
  /// - Returns: The statement, with rows of IDs.
  func statement(of search: Grants.Search, limit: Int) -> Statement? {
    guard let target = entity(search.entity) else { return nil }
    var statement = Statement("")
    statement.parameters.append(Int64(limit))
    let among = search.ids.map { ids in
      statement.parameters.append(ids: ids)
      return " = ANY ($2)"
    }
    guard let condition = target.condition(search.scopes, &statement.parameters) else { return nil }
    let targets = "SELECT \(target.table.id.name) FROM \(target.table.name) WHERE (\(condition))"
    /// The ends of pairs with targets at the other end.
    func ends(_ end: String, by other: String, of relation: PropertyUID, from entity: SyncedEntity?)
      -> String?
    {
      entity?.pairs.first { PropertyUID($0.schema.identity.uid) == relation }.map { pairs in
        "SELECT DISTINCT \(end) FROM \(pairs.name) WHERE \(other) IN (\(targets))"
          + (among.map { " AND \(end)\($0)" } ?? "")
      }
    }
    let sql: String?
    switch search.relation {
    case .toOne: sql = targets + (among.map { " AND \(target.table.id.name)\($0)" } ?? "")
    case .toOneBacklink(let property):
      sql = target.column(property).map { column in
        "SELECT DISTINCT \(column.name) FROM \(target.table.name) WHERE \(column.name) <> 0 AND (\(condition))"
          + (among.map { " AND \(column.name)\($0)" } ?? "")
      }
    case .standalone(let relation, let source):
      sql = ends("source", by: "target", of: relation, from: entity(source))
    case .standaloneBacklink(let relation):
      sql = ends("target", by: "source", of: relation, from: target)
    }
    guard let sql else { return nil }
    statement.sql = sql + " LIMIT $1"
    return statement
  }
}
