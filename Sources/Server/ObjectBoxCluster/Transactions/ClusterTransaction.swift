internal import ObjectBox

/// A transaction on a server, passed to a block.
///
/// Nothing is sent before the first read. Writes are buffered until the next read or the commit.
/// One task at a time uses it; boxes and queries of the block share it.
public final class ClusterTransaction {
  fileprivate enum State {
    case open
    /// A statement failed. The server refuses further statements until the transaction, or the
    /// savepoint at this depth, ends.
    case failed(any Error, depth: Int)
    case ended
  }

  /// The number of this run of the block: 1, or more after conflicts and lost servers.
  public let attempt: Int
  let cluster: Cluster
  /// The connection; after a commit with an unknown outcome, a new one in the same slot replaces it.
  private(set) var connection: Connection
  let buffer: WriteBuffer
  let isReadOnly: Bool
  /// The reason for which the block may run again; nil when it may not.
  fileprivate(set) var retryReason: RetryReason?
  fileprivate var state = State.open
  /// Unsent statements that begin the transaction and its savepoints.
  fileprivate var pending: [Statement]
  fileprivate var depth = 0

  /// Creates a transaction that begins with its first statement.
  ///
  /// - Parameters:
  ///   - cluster: The cluster.
  ///   - connection: A connection for this transaction alone.
  ///   - buffer: The writes of the transaction.
  ///   - begin: The statement that begins the transaction.
  ///   - isReadOnly: True to refuse writes.
  ///   - attempt: See ``attempt``.
  init(
    _ cluster: Cluster,
    _ connection: Connection,
    _ buffer: WriteBuffer,
    begin: Statement,
    isReadOnly: Bool = false,
    attempt: Int
  ) {
    self.cluster = cluster
    self.connection = connection
    self.buffer = buffer
    self.isReadOnly = isReadOnly
    self.attempt = attempt
    pending = [begin]
  }

  /// Runs statements in order, after the buffered writes, in one round trip.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each statement.
  /// - Throws: `ClusterError`, `ObjectBoxError`; then the transaction, or the innermost savepoint,
  ///   can only end.
  package func run(_ batch: [Statement]) async throws -> [ResultRows] {
    try checkIsOpen()
    return try await run(batch, after: try takeWrites())
  }

  fileprivate func run(_ batch: [Statement], after writes: [Statement]) async throws -> [ResultRows]
  {
    guard !batch.isEmpty || !writes.isEmpty else { return [] }
    let first = pending.count
    do {
      let rows = try await connection.run(pending + writes + batch)
      pending = []
      if !writes.isEmpty { buffer.take(Array(rows[first..<first + writes.count])) }
      return Array(rows[(first + writes.count)...])
    } catch var failure as ServerFailure {
      // The completed statements are on the server.
      pending.removeFirst(min(failure.completedStatements, pending.count))
      failure.statement = failure.statement.flatMap { $0 < first ? nil : $0 - first }
      throw fail(with: failure)
    } catch {
      // The content of a COPY failed; the statements before it are on the server.
      if connection.isInTransaction { pending = [] }
      state = .failed(error, depth: depth)
      throw error
    }
  }

  private func fail(with failure: ServerFailure) -> any Error {
    if isReadOnly, failure.state == ServerFailure.State.readOnlyTransaction {
      let error = Self.writesWhileReading
      state = .failed(error, depth: depth)
      return error
    }
    let error = failure.isCancellation ? nil : buffer.error(for: failure)
    state = .failed(error ?? failure.error, depth: depth)
    if !failure.isCancellation {
      retryReason =
        buffer.hasMetReplaced(failure) ? .conflict(failure) : RetryReason(failure)
    }
    // A server that became a replica stays a replica.
    if case .lostConnection = retryReason { connection.spend() }
    return error ?? failure.error
  }

  fileprivate func takeWrites() throws -> [Statement] {
    let writes = try buffer.statements()
    guard !isReadOnly || writes.isEmpty else { throw Self.writesWhileReading }
    return writes
  }

  private static var writesWhileReading: ObjectBoxError {
    .cannotWriteWhileReading(message: "a block of 'cluster.read' cannot write; use 'cluster.write'")
  }

  fileprivate func checkIsOpen() throws {
    switch state {
    case .open: break
    case .failed(let error, _): throw error
    case .ended:
      throw ObjectBoxError.transactionEnded(
        message: "the block of the transaction has ended; do not keep the transaction"
      )
    }
  }

  // MARK: End

