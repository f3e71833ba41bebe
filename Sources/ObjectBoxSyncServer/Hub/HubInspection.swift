internal import ObjectBoxCluster

/// Looks whether tables are changed without the log while a server runs, and begins to log them anew.
///
/// Call it about each minute. It reads the system's catalogues, and takes no lock and no number of a
/// transaction if nothing is wrong.
///
/// It makes missing triggers anew and leaves the functions as they are: a server with a newer model may
/// run beside this one.
struct HubInspection: Sendable {
  private let hub: Hub

  /// Plans looks at the tables of a hub.
  init(_ hub: Hub) {
    self.hub = hub
  }

  /// Looks once.
  ///
  /// - Returns: The tables with changes that the log may lack. Their devices get a reset.
  /// - Throws: `ClusterError`.
  func run() async throws -> [UnloggedChanges] {
    let isRight = try await hub.pool.withConnection { connection in
      try await plan(on: connection).isEmpty
    }
    if isRight { return [] }
    return try await HubSchema.repeating {
      try await hub.pool.withConnection { connection in
        try await DatabaseUpgrade(hub.tables).inTransaction(on: connection) {
          var plan = try await plan(on: connection)
          _ = try await connection.run([Statement(once: "SELECT \(Hub.waitForDisk)")] + plan.locks)
          plan = try await self.plan(on: connection)
          _ = try await connection.run(plan.statements)
          return plan.found
        }
      }
    }
  }

  private struct Plan {
    var locks: [Statement] = []
    var statements: [Statement] = []
    var found: [UnloggedChanges] = []

    var isEmpty: Bool { statements.isEmpty }
  }

  private func plan(on connection: Connection) async throws -> Plan {
    let rows = try await connection.run([
      Statement(once: hub.loggedQuery), hub.triggersQuery, hub.statesQuery,
    ])
    let logged = LoggedProperties(rows[0])
    let present = PresentTriggers(rows[1])
    let states = TableStates(rows[2])
    var plan = Plan()
    var remembered: [String] = []
    // A newer server may have ended the synchronization of an entity, or renamed its table.
    for entity in hub.entities where logged.since(entity.uid) != nil {
      let triggers = ChangeTriggers.all(of: entity, logged, in: hub).filter {
        states[$0.tableName] != nil
      }
      let found = triggers.compactMap { $0.unloggedChanges(present, states) }
      for one in triggers {
        let isUnlogged = found.contains { $0.table == one.tableName }
        if isUnlogged { plan.locks.append(one.lock) }
        if !present.areThere(one) { plan.statements += one.restoration }
        if isUnlogged || states[one.tableName]?.isChanged ?? false {
          remembered.append(one.tableName)
        }
      }
      if !found.isEmpty { plan.statements.append(hub.beginning(0, at: -1, of: entity)) }
      plan.found += found
    }
    if !remembered.isEmpty { plan.statements.append(hub.remembering(remembered)) }
    return plan
  }
}

extension ChangeTriggers {
  /// Returns the triggers of an entity's table and of its relations' tables.
  static func all(of entity: SyncedEntity, _ logged: LoggedProperties, in hub: Hub) -> [Self] {
    let columns = logged.properties(of: entity.uid).map { property in
      entity.column(property).flatMap { HubValue.isLoggable($0) ? $0 : nil }
    }
    return [ChangeTriggers(entity, logging: columns, in: hub)]
      + entity.pairs.map { ChangeTriggers($0, of: entity, in: hub) }
  }

  /// Returns the reason for which the log may lack changes of the table; nil without any.
  func unloggedChanges(_ present: PresentTriggers, _ states: TableStates) -> UnloggedChanges? {
    let state = states[tableName]
    let cause: UnloggedChanges.Cause
    if !present.areThere(self) || state?.hasOtherTriggers ?? false {
      cause = .triggers
    } else if state?.isRewritten ?? false {
      cause = .rewriting
    } else if state?.isSubscribed ?? false, present.areEarlier(self) {
      cause = .replication
    } else {
      return nil
    }
    return UnloggedChanges(table: tableName, cause: cause)
  }
}
