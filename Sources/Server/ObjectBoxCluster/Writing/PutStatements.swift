internal import ObjectBox

/// Creates the statements that write rows of one entity.
struct PutStatements {
  /// The greatest number of rows that are written one by one, which is faster than unnesting
  /// arrays.
  private static let singleRows = 4
  /// The greatest size in bytes and number of rows of a statement, which limit copies in the server
  /// and this process.
  private static let greatestSize = 8 << 20
  private static let greatestCount = 10_000
  /// The number of new rows from which COPY is used: less time for each row, but more round trips.
  static let copiedRows = 2_000
  /// The approximate number of bytes in a part of a COPY.
  private static let copiedSize = 1 << 16

  private let table: WriteTable

  init(_ table: WriteTable) {
    self.table = table
  }

  /// Returns the statements of rows.
  ///
  /// - Parameter rows: Rows in the order of their puts, of different objects.
  /// - Returns: Checks of the put modes, removals of objects whose unique values are replaced, and
  ///   puts.
  /// - Throws: `ObjectBoxError` when a record cannot be read.
  func statements(_ rows: [PendingRow]) throws -> [Statement] {
    var rows = rows
    var statements: [Statement] = []
    let isReplacing = table.replaces && !table.isLinked
    let losers = isReplacing ? try takeLosers(from: &rows) : []
    if !rows.isSorted { rows.sort { $0.row.id < $1.row.id } }
    // Most large puts have new rows only, which need no copies.
    let areAllNew = rows.allSatisfy { $0.isNew && $0.condition == nil && $0.check == .none }
    if !areAllNew { statements += checks(rows) }
    if isReplacing { statements += try replacements(rows, losers: losers) }
    let plain = areAllNew ? rows : rows.filter { $0.condition == nil }
    let known = areAllNew ? [] : plain.filter { !$0.isNew }
    statements += try exchanges(known)
    statements += try puts(known, isNew: false)
    var new = areAllNew ? rows : plain.filter(\.isNew)
    // Copied rows stay in the order of their IDs, which fills the pages of the primary key.
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

  /// Returns the statements that check the put modes, and fail when a check does.
  ///
  /// They convert a text to a number, and the error contains the text: see ``WriteRefusal``.
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
      // Locked, so that the row still exists when it is updated.
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

  /// Removes the rows whose unique value a later row of the batch replaces, and returns them.
  private func takeLosers(from rows: inout [PendingRow]) throws -> [PendingRow] {
    guard rows.count > 1 else { return [] }
    rows.sort { $0.order < $1.order }
    let lost = try UniqueBatch(table).losers(of: rows)
    let losers = rows.filter { lost.contains($0.row.id) }
    rows.removeAll { lost.contains($0.row.id) }
    return losers
  }

  /// Returns statements that remove the objects whose unique values rows replace.
  ///
  /// Losers have replaced the holders of their values before they were replaced themselves.
  private func replacements(_ rows: [PendingRow], losers: [PendingRow]) throws -> [Statement] {
    var statements: [Statement] = []
    let (name, id) = (table.table.name, table.table.id.name)
    if !losers.isEmpty {
      let ids = losers.map(\.row.id).sorted()
      statements.append(
        Statement("DELETE FROM \(name) WHERE \(id) = ANY($1)") { $0.append(ids: ids) }
      )
    }
    for unique in table.uniques where unique.replaces {
      // Lock the holders, so that they cannot change before the removal.
      let holders = try holders(of: unique, in: rows + losers, locked: true)
      let sql = "DELETE FROM \(name) WHERE \(id) = ANY(ARRAY(\(holders.sql)))"
      statements.append(Statement(sql, holders.parameters))
    }
    return statements
  }

  /// Returns statements that set swapped unique values to null first.
  ///
  /// A unique index checks each row when it is written, so rows could not exchange values
  /// otherwise.
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
  ///   - rows: The rows; they do not count as holders, since they are about to change.
  ///   - selection: The selected values in SQL: the holder's ID is `h.id`, the row's `u.id`.
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

  /// Returns SQL for the objects `o` that hold unique values of rows `u`, with the parameters of
  /// `arrays`.
  ///
  /// Each value is looked up in its unique index by a subquery, which OFFSET prevents from being merged. For a plain
  /// join the server may read the whole table, and would then conflict with all its writers.
  private func holders(
    of unique: UniqueValues,
    selecting selection: String = "h.id",
    where condition: String
  ) -> String {
    "SELECT \(selection) FROM \(Self.source(unique.columns)), LATERAL ("
      + "SELECT o.\(table.table.id.name) AS id FROM \(table.table.name) AS o "
      + "WHERE \(unique.equality("o", "u")) AND \(condition)) AS h"
  }

  /// Returns rows in the order of a unique value.
  ///
  /// Programs that put the same values at the same time then wait in the same order, and do not deadlock.
  private func sorted(_ rows: [PendingRow], by unique: UniqueValues) throws -> [PendingRow] {
    guard rows.count > 1 else { return rows }
    let keys = try rows.map { try $0.row.reading(table.table) { unique.key(of: $0) ?? [] } }
    return rows.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { rows[$0] }
  }

  /// SQL of IDs and values: `u(id, v1, …)`, with the parameters of `arrays`.
  private static func source(_ columns: [WriteColumn]) -> String {
    let numbers = columns.indices.map { $0 + 1 }
    let parameters = [1] + numbers.map { $0 + 1 }
    return "unnest(\(parameters.map { "$\($0)" }.joined(separator: ", "))) "
      + "AS u(id, \(numbers.map { "v\($0)" }.joined(separator: ", ")))"
  }

  /// Returns the rows' IDs and values as one array for each column.
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
    var arrays = RowArrays(table.columns, table.table.texts)
    var count = 0
    for row in rows {
      try row.row.reading(table.table) { arrays.append($0) }
      count += 1
      if count == Self.greatestCount || arrays.byteCount > Self.greatestSize {
        statements.append(Statement(sql, arrays.parameters()))
        arrays = RowArrays(table.columns, table.table.texts)
        count = 0
      }
    }
    if count > 0 { statements.append(Statement(sql, arrays.parameters())) }
    return statements
  }

