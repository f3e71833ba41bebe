internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads the changes of the log since a cursor.
///
/// Finds the changes that the snapshot of its transaction sees and the old one did not: changes of transactions from
/// the old xmax on, and of transactions that were in progress in the old snapshot and have ended. A scan from the old
/// xmin would read all changes since the oldest transaction in progress: 1.6 s instead of 0.3 ms with a transaction
/// that was open for 5 million changes.
struct LogReading {
  /// The number of changes that the statements read, and the treatment of further ones.
  ///
  /// Each statement stops at the row of the log that reaches the number.
  enum Limit {
    /// Further changes are counted.
    case counting(behind: Int)
    /// The result shows that there are more.
    case ending(behind: Int)
  }

  /// The approximate number of changes in a page of ``forEach(since:_:on:_:)``.
  private static let pageSize = 8_192
  /// The number of rows of the first page.
  private static let firstPage = 64

  private let serverLog: ServerLog
  private let limit: Limit

  /// Creates the reading.
  ///
  /// - Parameters:
  ///   - serverLog: The server log.
  ///   - limit: The limit of ``statements(since:)``.
  init(_ serverLog: ServerLog, _ limit: Limit) {
    self.serverLog = serverLog
    self.limit = limit
  }

  /// The statements that read the changes since a cursor; none without a cursor.
  ///
  /// They run in one round trip with the statements of ``ServerHeader``. So they find nothing for a cursor that gets a
  /// reset, one of another database or from before the log, which would read the whole log.
  func statements(since old: Cursor?) -> [Statement] {
    scans(since: old).map { scan in
      var statement = scan
      // The counts are constants, since the plan of a statement is kept: see ``scans(since:)``.
      switch limit {
      case .counting(let count):
        statement.sql = """
          WITH found AS (SELECT *, \(Self.earlier) \(scan.sql))
          SELECT xact, entity, ids, before, after, NULL FROM found WHERE earlier < \(count)
          UNION ALL SELECT NULL, entity, NULL, NULL, NULL, sum(cardinality(ids)) FROM found
            WHERE earlier >= \(count) GROUP BY entity
          """
      case .ending(let count):
        // The database stops after the last row: each row has at least one change.
        let columns = ["ids", "before", "after"].map {
          "CASE WHEN earlier < \(count) THEN \($0) END"
        }
        statement.sql = """
          SELECT xact, entity, \(columns.joined(separator: ", "))
          FROM (SELECT *, \(Self.earlier) \(scan.sql)) AS found LIMIT \(count + 1)
          """
      }
      return statement
    }
  }

  /// The number of changes in the rows before one.
  private static let earlier =
    "sum(cardinality(ids)) OVER (ROWS UNBOUNDED PRECEDING) - cardinality(ids) AS earlier"

  /// The scans of the log since a cursor, beginning with FROM.
  private func scans(since old: Cursor?) -> [Statement] {
    guard let old else { return [] }
    var scans = [
      scan("xact >= $1", old) { $0.append(transaction: old.snapshot.xmax) }
    ]
    if !old.snapshot.inProgress.isEmpty {
      scans.append(
        scan("xact = ANY (ARRAY(SELECT unnest($1)))", old) {
          $0.append(transactions: old.snapshot.inProgress)
        }
      )
    }
    return scans
  }

  private func scan(
    _ condition: String,
    _ old: Cursor,
    _ transactions: (inout Parameters) -> Void
  ) -> Statement {
    // The first unassigned number lets the database skip the partitions ahead. With it, and with an array that is not
    // itself a parameter, the database estimates as many rows for a generic plan as for a custom one, and keeps the
    // plan: planning takes longer than the scan.
    Statement(
      """
      FROM \(serverLog.changes)
      WHERE \(condition) AND xact < pg_snapshot_xmax(pg_current_snapshot()) AND (
        SELECT system = $2 AND database = $3 AND swept <= $4 AND created < $4 FROM \(serverLog.epoch)
      )
      """
    ) { parameters in
      transactions(&parameters)
      parameters.append(Int64(bitPattern: old.epoch.system))
      parameters.append(Int64(old.epoch.database))
      parameters.append(transaction: old.snapshot.xmax)
    }
  }

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - results: The results of ``statements(since:)``.
  ///   - logged: The properties of the log.
  /// - Returns: The changes up to the limit.
  func entries(
    _ results: some Sequence<ResultRows>,
    _ logged: LoggedProperties
  ) -> [LogEntry] {
    var entries: [LogEntry] = []
    for rows in results {
      for row in 0..<rows.count { forEach(rows, row, logged) { entries.append($0) } }
    }
    return entries
  }

  /// Returns the number of changes beyond the limit, by entity.
  func further(_ results: some Sequence<ResultRows>) -> [EntityUID: Int] {
    guard case .counting = limit else { return [:] }
    var counts: [EntityUID: Int] = [:]
    for rows in results {
      for row in 0..<rows.count {
        guard let uid = rows.integer(row, 1, as: UInt64.self),
          let count = rows.integer(row, 5, as: Int.self)
        else { continue }
        counts[EntityUID(uid), default: 0] += count
      }
    }
    return counts
  }

