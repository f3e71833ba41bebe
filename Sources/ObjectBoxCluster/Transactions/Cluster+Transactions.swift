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
      try await attempts { attempt in
        let buffer = WriteBuffer(self)
        do {
          return try await transaction(
            .write,
            over: pool.checkOut(),
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
      try await attempts { attempt in
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
      try await attempts { attempt in
        try await transaction(
          .write,
          over: pool.checkOut(),
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

  /// Runs a transaction until it is done, or may not be run again.
  private func attempts<R>(_ run: (_ attempt: Int) async throws -> R) async throws -> R {
    let end = ContinuousClock.now + pool.configuration.reconnectTime
    var conflicts = Backoff.conflicts
    var connecting = Backoff.connecting
    var attempt = 1
    while true {
      try Task.checkCancellation()
      do {
        return try await run(attempt)
      } catch let retry as Retry {
        switch retry.reason {
        case .conflict(let failure):
          guard attempt < pool.configuration.attemptLimit else {
            throw ClusterError.conflict(
              attempts: attempt,
              message:
                "the transaction met others \(attempt) times: \(failure.message); nothing was written; try again "
                + "later, or change fewer of the same objects at once"
            )
          }
          try await conflicts.wait()
        case .lostConnection(let failure):
          guard ContinuousClock.now < end else { throw failure.error }
          try await connecting.wait()
        }
        attempt += 1
      }
    }
  }

  /// Runs a transaction once, on a connection that it checks in again.
  private func transaction<R>(
    _ kind: Kind,
    over connection: Connection,
    of pool: ConnectionPool,
    _ buffer: WriteBuffer,
    _ attempt: Int,
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
      attempt: attempt
    )
    defer {
      // A commit in doubt has put another connection in the place of the broken one.
      let used = transaction.connection
      pool.checkIn(used, roundTrips: used.roundTripCount - (used === connection ? roundTrips : 0))
    }
    do {
      let result = try await body(transaction)
      try Task.checkCancellation()
      let hasWritten = try await transaction.commit(writes)
      buffer.didCommit()
      if hasWritten { changes.didCommit() }
      return result
    } catch {
      await transaction.rollBack()
      guard let reason = transaction.retryReason else { throw error }
      throw Retry(reason: reason)
    }
  }
}
