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
  /// - Returns: The hub, for reading cuts, uploads and sweeps.
  /// - Throws: ``HubError``, `ClusterError`; then nothing has changed.
  package func run() async throws -> Hub {
    for _ in 1..<Self.attempts {
      do { return try await attempt() } catch ClusterError.conflict {}
    }
    return try await attempt()
  }

  private func attempt() async throws -> Hub {
    try await hub.pool.withConnection { connection in
      let isReplica = try await connection.run([Statement(once: "SELECT pg_is_in_recovery()")])
      if isReplica[0].bool(0, 0) ?? true { throw HubError.isReplica }
      try await DatabaseUpgrade(hub.tables).inTransaction(on: connection) {
        _ = try await connection.run(
          ["SET LOCAL client_min_messages = warning", "SELECT \(Hub.waitForDisk)"]
            .map { Statement(once: $0) } + hub.tableStatements
        )
        try await makeLog(on: connection)
        try await log(on: connection)
      }
    }
    return hub
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
        "DELETE FROM \(hub.logged)",
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

  private func log(on connection: Connection) async throws {
    let rows = try await connection.run([
      Statement(once: hub.loggedQuery), hub.triggersQuery, hub.columnsQuery,
    ])
    var logged = LoggedProperties(rows[0])
    var present = PresentTriggers(rows[1])
    let columns = Set((0..<rows[2].count).compactMap { rows[2].text($0, 0) })
    var statements: [Statement] = []
    for entity in hub.entities {
      var missing = (properties[entity.uid] ?? []).filter {
        logged.position(of: $0, in: entity.uid) == nil
      }
      missing = missing.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      let triggersBefore = wanted(entity, logged)
      missing.forEach { logged.add($0, to: entity.uid) }
      let triggers = wanted(entity, logged)
      // Otherwise the table may have been written without the log.
      let isNew = logged.since(entity.uid) == nil || !triggersBefore.allSatisfy(present.log)
      for (index, trigger) in triggers.enumerated() {
        let isRight = present.take(trigger)
        if !columns.contains(trigger.tableName) {
          statements += Self.columnStatements(of: trigger.table, isPairs: index > 0)
        }
        if !isRight { statements += trigger.creation }
      }
      statements += additions(missing, to: entity, logged, isNew: isNew)
    }
    for (table, function) in present.rest {
      statements += ChangeTriggers.removal(from: hub.name(table)).map { Statement(once: $0) }
      statements.append(
        Statement(once: "DROP FUNCTION IF EXISTS \(hub.name(function))()")
      )
    }
    let synced = hub.entities.map { Int64(bitPattern: $0.uid.value) }
    for entity in logged.entities where !synced.contains(Int64(bitPattern: entity.value)) {
      statements.append(
        Statement("DELETE FROM \(hub.logged) WHERE entity = $1") { $0.append(id: entity.value) }
      )
    }
    _ = try await connection.run(statements)
  }

  private func wanted(_ entity: SyncedEntity, _ logged: LoggedProperties) -> [ChangeTriggers] {
    let columns = logged.properties(of: entity.uid).map { property in
      entity.column(property).flatMap { HubValue.isLoggable($0) ? $0 : nil }
    }
    return [ChangeTriggers(entity, logging: columns, in: hub)]
      + entity.pairs.map { ChangeTriggers($0, of: entity, in: hub) }
  }

  /// Statements that note what this transaction begins to log.
  private func additions(
    _ missing: [PropertyUID],
    to entity: SyncedEntity,
    _ logged: LoggedProperties,
    isNew: Bool
  ) -> [Statement] {
    func statement(_ property: UInt64, _ position: Int) -> Statement {
      Statement(
        """
        INSERT INTO \(hub.logged) (entity, property, position) VALUES ($1, $2, $3)
        ON CONFLICT (entity, property) DO UPDATE SET since = pg_current_xact_id()
        """
      ) { parameters in
        parameters.append(id: entity.uid.value)
        parameters.append(id: property)
        parameters.append(Int32(position))
      }
    }
    return (isNew ? [statement(0, -1)] : [])
      + missing.map { statement($0.value, logged.position(of: $0, in: entity.uid) ?? 0) }
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
