internal import ObjectBox

extension Cluster {
  /// Runs a block in a transaction: all its writes are committed, or none.
  ///
  /// Transactions of all programs behave as if they ran one after another (SERIALIZABLE). When a transaction conflicts
  /// with others or loses its server, it is rolled back, and the block runs again after a short time. So the block must
  /// have no effects besides its writes, or check ``ClusterTransaction/attempt``. If the connection breaks during the
  /// commit, the cluster asks a server for the outcome, so no write is repeated.
  ///
  /// A cancelled task cancels the running statement on the server and rolls the transaction back.
  /// Costs a round trip for each read of the block, and one for all its writes and the commit.
  ///
  ///     try await cluster.write { transaction in
  ///       guard let note = try await transaction.get(Note.self, id) else { return }
  ///       note.stars += 1
  ///       try await transaction.put(note)
  ///     }
  ///
  /// - Parameter body: Reads and writes through the transaction it gets, not through boxes of the
  ///   cluster.
  /// - Returns: The result of the block, once its writes have the durability that the server provides.
  /// - Throws: The error of the block, unchanged, after the rollback; `ObjectBoxError`:
  ///   `alreadyInWriteTransaction` in another block, errors of its writes; ``ClusterError``:
  ///   `conflict` after the configured number of attempts, `commitOutcomeUnknown`, errors of
  ///   connections; `CancellationError`.
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

  /// Runs a block that reads one consistent state of all objects.
  ///
  /// It neither waits for other transactions nor makes them wait. A block that loses its server
  /// runs again.
  ///
  ///     let counts = try await cluster.read { transaction in
  ///       let authors = try await transaction.box(for: Author.self).count()
  ///       return (authors, notes: try await transaction.box(for: Note.self).count())
  ///     }
  ///
  /// - Parameters:
  ///   - servers: The servers to read from.
  ///   - deferrable: True to read a state consistent with a serial order of all transactions
  ///     (SERIALIZABLE DEFERRABLE), which may wait for running transactions and is not possible on
  ///     replicas. False to read the present state (REPEATABLE READ).
  ///   - body: Reads through the transaction it gets.
  /// - Returns: The result of the block.
  /// - Throws: The error of the block, unchanged; `ObjectBoxError`: `cannotWriteWhileReading` for a
  ///   write, `alreadyInWriteTransaction` in a block of `write`; ``ClusterError``;
  ///   `CancellationError`.
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

  /// Commits the writes of a call outside a transaction, in one round trip.
  ///
  /// - Parameter buffer: The writes; their effects in memory are kept, or undone on failure.
  /// - Throws: The same errors as ``write(_:)``.
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

  /// A transaction that was rolled back and may run again.
  private struct Retry: Error {
    let reason: RetryReason
  }

  /// One run of a transaction.
  private struct Attempt {
    /// The number of the run, starting at 1.
    var number = 1
    /// True when the transaction has precedence: it has lost repeatedly, and others give way to it.
    var goesFirst = false
  }

  /// Runs a transaction until it succeeds or may not run again.
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
          // Transactions with precedence also wait: a commit that is being written to disk is not visible yet, and
          // makes each run fail that reads its objects.
          try await conflicts.wait()
          if attempt.goesFirst { precedence.renew() }
        case .lostConnection(let failure):
          guard ContinuousClock.now < end else { throw failure.error }
          try await connecting.wait()
        case .missingWords:
          // A replica may need several attempts until it has received the words.
          guard attempt.number < pool.configuration.attemptLimit, try await fillWords() else {
            throw ServerFailure.wordsAreMissing
          }
          if attempt.number > 1 { try await conflicts.wait() }
        }
        attempt.number += 1
      }
    }
  }

  /// Runs a transaction once, and checks the connection in.
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
      // A commit with an unknown outcome may have replaced the broken connection.
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

  /// The greatest number of transactions to give way to before a run.
  private static let mostOthers = 5

  /// Returns a connection for a writing run, after the transaction with precedence.
  ///
  /// A transaction gives way to one other and competes with the next, unless the next one began while this one waited
  /// for a connection. Without that exception, a queue of such transactions could make it lose every run.
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

  /// Waits for other programs' transactions with precedence; returns nil when that takes too long.
  ///
  /// If the connection breaks here, the transaction will meet the error.
  private func lock(_ connection: Connection) async -> PrecedenceLock? {
    let lock = PrecedenceLock(tables)
    return (try? await connection.run(lock.taking)) == nil ? nil : lock
  }

  private func free(_ lock: PrecedenceLock, _ connection: Connection) async {
    // Closing the connection frees the lock too.
    guard connection.isUsable, (try? await connection.run([lock.freeing])) != nil else {
      return connection.spend()
    }
  }
}
