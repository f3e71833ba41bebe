internal import Foundation

/// The outcome of a commit whose connection broke.
public enum CommitOutcome: Hashable, Sendable {
  /// All its writes are stored.
  case committed
  /// None of its writes is stored, or ever will be.
  case rolledBack
  /// The commit is so old that the database may have deleted its outcome.
  ///
  /// See ``Cluster/Configuration/commitMemory``.
  case forgotten
}

extension Cluster {
  /// Returns the outcome of a commit after ``ClusterError/commitOutcomeUnknown(token:message:)``.
  ///
  /// Waits while the transaction still runs on the server. Prevents a commit that has not reached the server yet.
  ///
  /// - Parameter token: The error's token, which may have been stored, or come from another
  ///   program.
  /// - Returns: The outcome.
  /// - Throws: ``ClusterError`` when no server can be asked.
  public func outcome(of token: CommitToken) async throws -> CommitOutcome {
    try await pool.withConnection { try await decide(token, on: $0) }
  }

  /// Determines the outcome of a commit whose connection broke, on a new connection in the slot of the broken one.
  ///
  /// The caller already has the slot, so it waits for no other caller. Cancelling the task does not end the search for
  /// the outcome.
  ///
  /// - Parameter token: The token of the commit.
  /// - Returns: Whether the commit is stored, and the new connection.
  /// - Throws: ``ClusterError/commitOutcomeUnknown(token:message:)`` when no server can be asked in time, or the server
  ///   has deleted the outcome; the slot then keeps the broken connection.
  func decideInPlace(
    _ token: CommitToken
  ) async throws -> (isCommitted: Bool, connection: Connection) {
    let end = ContinuousClock.now + pool.configuration.reconnectTime
    let asking = Task.detached {
      var backoff = Backoff.connecting
      while true {
        do {
          let connection = try await self.pool.connect(until: end)
          let outcome = try await ServerFailure.told {
            try await self.decide(token, on: connection)
          }
          return (outcome, connection)
        } catch {
          guard ContinuousClock.now < end, !Self.isFinal(error) else {
            throw Self.unknownOutcome(
              token,
              "no server could be asked whether it was done: \(error.localizedDescription)"
            )
          }
          try await backoff.wait()
        }
      }
    }
    let (outcome, connection) = try await asking.value
    if outcome == .forgotten {
      throw Self.unknownOutcome(
        token,
        "the server was asked so late that it has forgotten whether it was done; raise 'commitMemory' of the "
          + "configuration above 'reconnectTime'"
      )
    }
    return (outcome == .committed, connection)
  }

  private static func unknownOutcome(_ token: CommitToken, _ reason: String) -> ClusterError {
    .commitOutcomeUnknown(
      token: token,
      message:
        "the connection broke during a commit, and \(reason); ask 'cluster.outcome(of:)' later with the token "
        + "\(token)"
    )
  }

  /// Returns true if asking again would give the same error.
  private static func isFinal(_ error: any Error) -> Bool {
    switch error as? ClusterError {
    case .authenticationFailed, .databaseMissing, .notPermitted: true
    default: false
    }
  }

  private func decide(_ token: CommitToken, on connection: Connection) async throws -> CommitOutcome
  {
    _ = connection.takeReplicationWaitWasCut()
    let rows = try await connection.run(CommitLog(tables).decision(token))
    // If the replicas did not confirm, a failover may lose the answer and the commit.
    guard !connection.takeReplicationWaitWasCut() else {
      throw ClusterError.connectionLost(message: "the server did not wait for its replicas")
    }
    if rows[1].bool(0, 0) == false { return .committed }
    let forgotten = rows[2].integer(0, 0, as: Int64.self) ?? .max
    return token.milliseconds <= forgotten ? .forgotten : .rolledBack
  }
}
