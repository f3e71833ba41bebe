package import ObjectBoxStorage

/// Takes part in each commit of an open store with its own writes.
///
/// Synchronization queues the changes of a transaction for its server in the same transaction.
package protocol CommitParticipant: Sendable {
  /// Called before a transaction with changes commits, on the thread that wrote.
  ///
  /// All savepoints have ended. The function may read and write in the transaction, and must close its own cursors.
  ///
  /// - Parameter transaction: The transaction, with its ``Transaction/notedChanges``.
  /// - Throws: An error that rolls the transaction back.
  func willCommit(_ transaction: Transaction) throws
}

extension Transaction {
  /// The changed objects so far by entity number, with one net change for each object.
  ///
  /// Valid in a ``CommitParticipant``: before that, open savepoints contain further changes.
  package var notedChanges: [Int: EntityChanges] { work.changes }

  /// Runs a body that reads the newest commit, which this write transaction follows.
  ///
  /// - Parameter body: Receives a read transaction, which ends with the body.
  /// - Returns: The body's result.
  /// - Throws: `StorageError` when no reader slot is free, and the body's error.
  package func readingCommitted<T>(_ body: (StorageTransaction) throws -> T) throws -> T {
    let reading = try file.environment.beginRead()
    defer { reading.abort() }
    return try body(reading)
  }
}

extension TransactionScheduler {
  /// The participant of write transactions; nil if there is none.
  package var currentParticipant: (any CommitParticipant)? { participant.copy }

  /// Sets the participant of all write transactions that begin from now on, unless there is one.
  ///
  /// Waits for the write transaction in progress. The participant stays until the store closes.
  ///
  /// - Parameter new: The participant.
  /// - Returns: The participant, which may be an earlier one.
  package func addParticipant(_ new: any CommitParticipant) -> any CommitParticipant {
    gate.enter()
    defer { gate.leave() }
    return participant.withLock { participant in
      let current = participant ?? new
      participant = current
      return current
    }
  }
}
