internal import ObjectBox

extension Cluster {
  /// Runs a block in a transaction: its writes are committed together, or not at all.
  ///
  /// Transactions of all programs have the effect of running one after the other (SERIALIZABLE). One that the server
  /// refuses, since it met others, or that loses its server, is rolled back, and the block is run again, after a
  /// short time: the block must have no other effects than its writes, or look at
  /// ``ClusterTransaction/attempt``. Where the connection breaks during the commit, the server is asked whether it
  /// was done, so that nothing is done twice.
  ///
  /// When the task is cancelled, the running statement is cancelled on the server, and the transaction is rolled
  /// back. Costs a round trip for each read of the block, and one for all its writes with the commit.
  ///
  /// - Parameter body: Reads and writes by the transaction that it is passed, and not by boxes of the cluster.
  /// - Returns: The result of the block, once its writes are as safe as the server makes them.
  /// - Throws: The error of the block, unchanged, after everything is rolled back; `ObjectBoxError`:
  ///   `alreadyInWriteTransaction` in another block, errors of its writes; ``ClusterError``: `conflict` after as
  ///   many attempts as the configuration allows, `commitOutcomeUnknown`, errors of connections;
  ///   `CancellationError`.
  @discardableResult
  public func write<R>(_ body: (ClusterTransaction) async throws -> R) async throws -> R {
    try await TransactionScope.run(self, isReadOnly: false) {
      try await attempts(of: .write) { attempt in
        let buffer = WriteBuffer(self)
        do {
          return try await transaction(
            .write,
            over: checkOut(for: attempt),
            of: pool,
            buffer,
            attempt,
            body
          )
        } catch {
          buffer.didRollBack()
          throw await buffer.explained(error)
        }
      }
    }
  }

  /// Runs a block that reads, and sees one state of all objects.
  ///
  /// It waits for no other transaction and makes none wait. A block that loses its server is run again.
  ///
  /// - Parameters:
  ///   - servers: The servers to read from.
  ///   - deferrable: True to read a state that all transactions agree about as well as with each other
  ///     (SERIALIZABLE DEFERRABLE), which may have to wait for running ones; false for that of any moment. Replicas
  ///     cannot do the former.
  ///   - body: Reads by the transaction that it is passed.
  /// - Returns: The result of the block.
  /// - Throws: The error of the block, unchanged; `ObjectBoxError`: `cannotWriteWhileReading` for a write,
  ///   `alreadyInWriteTransaction` in a block of `write`; ``ClusterError``; `CancellationError`.
  public func read<R>(
    on servers: ClusterReadServers = .primary,
    deferrable: Bool = false,
    _ body: (ClusterTransaction) async throws -> R
  ) async throws -> R {
    try await TransactionScope.run(self, isReadOnly: true) {
      try await attempts(of: .snapshot) { attempt in
        if case .replica(let lag) = servers.choice, !deferrable,
          let connection = try await replicas.checkOut(maximumLag: lag)
        {
          return try await transaction(
            .snapshot,
            over: connection,
            of: replicas.pool,
            WriteBuffer(self),
            attempt,
            body
          )
        }
        let kind = deferrable ? Kind.deferrable : .snapshot
        return try await transaction(
          kind,
          over: pool.checkOut(),
          of: pool,
          WriteBuffer(self),
          attempt,
          body
        )
      }
    }
  }

  /// Commits the writes of a call that has no transaction, in one round trip.
  ///
  /// - Parameter buffer: The writes; what they have in memory is settled or taken back.
  /// - Throws: As ``write(_:)``.
  func commit(_ buffer: WriteBuffer) async throws {
    do {
      try TransactionScope.check(self, isReadOnly: false)
      let writes = try buffer.statements()
      guard !writes.isEmpty else { return buffer.didCommit() }
      try await attempts(of: .write) { attempt in
        try await transaction(
          .write,
          over: checkOut(for: attempt),
          of: pool,
          buffer,
          attempt,
          sending: writes
        ) { _ in }
      }
    } catch {
      buffer.didRollBack()
      throw error
    }
  }

  // MARK: Attempts

  /// The kinds of transactions.
  private enum Kind: String {
    case write = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case deferrable = "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE"
  }

  /// A transaction that was rolled back, and can be run again.
  private struct Retry: Error {
    let reason: RetryReason
  }

  /// A run of a transaction.
  private struct Attempt {
    /// 1 for the first run.
    var number = 1
    /// True when the transaction has lost repeatedly, and others give way to it.
    var goesFirst = false
  }

