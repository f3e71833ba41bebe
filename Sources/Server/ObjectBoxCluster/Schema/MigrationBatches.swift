internal import ObjectBox

/// Computes the values of a migration of many rows before the upgrade, in transactions of some rows each: if the
/// program ends, the next opening continues after the last transaction.
///
/// The values are stored in a separate table, which no program reads, so programs of the present model continue to read
/// and write all rows. Each row has a hash of the values that it was computed from. The upgrade uses the values of rows
/// that have not changed since, and computes the others.
struct MigrationBatches: Sendable {
  /// The number of rows from which on values are computed before the upgrade.
  static let usualMinimum = 100_000

  private let migration: ColumnMigration
  private let tables: ClusterTables
  /// The table of the rows before the upgrade.
  private let present: ClusterTable
  /// The table of the computed values.
  private let name: String
  /// The models before and after the upgrade: values between other models are computed again.
  private let mark: String

  /// Creates the batches of a migration; nil if the rows cannot be read before the upgrade.
  ///
  /// - Parameters:
  ///   - migration: The migration.
  ///   - number: The number of the present model in the database.
  ///   - tables: The tables of the wanted model.
  init?(_ migration: ColumnMigration, after number: Int, in tables: ClusterTables) {
    guard let present = migration.present else { return nil }
    self.migration = migration
    self.tables = tables
    self.present = present
    let table = "objectbox_migration_\(migration.entity.identity.uid)"
    name = "\(tables.namespace).\(table.quotedName)"
    mark = "values of model \(number + 1), \(DatabaseUpgrade.hash(tables.modelText))"
  }

  /// The columns of the values; the ID is the first.
  private var columns: [WriteColumn] { migration.target.writeColumns }

  /// Returns the hash of the values of a row, as SQL.
  private func hash(_ table: ClusterTable) -> String {
    let values = table.columns.map { "t.\($0.name)" }.joined(separator: ", ")
    return "sha256(convert_to(ROW(\(values))::text, 'UTF8'))"
  }

  // MARK: Before the upgrade

  /// Creates the table of the values, unless it exists since an earlier opening.
  ///
  /// - Parameters:
  ///   - minimum: The number of rows from which on values are computed before the upgrade.
  ///   - connection: A connection in a transaction with the lock of upgrades.
  /// - Returns: False if there are fewer rows.
  /// - Throws: ``ServerFailure``.
  func begin(from minimum: Int, on connection: Connection) async throws -> Bool {
    let count = try await connection.run([
      Statement("SELECT count(*) FROM (SELECT FROM \(present.name) LIMIT \(minimum)) AS t")
    ])[0]
    guard Int(count.anyInteger(0, 0) ?? 0) >= minimum else { return false }
    if try await isThere(on: connection) { return true }
    let definitions = columns.map { "\($0.name) \($0.column.kind.sql)" }
    _ = try await connection.run([
      Statement(once: "DROP TABLE IF EXISTS \(name)"),
      // If the server crashes, the values are lost, and are computed again.
      Statement(
        once: "CREATE UNLOGGED TABLE \(name) (\(definitions.joined(separator: ", ")), "
          + "source bytea NOT NULL, PRIMARY KEY (\(columns[0].name)))"
      ),
      Statement(once: "COMMENT ON TABLE \(name) IS \(mark.quotedText)"),
    ])
    return true
  }

  /// Returns true if the table has values of this migration.
  private func isThere(on connection: Connection) async throws -> Bool {
    let comment = try await connection.run([
      Statement("SELECT obj_description(to_regclass($1), 'pg_class')") { $0.append(name) }
    ])[0]
    return comment.text(0, 0) == mark
  }

  /// Drops the table of the values.
  func drop(on connection: Connection) async throws {
    _ = try await connection.run([Statement(once: "DROP TABLE IF EXISTS \(name)")])
  }

  /// Computes the values of all rows, some rows in each transaction.
  ///
  /// Ends early when another program has upgraded the schema, or has met an error and dropped the values: the upgrade
  /// then determines the remaining work.
  ///
  /// - Parameters:
  ///   - connection: An idle connection.
  ///   - report: Receives the progress; nil if it is not needed.
  /// - Throws: The same errors as ``ColumnMigration/run(on:in:without:report:)``.
  func fill(
    on connection: Connection,
    report: (@Sendable (MigrationProgress) -> Void)?
  ) async throws {
    do {
      try await fillAll(on: connection, report: report)
    } catch let failure as ServerFailure
      where [ServerFailure.State.undefinedTable, ServerFailure.State.undefinedColumn]
      .contains(failure.state)
    {}
  }