  /// Returns the statement that copies rows; the connection's thread builds the content while sending.
  private func copy(_ rows: [PendingRow]) -> Statement {
    let (copy, table) = (table.copy, table.table)
    // All parts have the same number of rows, so a part's number determines its rows.
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

  /// Returns the values of a row, one parameter for each column.
  private func parameters(of row: PendingRow) throws -> Parameters {
    try row.row.reading(table.table) { reader in
      var parameters = Parameters()
      for column in table.columns {
        parameters.appendOptional(column.column.kind.type) { column.append(reader, to: &$0) }
      }
      for text in table.table.texts {
        TextValues.append(text.values(of: reader), of: text, to: &parameters)
      }
      return parameters
    }
  }
}

extension [PendingRow] {
  /// True if the rows are in the order of their IDs.
  fileprivate var isSorted: Bool {
    !indices.dropFirst().contains { self[$0 - 1].row.id > self[$0].row.id }
  }
}

/// Finds rows with equal unique values in one batch.
struct UniqueBatch {
  private let table: WriteTable

  init(_ table: WriteTable) {
    self.table = table
  }

  /// Returns the IDs of the rows whose values later rows replace.
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

  /// Returns the first row with the values of an earlier row, and that row's ID; nil when all
  /// differ.
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

/// Creates the statements that write entries of one standalone relation.
struct PairStatements {
  private let table: RelationPairs

  init(_ table: RelationPairs) {
    self.table = table
  }

  /// Returns the statements of entries.
  ///
  /// - Parameters:
  ///   - pairs: Entries to add (true) and to remove (false).
  ///   - links: Relations of single objects whose other entries are removed.
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
  /// Appends the value that a body builds, or null when the body returns false.
  mutating func appendOptional(_ type: UInt32, _ body: (inout [UInt8]) -> Bool) {
    var value: [UInt8] = []
    if body(&value) { append(type, value) } else { appendNull(type) }
  }
}

extension RelationEnd {
  /// The ID of a standalone relation; nil for a to-one relation and its backlink.
  var relationID: UInt32? {
    switch self {
    case .toOne, .toOneBacklink: nil
    case .standalone(let id), .standaloneBacklink(let id): id
    }
  }
}
