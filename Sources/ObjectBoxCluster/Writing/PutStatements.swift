internal import ObjectBox

/// Makes statements that write rows of one entity.
struct PutStatements {
  /// Up to this number of rows are written one by one, each in less time than arrays take to be unnested.
  private static let singleRows = 4
  /// Bytes and rows of one statement, so that neither the server nor this process holds a copy of everything.
  private static let greatestSize = 8 << 20
  private static let greatestCount = 10_000
  /// From this number on new rows are copied, which takes less time for each and a few round trips more.
  static let copiedRows = 2_000
  /// The bytes that a COPY sends at a time.
  private static let copiedSize = 1 << 16

  private let table: WriteTable

  init(_ table: WriteTable) {
    self.table = table
  }

  /// Returns the statements of rows.
  ///
  /// - Parameter rows: Rows in the order of their puts, each of another object.
  /// - Returns: Checks of the put modes, removals of objects whose unique values are replaced, and puts.
  /// - Throws: `ObjectBoxError` when a record cannot be read.
  func statements(_ rows: [PendingRow]) throws -> [Statement] {
    var rows = rows
    var statements: [Statement] = []
    let isReplacing = table.replaces && !table.isLinked
    let losers = isReplacing ? try takeLosers(from: &rows) : []
    if !rows.isSorted { rows.sort { $0.row.id < $1.row.id } }
    // As in most large puts: without copies of parts.
    let areAllNew = rows.allSatisfy { $0.isNew && $0.condition == nil && $0.check == .none }
    if !areAllNew { statements += checks(rows) }
    if isReplacing { statements += try replacements(rows, losers: losers) }
    let plain = areAllNew ? rows : rows.filter { $0.condition == nil }
    let known = areAllNew ? [] : plain.filter { !$0.isNew }
    statements += try exchanges(known)
    statements += try puts(known, isNew: false)
    var new = areAllNew ? rows : plain.filter(\.isNew)
    // Rows that are copied stay in the order of their IDs, which fills the pages of the primary key.
    if let unique = table.uniques.first, new.count < Self.copiedRows {
      new = try sorted(new, by: unique)
    }
    statements += try puts(new, isNew: true)
    if areAllNew { return statements }
    for row in rows {
      guard let condition = row.condition else { continue }
      var parameters = try self.parameters(of: row)
      parameters.append(id: condition.target)
      statements.append(Statement(table.texts.update(while: condition.column), parameters))
    }
    return statements
  }

  // MARK: Put modes

  /// Returns statements that fail when an object must not exist and does, or must and does not.
  ///
  /// They convert a text to a number, which the error repeats: see ``WriteRefusal``.
  private func checks(_ rows: [PendingRow]) -> [Statement] {
    var statements: [Statement] = []
    let (name, id) = (table.table.name, table.table.id.name)
    let absent = rows.filter { $0.check == .absent }.map(\.row.id)
    if !absent.isEmpty {
      let text = WriteRefusal.marker(of: .absent, table.entityID)
      statements.append(
        Statement(
          "SELECT ('\(text)' || \(id))::integer FROM \(name) WHERE \(id) = ANY($1) ORDER BY \(id)"
        ) {
          $0.append(ids: absent)
        }
      )
    }
    let present = rows.filter { $0.check == .present }.map(\.row.id)
    if !present.isEmpty {
      let text = WriteRefusal.marker(of: .present, table.entityID)
      // Locked, so that the row is still there when it is updated.
      statements.append(
        Statement("SELECT FROM \(name) WHERE \(id) = ANY($1) ORDER BY \(id) FOR UPDATE") {
          $0.append(ids: present)
        }
      )
      statements.append(
        Statement(
          "SELECT ('\(text)' || i)::integer FROM unnest($1) AS i "
            + "WHERE NOT EXISTS (SELECT FROM \(name) WHERE \(id) = i)"
        ) { $0.append(ids: present) }
      )
    }
    return statements
  }

  // MARK: Unique values

  /// Takes away the rows whose unique value a later row of the batch replaces; returns their IDs.
  private func takeLosers(from rows: inout [PendingRow]) throws -> [UInt64] {
    guard rows.count > 1 else { return [] }
    rows.sort { $0.order < $1.order }
    let lost = try UniqueBatch(table).losers(of: rows)
    rows.removeAll { lost.contains($0.row.id) }
    return lost.sorted()
  }

  /// Returns statements that remove the objects whose unique values rows replace.
  private func replacements(_ rows: [PendingRow], losers: [UInt64]) throws -> [Statement] {
    var statements: [Statement] = []
    let (name, id) = (table.table.name, table.table.id.name)
    if !losers.isEmpty {
      statements.append(
        Statement("DELETE FROM \(name) WHERE \(id) = ANY($1)") { $0.append(ids: losers) }
      )
    }
    for unique in table.uniques where unique.replaces {
      // Holders are locked, so that none gets another value before it is removed.
      let holders = try holders(of: unique, in: rows, locked: true)
      let sql = "DELETE FROM \(name) WHERE \(id) = ANY(ARRAY(\(holders.sql)))"
      statements.append(Statement(sql, holders.parameters))
    }
    return statements
  }

