internal import ObjectBox

/// Splits texts without words in a database: texts of a new index, and texts that other programs have stored by SQL.
///
/// Each batch is a separate transaction, so an interrupted filling continues where it stopped. Several programs may
/// fill at the same time.
package struct TextFilling {
  private static let setting = "objectbox.fills_words"
  /// The SQL condition that the transaction only fills words, according to its own setting.
  package static let isRunning =
    "pg_catalog.current_setting('\(setting)', true) OPERATOR(pg_catalog.=) 'on'"
  /// The pattern of the names of the columns that a filling writes.
  package static let columnPattern = "^objectbox_(words|texts|beginnings)_"

  /// The number of objects in a transaction.
  private static let batchSize = 200

  let tables: ClusterTables

  /// Fills all indexes.
  ///
  /// - Parameter connection: A connection outside of a transaction, which may write.
  /// - Throws: ``ServerFailure``.
  func run(on connection: Connection) async throws {
    for (table, columns) in try await missing(on: connection) {
      while try await fill(columns, of: table, on: connection) {}
    }
  }

  /// Fills all indexes, unless the role or the server does not accept writes.
  ///
  /// - Parameter connection: A connection outside of a transaction.
  /// - Throws: ``ServerFailure``.
  func runIfPermitted(on connection: Connection) async throws {
    do { try await run(on: connection) } catch let failure as ServerFailure {
      let isReading = [
        ServerFailure.State.insufficientPrivilege, ServerFailure.State.readOnlyTransaction,
      ]
      guard isReading.contains(failure.state) else { throw failure }
    }
  }

  /// Returns the indexes with missing words, in one round trip.
  private func missing(
    on connection: Connection
  ) async throws -> [(table: ClusterTable, columns: TextColumns)] {
    let all = tables.allTexts
    guard !all.isEmpty else { return [] }
    let results = try await connection.run(all.map { Self.check($0.columns, of: $0.table) })
    return zip(all, results).filter { $1.bool(0, 0) ?? false }.map(\.0)
  }

  private static func check(_ columns: TextColumns, of table: ClusterTable) -> Statement {
    Statement("SELECT EXISTS (SELECT FROM \(table.name) WHERE \(columns.isMissing()))")
  }

  /// Fills a batch; returns true if there may be more.
  private func fill(
    _ columns: TextColumns,
    of table: ClusterTable,
    on connection: Connection
  ) async throws -> Bool {
    do {
      let rows = try await connection.run([
        Statement("BEGIN ISOLATION LEVEL READ COMMITTED"),
        Statement(
          "SELECT \(([table.id] + columns.texts).map(\.name).joined(separator: ", ")) FROM \(table.name) "
            + "WHERE \(columns.isMissing()) ORDER BY \(table.id.name) LIMIT \(Self.batchSize) FOR UPDATE"
        ),
      ])[1]
      guard rows.count > 0 else {
        // Another program may have filled the rows for which the statement waited.
        let results = try await connection.run([
          Statement("COMMIT"), Self.check(columns, of: table),
        ])
        return results[1].bool(0, 0) ?? false
      }
      _ = try await connection.run([
        Statement("SET LOCAL \(Self.setting) = on"), Self.update(rows, columns, of: table),
        Statement("COMMIT"),
      ])
      return true
    } catch {
      _ = try? await connection.run([Statement("ROLLBACK")])
      guard let failure = error as? ServerFailure, failure.isConflict else { throw error }
      return true
    }
  }

  private static func update(
    _ rows: ResultRows,
    _ columns: TextColumns,
    of table: ClusterTable
  ) -> Statement {
    let names = columns.names
    var words: [UInt8] = []
    var states: [UInt8] = []
    var beginnings: [UInt8] = []
    for row in 0..<rows.count {
      let values = TextValues(columns) { rows.bytes(row, $0 + 1) }
      TextValues.append(values, beginnings: false, toElements: &words)
      TextValues.append(stateOf: values, toElements: &states)
      if names.hasBeginnings {
        TextValues.append(values, beginnings: true, toElements: &beginnings)
      }
    }
    let values = names.columns.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
    let aliases = names.columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let changes = names.columns.enumerated().map { place, name in
      "\(name) = v.c\(place)\(place == 1 ? "" : "::text[]")"
    }
    return Statement(
      "UPDATE \(table.name) AS t SET \(changes.joined(separator: ", ")) "
        + "FROM unnest($1, \(values)) AS v(id, \(aliases)) WHERE t.\(table.id.name) = v.id"
    ) { parameters in
      func append(_ type: UInt32, of element: UInt32, _ values: [UInt8]) {
        parameters.append(type) { bytes in
          bytes.appendArrayHeader(of: element, count: rows.count)
          bytes += values
        }
      }
      parameters.append(ids: rows.ids())
      append(PostgresType.textArray, of: PostgresType.text, words)
      append(PostgresType.int8Array, of: PostgresType.int8, states)
      if names.hasBeginnings { append(PostgresType.textArray, of: PostgresType.text, beginnings) }
    }
  }
}

extension Cluster {
  /// Splits texts without words; returns false if the server does not accept writes.
  func fillWords() async throws -> Bool {
    if pool.configuration.isReadOnly { return false }
    do {
      try await pool.withConnection { try await TextFilling(tables: tables).run(on: $0) }
      return true
    } catch ClusterError.notPermitted, ClusterError.serverReadOnly {
      return false
    }
  }

  /// Runs a search, and runs it again if it met texts without words.
  func findingWords<T>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch ObjectBoxError.illegalState(let message)
      where message == ServerFailure.wordsAreMissingText
    {
      guard try await fillWords() else { throw ServerFailure.wordsAreMissing }
      return try await body()
    }
  }
}
