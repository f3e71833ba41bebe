internal import ObjectBoxCluster

/// Detects tables that are changed without the log while a server runs, and restarts their logging.
///
/// Call it about every minute. It reads the system catalogues, and takes no lock and no transaction number if nothing
/// is wrong. Otherwise it locks the table against writers, but waits only briefly: writers behind it would wait for the
/// longest transaction.
///
/// It creates missing triggers and leaves the functions unchanged: a server with a newer model may run at the same
/// time.
struct ServerLogInspection: Sendable {
  /// The time for which writers may wait for a lock.
  private static let lockTimeout = "1s"

  private let serverLog: ServerLog

  /// Creates the inspection of a server log's tables.
  init(_ serverLog: ServerLog) {
    self.serverLog = serverLog
  }

  /// Inspects the tables once.
  ///
  /// - Returns: The tables with changes that the log may lack; devices with their objects get a reset.
  /// - Throws: `ClusterError`.
  func run() async throws -> [UnloggedChanges] {
    let isRight = try await serverLog.pool.withConnection { connection in
      try await plan(on: connection).isEmpty
    }
    if isRight { return [] }
    return try await ServerLogSchema.repeating {
      try await serverLog.pool.withConnection { connection in
        var found: [UnloggedChanges] = []
        do {
          try await DatabaseUpgrade(serverLog.tables).inTransaction(on: connection) {
            let first = try await plan(on: connection)
            found = first.found
            _ = try await connection.run(
              ["SET LOCAL lock_timeout = '\(Self.lockTimeout)'", "SELECT \(ServerLog.waitForDisk)"]
                .map { Statement(once: $0) } + first.locks
            )
            let plan = try await plan(on: connection)
            _ = try await connection.run(plan.statements)
            found = plan.found
          }
        } catch let failure as ServerFailure where failure.state == "55P03" && found.isEmpty {
          // Remembering the states can wait for the next inspection.
        }
        return found
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
      Statement(once: serverLog.loggedQuery), serverLog.triggersQuery, serverLog.statesQuery,
    ])
    let logged = LoggedProperties(rows[0])
    let present = PresentTriggers(rows[1])
    let states = TableStates(rows[2])
    var plan = Plan()
    var remembered: [String] = []
    // A newer server may have ended an entity's synchronization, or renamed its table.
    for entity in serverLog.entities where logged.since(entity.uid) != nil {
      let triggers = ChangeTriggers.all(of: entity, logged, in: serverLog).filter {
        states[$0.tableName] != nil
      }
      let found = triggers.compactMap { $0.unloggedChanges(present, states) }
      for one in triggers {
        if !present.areThere(one) { plan.statements += one.restoration }
        guard
          found.contains(where: { $0.table == one.tableName })
            || states[one.tableName]?.isChanged ?? false
        else { continue }
        // Another session may change them before the lock; that counts too.
        plan.locks.append(one.lock)
        remembered.append(one.tableName)
      }
      if !found.isEmpty { plan.statements.append(serverLog.beginning(0, at: -1, of: entity)) }
      plan.found += found
    }
    if !remembered.isEmpty { plan.statements.append(serverLog.remembering(remembered)) }
    return plan
  }
}

extension ChangeTriggers {
  /// Returns the triggers of an entity's table and of its relations' tables.
  static func all(of entity: SyncedEntity, _ logged: LoggedProperties, in serverLog: ServerLog)
    -> [Self]
  {
    let columns = logged.properties(of: entity.uid).map { property in
      entity.column(property).flatMap { ServerValue.isLoggable($0) ? $0 : nil }
    }
    return [ChangeTriggers(entity, logging: columns, in: serverLog)]
      + entity.pairs.map { ChangeTriggers($0, of: entity, in: serverLog) }
  }

  /// Returns the reason for which the log may lack changes of the table; nil if it lacks none.
  func unloggedChanges(_ present: PresentTriggers, _ states: TableStates) -> UnloggedChanges? {
    let state = states[tableName]
    let cause: UnloggedChanges.Cause
    if !present.areThere(self) || state?.hasOtherTriggers ?? false {
      cause = .triggers
    } else if state?.isRewritten ?? false {
      cause = .rewriting
    } else {
      return nil
    }
    return UnloggedChanges(table: tableName, cause: cause)
  }
}