  /// Returns statements that take unique values from rows which are about to change where others of them get these, so
  /// that rows may exchange values: a unique index checks each row as it is written.
  private func exchanges(_ rows: [PendingRow]) throws -> [Statement] {
    guard rows.count > 1 else { return [] }
    let (name, id) = (table.table.name, table.table.id.name)
    return try table.uniques.compactMap { unique in
      let hasValues = try rows.contains {
        try $0.row.reading(table.table) { unique.key(of: $0) != nil }
      }
      guard hasValues, let column = unique.columns.first else { return nil }
      let holders = holders(of: unique, where: "o.\(id) <> u.id OFFSET 0")
      return Statement(
        "UPDATE \(name) AS t SET \(column.name) = NULL WHERE t.\(id) IN ("
          + "SELECT id FROM (\(holders)) AS h WHERE id = ANY($1))",
        try arrays(rows, unique.columns)
      )
    }
  }

  /// Returns a statement for the objects that hold unique values of rows.
  ///
  /// - Parameters:
  ///   - unique: The unique values.
  ///   - rows: The rows; they are no holders, since they are about to change themselves.
  ///   - selection: The values in SQL: the ID of the holder, `h.id`, and that of the row, `u.id`.
  ///   - locked: True to lock the holders, in the order of the values: see ``sorted(_:by:)``.
  /// - Returns: The statement.
  /// - Throws: `ObjectBoxError` when a record cannot be read.
  func holders(
    of unique: UniqueValues,
    in rows: [PendingRow],
    selecting selection: String = "h.id",
    locked: Bool = false
  ) throws -> Statement {
    let condition = "o.\(table.table.id.name) <> ALL($1) OFFSET 0\(locked ? " FOR UPDATE" : "")"
    return Statement(
      holders(of: unique, selecting: selection, where: condition),
      try arrays(try sorted(rows, by: unique), unique.columns)
    )
  }

  /// Returns SQL for the objects `o` that hold unique values of rows `u`, whose parameters are those of `arrays`.
  ///
  /// Each value is looked up in its unique index, by a subquery that OFFSET keeps apart: joined with the rows, the
  /// server may read the whole table, and then meets all other writers of it.
  private func holders(
    of unique: UniqueValues,
    selecting selection: String = "h.id",
    where condition: String
  ) -> String {
    "SELECT \(selection) FROM \(Self.source(unique.columns)), LATERAL ("
      + "SELECT o.\(table.table.id.name) AS id FROM \(table.table.name) AS o "
      + "WHERE \(unique.equality("o", "u")) AND \(condition)) AS h"
  }

  /// Returns rows in the order of a unique value: programs that put the same values at the same time wait for each other
  /// in one order, and do not deadlock.
  private func sorted(_ rows: [PendingRow], by unique: UniqueValues) throws -> [PendingRow] {
    guard rows.count > 1 else { return rows }
    let keys = try rows.map { try $0.row.reading(table.table) { unique.key(of: $0) ?? [] } }
    return rows.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { rows[$0] }
  }

  /// SQL of IDs and values: `u(id, v1, …)`, with parameters of `arrays`.
  private static func source(_ columns: [WriteColumn]) -> String {
    let numbers = columns.indices.map { $0 + 1 }
    let parameters = [1] + numbers.map { $0 + 1 }
    return "unnest(\(parameters.map { "$\($0)" }.joined(separator: ", "))) "
      + "AS u(id, \(numbers.map { "v\($0)" }.joined(separator: ", ")))"
  }

  /// Returns the IDs of rows and their values of columns, as arrays.
  private func arrays(_ rows: [PendingRow], _ columns: [WriteColumn]) throws -> Parameters {
    var arrays = RowArrays([table.columns[0]] + columns)
    for row in rows { try row.row.reading(table.table) { arrays.append($0) } }
    return arrays.parameters()
  }

  // MARK: Rows

  private func puts(_ rows: [PendingRow], isNew: Bool) throws -> [Statement] {
    if isNew, rows.count >= Self.copiedRows { return [copy(rows)] }
    if rows.count <= Self.singleRows {
      let sql = isNew ? table.texts.insert : table.texts.upsert
      return try rows.map { Statement(sql, try parameters(of: $0)) }
    }
    let sql = isNew ? table.texts.insertMany : table.texts.upsertMany
    var statements: [Statement] = []
    var arrays = RowArrays(table.columns)
    var count = 0
    for row in rows {
      try row.row.reading(table.table) { arrays.append($0) }
      count += 1
      if count == Self.greatestCount || arrays.byteCount > Self.greatestSize {
        statements.append(Statement(sql, arrays.parameters()))
        arrays = RowArrays(table.columns)
        count = 0
      }
    }
    if count > 0 { statements.append(Statement(sql, arrays.parameters())) }
    return statements
  }

