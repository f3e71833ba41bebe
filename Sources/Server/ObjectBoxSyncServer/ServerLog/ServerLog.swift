internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The tables of a cluster for the synchronization of devices.
///
/// ``ServerLogSchema`` creates it. It holds no state: any number of servers work on the same tables.
package struct ServerLog: Sendable {
  let tables: ClusterTables
  let pool: ConnectionPool
  let entities: [SyncedEntity]

  /// Determines the names of the server log's tables in a cluster.
  init(_ cluster: Cluster) {
    self.init(cluster.tables, cluster.pool)
  }

  init(_ tables: ClusterTables, _ pool: ConnectionPool) {
    self.tables = tables
    self.pool = pool
    entities = tables.all.filter { $0.schema.flags & EntityFlags.syncEnabled.rawValue != 0 }
      .map { table in
        let pairs = table.schema.relations.compactMap { tables.pairs(relation: $0.identity.id) }
        return SyncedEntity(table: table, pairs: pairs)
      }
  }

  /// Returns a synchronized entity; nil when the model does not synchronize it.
  func entity(_ uid: EntityUID) -> SyncedEntity? { entities.first { $0.uid == uid } }

  /// The change log, partitioned by transaction numbers.
  var changes: String { name("objectbox_changes") }
  /// The single row with the epoch of the log, the number from which on the log is kept, and the transaction that made
  /// it.
  var epoch: String { name("objectbox_epoch") }
  /// The entities and properties that the log has, with the transaction that added each.
  var logged: String { name("objectbox_logged") }
  /// Pairs of times and transaction numbers, by which sweeps find old partitions.
  var sweepMarks: String { name("objectbox_sweep_marks") }
  var devices: String { name("objectbox_devices") }
  var uploads: String { name("objectbox_uploads") }
  /// The decisions of transactions by token, of all devices.
  var decisions: String { name("objectbox_verdicts") }
  var tombstones: String { name("objectbox_tombstones") }

  /// An SQL expression that makes the commit of its transaction wait for the disk, even if the setting
  /// `synchronous_commit` is off.
  ///
  /// Devices see a commit at once, so a crash must neither undo it nor assign its number again.
  ///
  /// All names and operators in it are qualified, since triggers run it with their owner's rights.
  static let waitForDisk = "CASE WHEN \(isAsynchronous) THEN \(makeSynchronous) END"
  /// The condition of ``waitForDisk``.
  static let isAsynchronous =
    "pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.=) 'off'"
  /// The effect of ``waitForDisk``.
  static let makeSynchronous = "pg_catalog.set_config('synchronous_commit', 'local', true)"

  /// Returns the name of a table in SQL, qualified by the schema of the cluster.
  func name(_ table: String) -> String { "\(tables.namespace).\(table.quotedName)" }

  /// Runs a body on a connection in one transaction, and rolls back if the body throws.
  ///
  /// - Parameters:
  ///   - begin: The statements that begin the transaction; the body gets their rows.
  ///   - body: Gets the connection and the rows of `begin`.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, `ClusterError`.
  func transaction<T>(
    _ begin: [Statement],
    _ body: (Connection, [ResultRows]) async throws -> T
  ) async throws -> T {
    try await rollingBack { connection in
      let rows = try await connection.run(begin)
      let result = try await body(connection, rows)
      _ = try await connection.run([Statement("COMMIT")])
      return result
    }
  }

  /// Runs a body that begins and commits a transaction on a connection, and rolls back if the body throws.
  ///
  /// - Throws: The error of the body, `ClusterError`.
  func rollingBack<T>(_ body: (Connection) async throws -> T) async throws -> T {
    try await pool.withConnection { connection in
      do {
        return try await body(connection)
      } catch {
        // Without a connection there is no transaction to roll back.
        _ = try? await connection.run([Statement(once: "ROLLBACK")])
        throw error
      }
    }
  }
}

/// An entity with the flag `sync`: its table, and the tables of the relations from it.
struct SyncedEntity: Sendable {
  let table: ClusterTable
  let pairs: [RelationPairs]

  var uid: EntityUID { EntityUID(table.schema.identity.uid) }
  var name: String { table.schema.name }

  /// Returns the column of a property; nil when the entity lacks it.
  func column(_ property: PropertyUID) -> Column? {
    table.columns.first { $0.property.identity.uid == property.value }
  }
}

extension Column {
  var uid: PropertyUID { PropertyUID(property.identity.uid) }
}
