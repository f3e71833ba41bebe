internal import ObjectBox
package import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Creates and upgrades the server log's tables and triggers in a cluster's schema.
///
/// Everything runs in one transaction, while no other upgrade of the schema runs, and changes only what differs: any
/// number of servers may run it at any time. Tables and triggers need their owner's rights.
package struct ServerLogSchema: Sendable {
  /// The number of attempts when writers cause deadlocks.
  private static let attempts = 3

  private let serverLog: ServerLog
  private let properties: [EntityUID: [PropertyUID]]
  private let partitionWidth: UInt64

  /// Prepares the server log of a cluster.
  ///
  /// - Parameters:
  ///   - cluster: The cluster; entities with the flag `sync` in its model are synchronized.
  ///   - properties: The properties that rules compare, by entity; their values are logged. Properties for other
  ///     servers stay logged.
  ///   - partitionWidth: The number of transactions in a partition of the log.
  /// - Throws: ``ServerLogError/unsupported(message:)`` for an unknown entity or property, and for a property whose
  ///   values cannot be logged.
  package init(
    _ cluster: Cluster,
    logging properties: [EntityUID: [PropertyUID]] = [:],
    partitionWidth: UInt64 = ServerLogSweep.partitionWidth
  ) throws {
    serverLog = ServerLog(cluster)
    self.properties = properties
    self.partitionWidth = partitionWidth
    for (uid, list) in properties {
      guard let entity = serverLog.entity(uid) else {
        throw ServerLogError.unsupported(
          message:
            "rules name the entity with UID \(uid.value), which the model does not synchronize; annotate its class "
            + "with 'objectbox: sync', or remove the rules"
        )
      }
      for property in list {
        guard let column = entity.column(property) else {
          throw ServerLogError.unsupported(
            message:
              "a rule of '\(entity.name)' names the property with UID \(property.value), which the model lacks"
          )
        }
        guard ServerValue.isLoggable(column) else {
          throw ServerLogError.unsupported(
            message:
              "a rule of '\(entity.name)' compares '\(column.property.name)', whose type \(column.kind.sql) is a "
              + "list; compare a property with one value"
          )
        }
      }
    }
  }

  /// Creates the missing parts; takes a few round trips and no table lock if nothing is missing.
  ///
  /// - Parameter report: Gets tables that were changed without the log; devices with their objects get a reset.
  /// - Returns: The server log, for reading deltas, uploads and sweeps.
  /// - Throws: ``ServerLogError``, `ClusterError`; nothing was changed then.
  package func run(_ report: (UnloggedChanges) -> Void = { _ in }) async throws -> ServerLog {
    let found = try await Self.repeating(attempt)
    found.forEach(report)
    return serverLog
  }

  /// Runs a transaction, and repeats it when writers cause deadlocks.
  static func repeating<T>(_ body: () async throws -> T) async throws -> T {
    for _ in 1..<attempts {
      do { return try await body() } catch ClusterError.conflict {}
    }
    return try await body()
  }

  private func attempt() async throws -> [UnloggedChanges] {
    try await serverLog.pool.withConnection { connection in
      let isReplica = try await connection.run([Statement(once: "SELECT pg_is_in_recovery()")])
      if isReplica[0].bool(0, 0) ?? true { throw ServerLogError.isReplica }
      return try await DatabaseUpgrade(serverLog.tables).inTransaction(on: connection) {
        _ = try await connection.run(
          ["SET LOCAL client_min_messages = warning", "SELECT \(ServerLog.waitForDisk)"]
            .map { Statement(once: $0) } + serverLog.tableStatements
        )
        try await makeLog(on: connection)
        return try await log(on: connection)
      }
    }
  }

  // MARK: Log

  /// Creates the log if it is missing.
  ///
  /// Replaces it in a new epoch, where transaction numbers of the old epoch have no meaning.
  private func makeLog(on connection: Connection) async throws {
    let rows = try await connection.run([
      Statement(once: serverLog.identityQuery), Statement(once: serverLog.epochQuery),
      Statement(once: "SELECT pg_current_xact_id()"),
      Statement(once: "SELECT to_regclass(\(serverLog.changes.quotedText)) IS NOT NULL"),
    ])
    let epoch = try serverLog.epoch(rows[0], 0)
    let stored = rows[1].count > 0 ? try serverLog.epoch(rows[1], 0) : nil
    let now = rows[2].integer(0, 0, as: UInt64.self) ?? 0
    let isThere = rows[3].bool(0, 0) ?? false
    if isThere, let stored, stored.system == epoch.system, stored.database == epoch.database {
      guard stored.timeline != epoch.timeline else { return }
      _ = try await connection.run([
        Statement("UPDATE \(serverLog.epoch) SET timeline = $1") {
          $0.append(Int64(epoch.timeline))
        }
      ])
      return
    }
    // Partitions that were being detached when the database was copied do not belong to the log.
    let old = try await connection.run([serverLog.partitionsQuery])[0]
    let leftovers = (0..<old.count).compactMap { old.text($0, 0) }
    _ = try await connection.run(
      [
        "DROP TABLE IF EXISTS \(serverLog.changes)", "DELETE FROM \(serverLog.sweepMarks)",
        "DELETE FROM \(serverLog.logged)", "DELETE FROM \(serverLog.states)",
      ]
      .map { Statement(once: $0) }
        + leftovers.map { Statement(once: "DROP TABLE IF EXISTS \(serverLog.name($0))") }
        + [Statement(once: "DELETE FROM \(serverLog.epoch)")]
        + serverLog.logStatements(next: now + 1, width: partitionWidth)
        + [
          Statement(
            """
            INSERT INTO \(serverLog.epoch) (system, database, timeline, created)
            VALUES ($1, $2, $3, pg_current_xact_id())
            """
          ) { parameters in
            parameters.append(Int64(bitPattern: epoch.system))
            parameters.append(Int64(epoch.database))
            parameters.append(Int64(epoch.timeline))
          }
        ]
    )
  }

  // MARK: Triggers

  private func log(on connection: Connection) async throws -> [UnloggedChanges] {
    var plan = try await plan(on: connection)
    if !plan.locks.isEmpty {
      // Another session may change them before the locks; that counts too.
      _ = try await connection.run(plan.locks)
      plan = try await self.plan(on: connection)
    }
    _ = try await connection.run(plan.statements)
    return plan.found
  }

  /// The statements that create and change triggers and columns, and the findings.
  private struct Plan {
    var statements: [Statement] = []
    /// Statements that lock the tables whose states are to be remembered.
    var locks: [Statement] = []
    var found: [UnloggedChanges] = []
    private(set) var remembered: [String] = []

    /// Schedules a table's state to be remembered, under a lock.
    mutating func remember(_ table: String, in serverLog: ServerLog) {
      if remembered.contains(table) { return }
      remembered.append(table)
      locks.append(serverLog.lock(table))
    }
  }

  private func plan(on connection: Connection) async throws -> Plan {
    let rows = try await connection.run([
      Statement(once: serverLog.loggedQuery), serverLog.triggersQuery, serverLog.columnsQuery,
      serverLog.statesQuery,
    ])
    var logged = LoggedProperties(rows[0])
    var present = PresentTriggers(rows[1])
    let columns = Set((0..<rows[2].count).compactMap { rows[2].text($0, 0) })
    let states = TableStates(rows[3])
    var plan = Plan()
    for entity in serverLog.entities {
      var missing = (properties[entity.uid] ?? []).filter {
        logged.position(of: $0, in: entity.uid) == nil
      }
      missing = missing.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      let triggersBefore = wanted(entity, logged)
      missing.forEach { logged.add($0, to: entity.uid) }
      let triggers = wanted(entity, logged)
      let unlogged = triggersBefore.compactMap { $0.unloggedChanges(present, states) }
      let isLogged = logged.since(entity.uid) != nil
      if isLogged { plan.found += unlogged }
      // Otherwise the table may have been written without the log.
      let isNew = !isLogged || !unlogged.isEmpty || !triggersBefore.allSatisfy(present.has)
      for (index, trigger) in triggers.enumerated() {
        let isRight = present.take(trigger)
        if !columns.contains(trigger.tableName) {
          plan.statements += Self.columnStatements(of: trigger.table, isPairs: index > 0)
        }
        if !isRight { plan.statements += trigger.creation }
        if !isRight || isNew || states[trigger.tableName]?.isChanged ?? true {
          plan.remember(trigger.tableName, in: serverLog)
        }
      }
      if let stamp = StampTrigger(entity, in: serverLog), !present.take(stamp) {
        plan.statements += stamp.creation
        plan.remember(stamp.tableName, in: serverLog)
      }
      plan.statements += additions(missing, to: entity, logged, isNew: isNew)
    }
    for (table, function, triggers) in present.rest {
      plan.statements += triggers.map {
        Statement(once: "DROP TRIGGER IF EXISTS \($0.quotedName) ON \(serverLog.name(table))")
      }
      plan.statements.append(
        Statement(once: "DROP FUNCTION IF EXISTS \(serverLog.name(function))()")
      )
      if states[table] != nil { plan.remember(table, in: serverLog) }
    }
    let synced = serverLog.entities.map { Int64(bitPattern: $0.uid.value) }
    for entity in logged.entities where !synced.contains(Int64(bitPattern: entity.value)) {
      plan.statements.append(
        Statement("DELETE FROM \(serverLog.logged) WHERE entity = $1") {
          $0.append(id: entity.value)
        }
      )
    }
    if !plan.remembered.isEmpty { plan.statements.append(serverLog.remembering(plan.remembered)) }
    if !present.rest.isEmpty { plan.statements.append(serverLog.forgettingStates) }
    return plan
  }

  private func wanted(_ entity: SyncedEntity, _ logged: LoggedProperties) -> [ChangeTriggers] {
    ChangeTriggers.all(of: entity, logged, in: serverLog)
  }

  /// Statements that record the properties and entities that this transaction begins to log.
  private func additions(
    _ missing: [PropertyUID],
    to entity: SyncedEntity,
    _ logged: LoggedProperties,
    isNew: Bool
  ) -> [Statement] {
    (isNew ? [serverLog.beginning(0, at: -1, of: entity)] : [])
      + missing.map {
        serverLog.beginning($0.value, at: logged.position(of: $0, in: entity.uid) ?? 0, of: entity)
      }
  }

  /// Statements that add the server log's columns to a table.
  ///
  /// They add the defaults after the columns: otherwise the defaults would be written into each row.
  private static func columnStatements(of table: String, isPairs: Bool) -> [Statement] {
    let columns =
      isPairs
      ? [(ServerColumns.dot, "uuid", "gen_random_uuid()")]
      : [
        (ServerColumns.originID, "bigint", ServerColumns.originDefault),
        (ServerColumns.stamp, "bytea", nil), (ServerColumns.stamps, "bytea", nil),
      ]
    var statements: [Statement] = []
    for (name, type, preset) in columns {
      statements.append(
        Statement(once: "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \(name) \(type)")
      )
      guard let preset else { continue }
      statements.append(
        Statement(once: "ALTER TABLE \(table) ALTER COLUMN \(name) SET DEFAULT \(preset)")
      )
    }
    return statements
  }
}