  /// Returns the statement that copies rows; their content is made as it is sent, on the thread of the connection.
  private func copy(_ rows: [PendingRow]) -> Statement {
    let (copy, table) = (table.copy, table.table)
    // As many rows in each part, so that a part is known by its number.
    let sample = rows.prefix(100)
    let size = sample.reduce(0) { $0 + $1.row.record.count } / sample.count + 64
    let step = max(1, Self.copiedSize / size)
    return Statement(copying: copy.sql) { part, bytes in
      if part == 0 { bytes += CopyRows.header }
      let end = min((part + 1) * step, rows.count)
      try copy.append(rows[part * step..<end], of: table, to: &bytes)
      if end == rows.count { bytes += CopyRows.end }
      return end < rows.count
    }
  }

  /// Returns the values of a row, a parameter a column.
  private func parameters(of row: PendingRow) throws -> Parameters {
    try row.row.reading(table.table) { reader in
      var parameters = Parameters()
      for column in table.columns {
        parameters.appendOptional(column.column.kind.type) { column.append(reader, to: &$0) }
      }
      return parameters
    }
  }
}

extension [PendingRow] {
  /// True when the rows are in the order of their IDs.
  fileprivate var isSorted: Bool {
    !indices.dropFirst().contains { self[$0 - 1].row.id > self[$0].row.id }
  }
}

/// Finds rows of one batch that have the same unique values.
struct UniqueBatch {
  private let table: WriteTable

  init(_ table: WriteTable) {
    self.table = table
  }

  /// Returns the IDs of rows whose values later rows replace.
  func losers(of rows: [PendingRow]) throws -> Set<UInt64> {
    var lost: Set<UInt64> = []
    let uniques = table.uniques.filter(\.replaces)
    var holders = [[[UInt8]: UInt64]](repeating: [:], count: uniques.count)
    for row in rows {
      try row.row.reading(table.table) { reader in
        for (index, unique) in uniques.enumerated() {
          guard let key = unique.key(of: reader) else { continue }
          if let old = holders[index].updateValue(row.row.id, forKey: key), old != row.row.id {
            lost.insert(old)
          }
        }
      }
    }
    return lost
  }

  /// Returns the first row with the values of an earlier one, and the ID of that; nil when all differ.
  func duplicate(
    in rows: [PendingRow],
    of unique: UniqueValues
  ) throws -> (row: PendingRow, other: UInt64)? {
    var holders: [[UInt8]: UInt64] = [:]
    for row in rows.sorted(by: { $0.order < $1.order }) {
      let key = try row.row.reading(table.table) { unique.key(of: $0) }
      guard let key else { continue }
      if let other = holders.updateValue(row.row.id, forKey: key) { return (row, other) }
    }
    return nil
  }
}

/// Makes statements that write entries of one standalone relation.
struct PairStatements {
  private let table: RelationPairs

  init(_ table: RelationPairs) {
    self.table = table
  }

  /// Returns the statements of entries.
  ///
  /// - Parameters:
  ///   - pairs: Entries to add (true) and to remove.
  ///   - links: Relations of single objects that lose all other entries.
  /// - Returns: The statements.
  func statements(
    _ pairs: [RelationPair: Bool],
    replacing links: [RelationLink: ReplacedRelation] = [:]
  ) -> [Statement] {
    var statements: [Statement] = []
    for (link, replacement) in links.sorted(by: { $0.key.host < $1.key.host }) {
      let isBacklink = if case .standaloneBacklink = link.end { true } else { false }
      let (host, other) = isBacklink ? ("target", "source") : ("source", "target")
      statements.append(
        Statement("DELETE FROM \(table.name) WHERE \(host) = $1 AND \(other) <> ALL($2)") {
          parameters in
          parameters.append(id: link.host)
          parameters.append(ids: replacement.kept.sorted())
        }
      )
    }
    func add(_ isThere: Bool, _ sql: String) {
      let sorted = pairs.filter { $0.value == isThere }.keys.sorted()
      if sorted.isEmpty { return }
      statements.append(
        Statement(sql) { parameters in
          parameters.append(ids: sorted.map(\.source))
          parameters.append(ids: sorted.map(\.target))
        }
      )
    }
    add(
      false,
      "DELETE FROM \(table.name) AS p USING unnest($1, $2) AS u(source, target) "
        + "WHERE p.source = u.source AND p.target = u.target"
    )
    add(
      true,
      "INSERT INTO \(table.name) (source, target) SELECT * FROM unnest($1, $2) ON CONFLICT DO NOTHING"
    )
    return statements
  }
}

extension Parameters {
  /// Appends a value whose bytes a body adds; null when it returns false.
  mutating func appendOptional(_ type: UInt32, _ body: (inout [UInt8]) -> Bool) {
    var value: [UInt8] = []
    if body(&value) { append(type, value) } else { appendNull(type) }
  }
}

extension RelationEnd {
  /// The ID of a standalone relation; nil for a to-one relation.
  var relationID: UInt32? {
    switch self {
    case .toOne, .toOneBacklink: nil
    case .standalone(let id), .standaloneBacklink(let id): id
    }
  }
}