  private func fillAll(
    on connection: Connection,
    report: (@Sendable (MigrationProgress) -> Void)?
  ) async throws {
    let counts = try await counts(on: connection)
    var progress = MigrationProgress(
      entityName: migration.entity.name,
      completedCount: counts.made,
      totalCount: counts.all
    )
    report?(progress)
    let objects = try migration.objects()
    while true {
      do {
        let count = try await fillSome(objects, on: connection)
        if count == 0 { return }
        let before = progress.completedCount / ColumnMigration.reportedRows
        progress.completedCount += count
        // Other programs may have added rows.
        progress.totalCount = max(progress.totalCount, progress.completedCount)
        if progress.completedCount / ColumnMigration.reportedRows > before { report?(progress) }
      } catch let failure as ServerFailure where failure.isConflict {
        // Another program computes the same values.
      }
    }
  }

  /// Returns the number of rows with computed values, and of all rows.
  private func counts(on connection: Connection) async throws -> (made: Int, all: Int) {
    do {
      let counts = try await connection.run([
        Statement(once: "BEGIN"),
        Statement(once: "SET LOCAL statement_timeout = 0"),
        Statement(
          "SELECT (SELECT count(*) FROM \(name)), (SELECT count(*) FROM \(present.name))"
        ),
        Statement(once: "COMMIT"),
      ])[2]
      return (Int(counts.anyInteger(0, 0) ?? 0), Int(counts.anyInteger(0, 1) ?? 0))
    } catch {
      _ = try? await connection.run([Statement(once: "ROLLBACK")])
      throw error
    }
  }

  /// Computes the values of the next rows, and returns their number.
  private func fillSome(_ objects: ObjectRows?, on connection: Connection) async throws -> Int {
    let (id, columns) = (present.id.name, columns)
    let names = columns.indices.map { "v\($0)" }.joined(separator: ", ")
    do {
      // One snapshot, so that the hash is of the values that were read.
      let rows = try await connection.run([
        Statement(once: "BEGIN ISOLATION LEVEL REPEATABLE READ"),
        Statement(
          "SELECT \(present.selection) FROM \(present.name) WHERE \(id) > "
            + "(SELECT coalesce(max(\(columns[0].name)), 0) FROM \(name)) "
            + "ORDER BY \(id) LIMIT \(ColumnMigration.rowsAtOnce)"
        ),
      ])[1]
      var last: UInt64 = 0
      let values = try migration.values(
        of: rows,
        from: present,
        objects,
        in: tables.namespace,
        &last
      )
      _ = try await connection.run([
        Statement(
          "INSERT INTO \(name) SELECT v.*, \(hash(present)) "
            + "FROM (\(RowArrays.source(of: columns))) AS v(\(names)) "
            + "JOIN \(present.name) AS t ON t.\(id) = v.v0 ON CONFLICT DO NOTHING",
          values.parameters()
        ), Statement(once: "COMMIT"),
      ])
      return rows.count
    } catch {
      _ = try? await connection.run([Statement(once: "ROLLBACK")])
      throw error
    }
  }

  // MARK: In the upgrade

  /// Fills the columns of all rows, from the computed values or else by the functions.
  ///
  /// - Parameters:
  ///   - connection: A connection in the transaction of the upgrade.
  ///   - report: Receives the progress; nil if it is not needed.
  /// - Throws: The same errors as ``ColumnMigration/run(on:in:without:report:)``.
  func finish(
    on connection: Connection,
    report: (@Sendable (MigrationProgress) -> Void)?
  ) async throws {
    guard try await isThere(on: connection) else {
      // The values of another migration, if there are any.
      try await drop(on: connection)
      return try await migration.run(on: connection, in: tables.namespace, report: report)
    }
    let (source, target) = (migration.source, migration.target)
    let (own, id) = (columns[0].name, source.id.name)
    let changes = columns.dropFirst().map { "\($0.name) = s.\($0.name)" }
    _ = try await connection.run([
      Statement(
        once: "DELETE FROM \(name) AS s USING \(source.name) AS t "
          + "WHERE t.\(id) = s.\(own) AND s.source <> \(hash(source))"
      ), Statement(once: "ANALYZE \(name)"),
      Statement(
        once: "UPDATE \(target.name) AS t SET \(changes.joined(separator: ", ")) "
          + "FROM \(name) AS s WHERE t.\(id) = s.\(own)"
      ),
    ])
    let isWaiting = "EXISTS (SELECT FROM \(name) AS s WHERE s.\(own) = t.\(id))"
    let count = try await connection.run([
      Statement("SELECT count(*) FROM \(source.name) AS t WHERE \(isWaiting)")
    ])[0]
    try await migration.run(
      on: connection,
      in: tables.namespace,
      without: (Int(count.anyInteger(0, 0) ?? 0), "NOT \(isWaiting)"),
      report: report
    )
    try await drop(on: connection)
  }
}