  /// Commits.
  ///
  /// - Parameter unsent: Writes to send before the buffer's writes.
  /// - Returns: True when the transaction has written.
  /// - Throws: Errors of the writes and of the commit; ``ClusterError`` with
  ///   `commitOutcomeUnknown`.
  func commit(_ unsent: [Statement] = []) async throws -> Bool {
    try checkIsOpen()
    let writes = unsent + (try takeWrites())
    // A block without statements has no transaction on the server.
    if writes.isEmpty, !connection.isInTransaction {
      state = .ended
      return false
    }
    guard !isReadOnly else {
      // All data were read, so a lost server no longer matters.
      _ = try? await run([Statement("COMMIT")], after: [])
      state = .ended
      return false
    }
    let token = CommitToken.new(at: connection.serverTime)
    let row = CommitLog(cluster.tables).insertion(token, buffer.changes)
    _ = connection.takeReplicationWaitWasCut()
    do {
      let rows = try await run([row, Statement("COMMIT")], after: writes)
      state = .ended
      let hasWritten = rows[0].changedCount > 0
      // The server has the commit, but may lose it if its disk fails.
      if hasWritten, connection.takeReplicationWaitWasCut() { try await decide(token) }
      return hasWritten
    } catch {
      // A server that refuses to write has not committed.
      guard case .lostConnection(let failure) = retryReason, failure.isConnectionLost else {
        throw error
      }
      try await decide(token)
      return true
    }
  }

  /// Returns when the commit is known to be stored.
  ///
  /// - Throws: `connectionLost` when it is not stored and should be retried;
  ///   `commitOutcomeUnknown`.
  private func decide(_ token: CommitToken) async throws {
    state = .ended
    connection.spend()
    retryReason = nil
    let isCommitted: Bool
    (isCommitted, connection) = try await cluster.decideInPlace(token)
    guard !isCommitted else { return }
    let failure = ServerFailure(
      state: "",
      message: "it broke during a commit, which was not done",
      isConnectionLost: true
    )
    retryReason = .lostConnection(failure)
    throw failure.error
  }

  /// Rolls back on the server but not in memory; costs a round trip if the server has begun the
  /// transaction.
  func rollBack() async {
    state = .ended
    guard connection.isAlive, connection.isInTransaction else { return }
    do {
      _ = try await connection.run([Statement("ROLLBACK")])
    } catch {
      connection.spend()
    }
  }
}

// MARK: Savepoints

extension ClusterTransaction {
  /// Runs a part of the block; if it throws, only its writes are undone and the block can continue.
  ///
  /// The writes of the part are sent by its end, so a violated constraint fails here. Conflicts and lost connections
  /// still end the whole transaction, and the block runs again. Costs at most two round trips.
  ///
  /// - Parameter body: Uses this transaction.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, unchanged; errors of its writes.
  @discardableResult
  public func savepoint<R>(_ body: () async throws -> R) async throws -> R {
    try checkIsOpen()
    let name = "objectbox_\(depth + 1)"
    let begin = Statement("SAVEPOINT \(name)")
    let earlier = try takeWrites()
    if earlier.isEmpty {
      pending.append(begin)
    } else {
      // A failure of the earlier writes does not belong to the part.
      _ = try await run([begin], after: earlier)
    }
    let unsent = pending.count
    var isUnsent: Bool { unsent > 0 && pending.count == unsent && earlier.isEmpty }
    depth += 1
    defer { depth -= 1 }
    buffer.beginSavepoint()
    do {
      let result = try await body()
      try checkIsOpen()
      let writes = try takeWrites()
      // If nothing was sent since the savepoint began, the server does not need it.
      if writes.isEmpty, isUnsent {
        pending.removeLast()
      } else {
        _ = try await run([Statement("RELEASE SAVEPOINT \(name)")], after: writes)
      }
      buffer.endSavepoint(undoing: false)
      return result
    } catch {
      buffer.endSavepoint(undoing: true)
      if canGoOn {
        state = .open
        if isUnsent {
          pending.removeLast()
        } else {
          let ends = ["ROLLBACK TO SAVEPOINT \(name)", "RELEASE SAVEPOINT \(name)"]
          _ = try await run(ends.map { Statement($0) }, after: [])
        }
      }
      throw error
    }
  }

  /// True if the transaction can continue after a rollback to the innermost savepoint.
  private var canGoOn: Bool {
    switch state {
    case .open: true
    case .failed(_, let failedDepth):
      failedDepth >= depth && retryReason == nil && connection.isAlive
    case .ended: false
    }
  }
}

/// The reason why a block may run again.
enum RetryReason {
  /// The transaction conflicted with others.
  case conflict(ServerFailure)
  /// The server is lost, or has become a replica.
  case lostConnection(ServerFailure)
  /// The transaction searched texts without words.
  case missingWords

  /// Nil for a failure that would occur again.
  init?(_ failure: ServerFailure) {
    if failure.isOfMissingWords {
      self = .missingWords
    } else if failure.isConflict {
      self = .conflict(failure)
    } else if failure.isConnectionLost || failure.state == ServerFailure.State.readOnlyTransaction {
      self = .lostConnection(failure)
    } else {
      return nil
    }
  }
}
