internal import ObjectBox
package import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Makes and upgrades the hub's tables and triggers in a cluster's schema.
///
/// Everything runs in one transaction, while no other upgrade of the schema runs, and changes only
/// what differs: any number of servers may run it at any time. Tables and triggers need their
/// owner's rights.
package struct HubSchema: Sendable {
  /// How often the transaction is attempted when writers cause deadlocks.
  private static let attempts = 3

  private let hub: Hub
  private let properties: [EntityUID: [PropertyUID]]
  private let partitionWidth: UInt64

  /// Plans the hub of a cluster.
  ///
  /// - Parameters:
  ///   - cluster: The cluster; entities with the flag `sync` in its model are synchronized.
  ///   - properties: The properties that rules compare, by entity. The log has their values; those
  ///     that other servers asked for stay logged.
  ///   - partitionWidth: The number of transactions in a partition of the log.
  /// - Throws: ``HubError/unsupported(message:)`` for an unknown entity or property, and for a
  ///   property whose values the log cannot have.
  package init(
    _ cluster: Cluster,
    logging properties: [EntityUID: [PropertyUID]] = [:],
    partitionWidth: UInt64 = HubSweep.partitionWidth
  ) throws {
    hub = Hub(cluster)
    self.properties = properties
    self.partitionWidth = partitionWidth
    for (uid, list) in properties {
      guard let entity = hub.entity(uid) else {
        throw HubError.unsupported(
          message:
            "rules name the entity with UID \(uid.value), which the model does not synchronize; annotate its class "
            + "with 'objectbox: sync', or remove the rules"
        )
      }
      for property in list {
        guard let column = entity.column(property) else {
          throw HubError.unsupported(
            message:
              "a rule of '\(entity.name)' names the property with UID \(property.value), which the model lacks"
          )
        }
        guard HubValue.isLoggable(column) else {
          throw HubError.unsupported(
            message:
              "a rule of '\(entity.name)' compares '\(column.property.name)', whose type \(column.kind.sql) is a "
              + "list; compare a property with one value"
          )
        }
      }
    }
  }

  /// Makes what is missing; takes a few round trips and no lock of a table when nothing is.
  ///
  /// - Parameter report: Hears of tables that were changed without the log; their devices get a reset.
  /// - Returns: The hub, for reading cuts, uploads and sweeps.
  /// - Throws: ``HubError``, `ClusterError`; then nothing has changed.
  package func run(_ report: (UnloggedChanges) -> Void = { _ in }) async throws -> Hub {
    let found = try await Self.repeating(attempt)
    found.forEach(report)
    return hub
  }

  /// Runs a transaction, and again when writers cause deadlocks.
  static func repeating<T>(_ body: () async throws -> T) async throws -> T {
    for _ in 1..<attempts {
      do { return try await body() } catch ClusterError.conflict {}
    }
    return try await body()
  }

  private func attempt() async throws -> [UnloggedChanges] {
    try await hub.pool.withConnection { connection in
      let isReplica = try await connection.run([Statement(once: "SELECT pg_is_in_recovery()")])
      if isReplica[0].bool(0, 0) ?? true { throw HubError.isReplica }
      return try await DatabaseUpgrade(hub.tables).inTransaction(on: connection) {
        _ = try await connection.run(
          ["SET LOCAL client_min_messages = warning", "SELECT \(Hub.waitForDisk)"]
            .map { Statement(once: $0) } + hub.tableStatements
        )
        try await makeLog(on: connection)
        return try await log(on: connection)
      }
    }
  }

  // MARK: Log

  /// Makes the log if it is missing, and anew in a new epoch, where numbers of the old epoch's
  /// transactions have no meaning, or when its form is that of an earlier build.
  private func makeLog(on connection: Connection) async throws {
    let rows = try await connection.run([
      Statement(once: hub.identityQuery), Statement(once: hub.epochQuery),
      Statement(once: "SELECT pg_current_xact_id()"),
      // A log of an earlier build has other columns.
      Statement(
        once: """
          SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(\(hub.changes.quotedText))
            AND attname = 'ids' AND NOT attisdropped)
          """
      ),
    ])
    let epoch = try hub.epoch(rows[0], 0)
    let stored = rows[1].count > 0 ? try hub.epoch(rows[1], 0) : nil
    let now = rows[2].integer(0, 0, as: UInt64.self) ?? 0
    let isThere = rows[3].bool(0, 0) ?? false
    if isThere, let stored, stored.system == epoch.system, stored.database == epoch.database {
      guard stored.timeline != epoch.timeline else { return }
      _ = try await connection.run([
        Statement("UPDATE \(hub.epoch) SET timeline = $1") { $0.append(Int64(epoch.timeline)) }
      ])
      return
    }
    // Partitions that were being detached when the database was copied are no part of the log.
    let old = try await connection.run([hub.partitionsQuery])[0]
    let leftovers = (0..<old.count).compactMap { old.text($0, 0) }
    _ = try await connection.run(
      [
        "DROP TABLE IF EXISTS \(hub.changes)", "DELETE FROM \(hub.marks)",
        "DELETE FROM \(hub.logged)", "DELETE FROM \(hub.states)",
      ]
      .map { Statement(once: $0) }
        + leftovers.map { Statement(once: "DROP TABLE IF EXISTS \(hub.name($0))") }
        + [Statement(once: "DELETE FROM \(hub.epoch)")]
        + hub.logStatements(next: now + 1, width: partitionWidth)
        + [
          Statement(
            """
            INSERT INTO \(hub.epoch) (system, database, timeline, created)
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
      // What another session changes before the locks counts, too.
      _ = try await connection.run(plan.locks)
      plan = try await self.plan(on: connection)
    }
    _ = try await connection.run(plan.statements)
    return plan.found
  }

  /// The statements that make and change triggers and columns, and what was found.
  private struct Plan {
    var statements: [Statement] = []
    /// Statements that lock the tables whose triggers are made anew.
    var locks: [Statement] = []
    var found: [UnloggedChanges] = []
    /// The tables whose states are to be remembered.
    var remembered: [String] = []
  }

  private func plan(on connection: Connection) async throws -> Plan {
    let rows = try await connection.run([
      Statement(once: hub.loggedQuery), hub.triggersQuery, hub.columnsQuery, hub.statesQuery,
    ])
    var logged = LoggedProperties(rows[0])
    var present = PresentTriggers(rows[1])
    let columns = Set((0..<rows[2].count).compactMap { rows[2].text($0, 0) })
    let states = TableStates(rows[3])
    var plan = Plan()
    for entity in hub.entities {
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
      let isNew =
        !isLogged || !unlogged.isEmpty
        || !triggersBefore.allSatisfy {
          present.log($0, isSubscribed: states[$0.tableName]?.isSubscribed ?? false)
        }
      for (index, trigger) in triggers.enumerated() {
        let isRight = present.take(trigger)
        if !columns.contains(trigger.tableName) {
          plan.statements += Self.columnStatements(of: trigger.table, isPairs: index > 0)
        }
        if !isRight {
          plan.locks.append(trigger.lock)
          plan.statements += trigger.creation
        }
        if !isRight || isNew || states[trigger.tableName]?.isChanged ?? true {
          plan.remembered.append(trigger.tableName)
        }
      }
      if let stamp = StampTrigger(entity, in: hub), !present.take(stamp) {
        plan.locks.append(triggers[0].lock)
        plan.statements += stamp.creation
        plan.remembered.append(stamp.tableName)
      }
      plan.statements += additions(missing, to: entity, logged, isNew: isNew)
    }
    for (table, function, triggers) in present.rest {
      plan.statements += triggers.map {
        Statement(once: "DROP TRIGGER IF EXISTS \($0.quotedName) ON \(hub.name(table))")
      }
      plan.statements.append(
        Statement(once: "DROP FUNCTION IF EXISTS \(hub.name(function))()")
      )
      if states[table] != nil { plan.remembered.append(table) }
    }
    let synced = hub.entities.map { Int64(bitPattern: $0.uid.value) }
    for entity in logged.entities where !synced.contains(Int64(bitPattern: entity.value)) {
      plan.statements.append(
        Statement("DELETE FROM \(hub.logged) WHERE entity = $1") { $0.append(id: entity.value) }
      )
    }
    if !plan.remembered.isEmpty { plan.statements.append(hub.remembering(plan.remembered)) }
    if !present.rest.isEmpty { plan.statements.append(hub.forgettingStates) }
    return plan
  }

  private func wanted(_ entity: SyncedEntity, _ logged: LoggedProperties) -> [ChangeTriggers] {
    ChangeTriggers.all(of: entity, logged, in: hub)
  }

  /// Statements that note what this transaction begins to log.
  private func additions(
    _ missing: [PropertyUID],
    to entity: SyncedEntity,
    _ logged: LoggedProperties,
    isNew: Bool
  ) -> [Statement] {
    (isNew ? [hub.beginning(0, at: -1, of: entity)] : [])
      + missing.map {
        hub.beginning($0.value, at: logged.position(of: $0, in: entity.uid) ?? 0, of: entity)
      }
  }

  /// Statements that add the hub's columns to a table.
  ///
  /// The defaults come after the columns, which would be written into each row otherwise.
  private static func columnStatements(of table: String, isPairs: Bool) -> [Statement] {
    let columns =
      isPairs
      ? [(HubColumns.dot, "uuid", "gen_random_uuid()")]
      : [
        (HubColumns.birth, "bigint", HubColumns.birthDefault),
        (HubColumns.stamp, "bytea", nil), (HubColumns.stamps, "bytea", nil),
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
