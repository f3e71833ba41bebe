internal import Foundation

/// The outcome of a commit whose connection broke.
public enum CommitOutcome: Hashable, Sendable {
  /// All its writes were done.
  case committed
  /// None of its writes was done, nor will be.
  case rolledBack
  /// The commit is so long ago that the database may have known its outcome and forgotten it; see
  /// ``Cluster/Configuration/commitMemory``.
  case forgotten
}

extension Cluster {
  /// Returns the outcome of a commit that ``ClusterError/commitOutcomeUnknown(token:message:)`` told of.
  ///
  /// Waits for the end of the transaction while it still runs on the server. A commit that has not reached the
  /// server will not be done after this.
  ///
  /// - Parameter token: The token of the error; it may have been stored, and come from another program.
  /// - Returns: The outcome.
  /// - Throws: ``ClusterError`` when no server can be asked.
  public func outcome(of token: CommitToken) async throws -> CommitOutcome {
    try await pool.withConnection { try await decide(token, on: $0) }
  }

  /// Decides a commit whose connection broke, on a new connection in the place of the broken one.
  ///
  /// The place is the caller's, so the question waits for no other caller. The task's cancellation does not end it.
  ///
  /// - Parameter token: The token of the commit.
  /// - Returns: Whether the commit was done, and the new connection.
  /// - Throws: ``ClusterError/commitOutcomeUnknown(token:message:)`` when no server can be asked in time, or the
  ///   server has forgotten the outcome; the place has the broken connection then.
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

  /// Returns whether an error will come again when the server is asked again.
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
    // Without its replicas the answer may be lost with the server, and so the commit.
    guard !connection.takeReplicationWaitWasCut() else {
      throw ClusterError.connectionLost(message: "the server did not wait for its replicas")
    }
    if rows[1].bool(0, 0) == false { return .committed }
    let forgotten = rows[2].integer(0, 0, as: Int64.self) ?? .max
    return token.milliseconds <= forgotten ? .forgotten : .rolledBack
  }
}
