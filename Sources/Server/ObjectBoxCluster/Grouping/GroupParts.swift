internal import ObjectBox
internal import ObjectBoxGrouping

/// The statement that computes groups or parts of them, and the reading of its rows.
struct GroupParts {
  let statement: Statement
  private let plan: GroupPlan
  /// The columns of the plan.
  private let columns: [Column]
  /// The divisions into parts by each column of the plan; nil for a column that is in no key.
  private let keys: [GroupColumn?]

  /// - Parameters:
  ///   - plan: The columns, keys and aggregates.
  ///   - isExact: True to make a part for each different value of the keys' properties.
  ///   - table: The table of the entity.
  ///   - parts: The FROM and WHERE of the query.
  /// - Throws: `ObjectBoxError` for a property that the model lacks.
  init(
    _ plan: GroupPlan,
    isExact: Bool,
    _ table: ClusterTable,
    _ parts: QueryRun.Parts
  ) throws {
    self.plan = plan
    let columns = try plan.columns.map { column in
      let property = try plan.property(column.propertyID)
      return table.column(property: property.identity.id) ?? Column(property)
    }
    self.columns = columns
    keys = zip(columns.indices, columns).map { index, column in
      let functions = plan.keys.filter { plan.column($0.propertyID) == index }.map(\.function)
      return functions.isEmpty ? nil : GroupColumn(column, functions, isExact: isExact)
    }
    var rendering = parts.rendering
    var inner: [String] = []
    var groups: [String] = []
    var selection = ["count(*)"]
    for (index, column) in columns.enumerated() {
      inner.append("\(Self.value(of: column, parts.alias)) AS v\(index)")
      guard let key = keys[index] else { continue }
      if let seconds = key.seconds("\(parts.alias).\(column.name)") {
        inner.append("\(seconds) AS e\(index)")
      }
      groups += key.groups("v\(index)", "e\(index)", &rendering)
      selection += key.selection("v\(index)")
    }
    for index in Self.summedDoubles(plan) {
      let name = "\(parts.alias).\(columns[index].name)"
      inner.append("\(ExactDoubleSum.bits(of: name)) AS b\(index)")
      groups.append(ExactDoubleSum.exponent("b\(index)"))
    }
    for source in plan.aggregates {
      guard let id = source.propertyID else { continue }
      let index = plan.column(id)
      selection += GroupAggregate(source.function, columns[index]).selection(
        "v\(index)",
        bits: "b\(index)"
      )
    }
    // OFFSET 0 keeps the server from computing the columns once for each use.
    statement = Statement(
      "SELECT \(selection.joined(separator: ", "))"
        + " FROM (SELECT \(inner.joined(separator: ", "))\(parts.source) OFFSET 0) q"
        + " GROUP BY \(groups.joined(separator: ", "))",
      rendering.parameters
    )
  }

  /// Returns the value of a column; texts are compared by their bytes.
  private static func value(of column: Column, _ alias: String) -> String {
    column.kind == .numeric ? column.text(alias, folded: false) : "\(alias).\(column.name)"
  }

  /// The floating point columns that are added.
  private static func summedDoubles(_ plan: GroupPlan) -> [Int] {
    plan.columns.indices.filter { index in
      plan.columns[index].kind == .double
        && plan.aggregates.contains { source in
          [.sum, .average].contains(source.function)
            && source.propertyID.map { plan.column($0) } == index
        }
    }
  }

  /// The groups, or the reason for which there are none.
  enum Reading {
    case groups(GroupTable)
    /// A part belongs to several groups, or its group is unknown; the keys' values in words.
    case undecided(String)
  }

  /// Joins the parts.
  ///
  /// Throws `ObjectBoxError` for a date that no calendar has.
  func read(_ rows: ResultRows) throws -> Reading {
    let table = try GroupTable(plan)
    for row in 0..<rows.count {
      var reader = GroupRowReader(rows: rows, row: row)
      let part = part(&reader)
      if let part, try table.add(part) { continue }
      return .undecided(try words(part))
    }
    return .groups(table)
  }

  private func words(_ part: GroupPart?) throws -> String {
    let found = try keys.indices.filter { keys[$0] != nil }.map { index in
      let values = part.map { [$0.values[index], $0.others[index]] } ?? []
      let texts = values.map { value in
        switch value {
        case .number(let number): "\(number)"
        case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self).prefix(200))'"
        case nil: "null"
        }
      }
      return try plan.property(plan.columns[index].propertyID).name + " "
        + (texts.isEmpty ? "unread" : texts.joined(separator: " to "))
    }
    return found.joined(separator: ", ")
  }

  private func part(_ reader: inout GroupRowReader) -> GroupPart? {
    let count = Int(reader.integer())
    var values: [BatchValue?] = []
    var others: [BatchValue?] = []
    for (key, column) in zip(keys, columns) {
      guard let key else {
        values.append(nil)
        others.append(nil)
        continue
      }
      guard let (value, other) = key.values(&reader, column) else { return nil }
      values.append(value)
      others.append(other)
    }
    let states = plan.aggregates.map { source in
      guard let id = source.propertyID else { return GroupPart.State.count(count) }
      return GroupAggregate(source.function, columns[plan.column(id)]).state(&reader)
    }
    return GroupPart(count: count, values: values, others: others, states: states)
  }
}

/// Reads the values of a row one by one.
struct GroupRowReader {
  let rows: ResultRows
  let row: Int
  private var next = 0

  init(rows: ResultRows, row: Int) {
    self.rows = rows
    self.row = row
  }

  private mutating func advance() -> Int {
    defer { next += 1 }
    return next
  }

  /// Returns an integer; 0 for null.
  mutating func integer() -> Int64 { rows.anyInteger(row, advance()) ?? 0 }

  /// Returns an integer that is sent as text; 0 for null.
  mutating func wideInteger() -> Int128 { rows.text(row, advance()).flatMap { Int128($0) } ?? 0 }

  /// Returns a number of double precision; 0 for null.
  mutating func double() -> Double { rows.double(row, advance()) ?? 0 }

  /// Returns the value of a column as records store it; nil for null.
  mutating func value(_ kind: ColumnKind) -> BatchValue? {
    let column = advance()
    switch kind {
    case .bool: return rows.bool(row, column).map { .number($0 ? 1 : 0) }
    case .smallint, .integer, .bigint: return rows.anyInteger(row, column).map { .number($0) }
    case .timestamp:
      return rows.anyInteger(row, column).map { .number(Column.milliseconds(ofTimestamp: $0)) }
    case .real:
      return rows.integer(row, column, as: UInt32.self).map {
        .number(Int64(bitPattern: Double(Float(bitPattern: $0)).bitPattern))
      }
    case .double: return rows.integer(row, column, as: Int64.self).map { .number($0) }
    case .text, .numeric, .bytes, .uuid, .integers, .bigints, .reals, .texts:
      return rows.bytes(row, column).map { .text(Array($0)) }
    }
  }
}
