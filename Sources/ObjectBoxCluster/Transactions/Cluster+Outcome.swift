internal import Foundation

/// The outcome of a commit whose connection broke.
public enum CommitOutcome: Hashable, Sendable {
  /// All its writes were done.
  case committed
  /// None of its writes was done, nor will be.
  case rolledBack
  /// The commit is longer ago than ``Cluster/Configuration/commitMemory``, and the server does not know it any more.
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
    let isOld = token.date < Date() - Double(pool.configuration.commitMemory.roundedSeconds)
    if try await decide(token) { return .committed }
    return isOld ? .forgotten : .rolledBack
  }

  /// Returns whether a commit was done; the task's cancellation does not end it.
  ///
  /// - Throws: ``ClusterError/commitOutcomeUnknown(token:message:)`` when no server can be asked in time.
  func isCommitted(_ token: CommitToken) async throws -> Bool {
    let end = ContinuousClock.now + pool.configuration.reconnectTime
    let asking = Task.detached {
      var backoff = Backoff.connecting
      while true {
        do {
          return try await self.decide(token)
        } catch {
          guard ContinuousClock.now < end, !Self.isFinal(error) else {
            throw ClusterError.commitOutcomeUnknown(
              token: token,
              message:
                "the connection broke during a commit, and no server could be asked whether it was done: "
                + "\(error.localizedDescription); ask 'cluster.outcome(of:)' later with the token \(token)"
            )
          }
          try await backoff.wait()
        }
      }
    }
    return try await asking.value
  }

  /// Returns whether an error will come again when the server is asked again.
  private static func isFinal(_ error: any Error) -> Bool {
    switch error as? ClusterError {
    case .closed, .authenticationFailed, .databaseMissing, .notPermitted: true
    default: false
    }
  }

  private func decide(_ token: CommitToken) async throws -> Bool {
    let decision = CommitLog(tables).decision(token)
    return try await pool.withConnection { connection in
      _ = connection.takeReplicationWaitWasCut()
      let isDead = try await connection.run([decision])[0].bool(0, 0)
      // Without its replicas the answer may be lost with the server, and so the commit.
      guard !connection.takeReplicationWaitWasCut() else {
        throw ClusterError.connectionLost(message: "the server did not wait for its replicas")
      }
      return isDead == false
    }
  }
}