  /// Returns true if there are changes beyond the limit.
  func isEnded(_ results: some Sequence<ResultRows>) -> Bool {
    results.contains { rows in rows.count > 0 && rows.bytes(rows.count - 1, 2) == nil }
  }

  /// Passes all changes since a cursor to a body, page by page, so that memory does not depend on their number.
  ///
  /// - Parameters:
  ///   - old: The cursor.
  ///   - logged: The properties of the log.
  ///   - connection: The connection of the transaction.
  ///   - body: Gets each change.
  /// - Throws: `ClusterError`.
  func forEach(
    since old: Cursor?,
    _ logged: LoggedProperties,
    on connection: Connection,
    _ body: (LogEntry) -> Void
  ) async throws {
    let cursor = "objectbox_log"
    for scan in scans(since: old) {
      var declaration = Statement(
        once:
          "DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT xact, entity, ids, before, after \(scan.sql)"
      )
      declaration.parameters = scan.parameters
      var opening = [declaration]
      var length = Self.firstPage
      while true {
        let fetch = Statement(once: "FETCH \(length) FROM \(cursor)")
        guard let rows = try await connection.run(opening + [fetch]).last else { break }
        opening = []
        var count = 0
        for row in 0..<rows.count {
          forEach(rows, row, logged) {
            count += 1
            body($0)
          }
        }
        if rows.count < length { break }
        // Rows with one change and rows with 1,024 may follow one another, so the page grows in steps.
        length = max(1, min(4 * length, Self.pageSize * rows.count / max(count, 1)))
      }
      _ = try await connection.run([Statement(once: "CLOSE \(cursor)")])
    }
  }

  /// Passes the changes of a row of the log to a body.
  private func forEach(
    _ rows: ResultRows,
    _ row: Int,
    _ logged: LoggedProperties,
    _ body: (LogEntry) -> Void
  ) {
    guard let transaction = rows.integer(row, 0, as: UInt64.self),
      let uid = rows.integer(row, 1, as: UInt64.self),
      let entity = serverLog.entity(EntityUID(uid)),
      let ids = rows.bytes(row, 2)?.numbers(UInt64.self)
    else { return }
    let columns = logged.properties(of: entity.uid).map(entity.column)
    var before = LoggedValues(rows.bytes(row, 3), of: ids.count, columns)
    var after = LoggedValues(rows.bytes(row, 4), of: ids.count, columns)
    for id in ids {
      body(
        LogEntry(
          transaction: transaction,
          key: ObjectKey(entity: entity.uid, id: id),
          before: before?.next(),
          after: after?.next()
        )
      )
    }
  }
}

/// The values of a row of the log, one object after the other.
private struct LoggedValues {
  private let elements: [UnsafeRawBufferPointer?]
  /// The index of the next object's first value.
  private var start = 0
  /// The number of values of an object, without properties that were added to the log later.
  private let width: Int
  /// The properties of the model that have values, in ascending order.
  private let properties: [PropertyUID]
  /// The place of each property among an object's values, and the kind of its column.
  private let columns: [(place: Int, kind: ColumnKind)]

  /// Reads an array of values; nil for null.
  ///
  /// - Parameters:
  ///   - bytes: The array.
  ///   - count: The number of objects.
  ///   - columns: The logged columns by position; nil for columns that the model lacks.
  init?(_ bytes: UnsafeRawBufferPointer?, of count: Int, _ columns: [Column?]) {
    guard let bytes, count > 0 else { return nil }
    elements = bytes.optionalElements
    width = elements.count / count
    let present = columns.prefix(width).enumerated()
      .compactMap { place, column in column.map { (uid: $0.uid, place: place, kind: $0.kind) } }
      .sorted { $0.uid < $1.uid }
    properties = present.map(\.uid)
    self.columns = present.map { ($0.place, $0.kind) }
  }

  /// Returns the values of the next object; call it as often as there are objects.
  mutating func next() -> PropertyList<PropertyValue> {
    defer { start += width }
    return PropertyList(ascending: properties) { index in
      ServerValue.value(elements[start + columns[index].place], columns[index].kind)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The elements of an array of one or two dimensions in PostgreSQL's binary form; nil for nulls.
  fileprivate var optionalElements: [UnsafeRawBufferPointer?] {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= count else { return nil }
      return Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: self[offset..<offset + 4]))
        .map { Int($0) }
    }
    guard let dimensions = number(at: 0), 1...2 ~= dimensions, let first = number(at: 12),
      let second = dimensions == 2 ? number(at: 20) : 1
    else { return [] }
    let size = first * second
    var all: [UnsafeRawBufferPointer?] = []
    all.reserveCapacity(Swift.min(size, count / 4))
    var offset = 12 + 8 * dimensions
    for _ in 0..<size {
      guard let length = number(at: offset) else { return all }
      offset += 4
      if length < 0 {
        all.append(nil)
        continue
      }
      guard offset + length <= count else { return all }
      all.append(UnsafeRawBufferPointer(rebasing: self[offset..<offset + length]))
      offset += length
    }
    return all
  }
}