  /// Runs a transaction until it is done, or may not be run again.
  private func attempts<R>(
    of kind: Kind,
    _ run: (_ attempt: Attempt) async throws -> R
  ) async throws -> R {
    let end = ContinuousClock.now + pool.configuration.reconnectTime
    var conflicts = Backoff.conflicts
    var connecting = Backoff.connecting
    var attempt = Attempt()
    var losses = 0
    defer { if attempt.goesFirst { precedence.give() } }
    while true {
      try Task.checkCancellation()
      do {
        return try await run(attempt)
      } catch let retry as Retry {
        switch retry.reason {
        case .conflict(let failure):
          guard attempt.number < pool.configuration.attemptLimit else {
            throw ClusterError.conflict(
              attempts: attempt.number,
              message:
                "the transaction met others \(attempt.number) times: \(failure.message); nothing was written; try "
                + "again later, or change fewer of the same objects at once"
            )
          }
          losses += 1
          if kind == .write, !attempt.goesFirst, losses >= Precedence.losses {
            attempt.goesFirst = await precedence.take()
            conflicts = .conflicts
          }
          // Also for the one that goes first: a commit that the server is writing to its disk is not visible yet, and
          // refuses each run that reads what it wrote.
          try await conflicts.wait()
          if attempt.goesFirst { precedence.renew() }
        case .lostConnection(let failure):
          guard ContinuousClock.now < end else { throw failure.error }
          try await connecting.wait()
        }
        attempt.number += 1
      }
    }
  }

  /// Runs a transaction once, on a connection that it checks in again.
  private func transaction<R>(
    _ kind: Kind,
    over connection: Connection,
    of pool: ConnectionPool,
    _ buffer: WriteBuffer,
    _ attempt: Attempt,
    sending writes: [Statement] = [],
    _ body: (ClusterTransaction) async throws -> R
  ) async throws -> R {
    let roundTrips = connection.roundTripCount
    let transaction = ClusterTransaction(
      self,
      connection,
      buffer,
      begin: Statement(kind.rawValue),
      isReadOnly: kind != .write,
      attempt: attempt.number
    )
    defer {
      // A commit in doubt has put another connection in the place of the broken one.
      let used = transaction.connection
      pool.checkIn(used, roundTrips: used.roundTripCount - (used === connection ? roundTrips : 0))
    }
    let lock = attempt.goesFirst ? await lock(connection) : nil
    do {
      let result = try await body(transaction)
      try Task.checkCancellation()
      let hasWritten = try await transaction.commit(writes)
      buffer.didCommit()
      if hasWritten { changes.didCommit() }
      if let lock { await free(lock, connection) }
      return result
    } catch {
      await transaction.rollBack()
      if let lock { await free(lock, connection) }
      guard let reason = transaction.retryReason else { throw error }
      throw Retry(reason: reason)
    }
  }

  // MARK: Precedence

  /// How often a transaction gives way to others before it runs.
  private static let mostOthers = 5

  /// Returns a connection for a run that writes, after the transaction that goes first.
  ///
  /// A transaction gives way to one other, and competes with the next one, unless that began while this one waited for
  /// a connection: a queue of such transactions could make it lose each run.
  private func checkOut(for attempt: Attempt) async throws -> Connection {
    var passed: UInt64 = 0
    for _ in 0..<Self.mostOthers {
      if !attempt.goesFirst, precedence.turn != 0, precedence.turn != passed {
        await precedence.giveWay()
        passed = precedence.turn
      }
      let connection = try await pool.checkOut(goesFirst: attempt.goesFirst)
      let turn = precedence.turn
      if attempt.goesFirst || turn == 0 || turn == passed { return connection }
      pool.checkIn(connection)
    }
    return try await pool.checkOut()
  }

  /// Waits for the transactions of other programs that go first; returns nil when they take too long.
  ///
  /// The transaction finds a connection that breaks meanwhile.
  private func lock(_ connection: Connection) async -> PrecedenceLock? {
    let lock = PrecedenceLock(tables)
    return (try? await connection.run(lock.taking)) == nil ? nil : lock
  }

  private func free(_ lock: PrecedenceLock, _ connection: Connection) async {
    // The lock ends with a connection that is closed.
    guard connection.isUsable, (try? await connection.run([lock.freeing])) != nil else {
      return connection.spend()
    }
  }
}
