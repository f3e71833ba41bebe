public import ObjectBox
internal import ObjectBoxSyncProtocol

extension SyncClient {
  private var own: StoreSyncClient? { self as? StoreSyncClient }

  /// The present state and all later ones, until the client is closed.
  ///
  ///     try sync.start()
  ///     for await state in sync.states { print(state) }
  public var states: AsyncStream<SyncState> {
    own?.runner.states() ?? AsyncStream { $0.finish() }
  }

  /// The last error: of an attempt to connect, or of a connection; nil without one.
  ///
  /// An error of an open connection is one of these: a limit of the server slows the device down; a transaction waits
  /// since one of the models lacks a part of it; the server has another conflict rule; or the server's database may
  /// have lost decided writes.
  public var lastError: (any Error)? { own?.runner.lastError }

  /// The server's answer, if ``lastError`` is a refusal of the server; otherwise nil.
  ///
  ///     for await state in sync.states where state == .disconnected {
  ///       if sync.lastRefusal == .credentialsRejected { break }
  ///     }
  public var lastRefusal: SyncCode? { (lastError as? Refused).map { SyncCode($0.code) } }

  /// The number of waiting transactions, each time the server has decided some.
  ///
  /// It begins with the present number, and ends when the client is closed.
  ///
  ///     for await count in sync.decisions where count == 0 { break }
  public var decisions: AsyncStream<Int> {
    guard let own, !own.isClosed() else { return AsyncStream { $0.finish() } }
    return own.runner.listeners.decisions(from: { try? waitingCount() })
  }

  /// Returns the number of transactions that wait for the server's decision.
  ///
  /// - Returns: The number.
  /// - Throws: `ObjectBoxError` when the store is closed.
  public func waitingCount() throws -> Int { try own?.runner.synced.waitingCount ?? 0 }

  /// Returns the transactions that the server has rejected completely or in part, oldest first.
  ///
  /// Until a program has called it or uses ``decisions``, each rejected transaction is an `UnheardFailure`: a line on
  /// standard error, unless the store's configuration has a handler.
  ///
  /// - Returns: The transactions, until the program discards them or submits them again.
  /// - Throws: `ObjectBoxError` when the store is closed.
  /// - Complexity: O(*n*) for *n* kept writes.
  public func rejections() throws -> [SyncRejection] {
    guard let own else { return [] }
    own.runner.listeners.noteRejectionsAsked()
    let synced = own.runner.synced
    return try synced.rejections.map { try SyncRejection($0, synced.capture.model) }
  }

  /// Removes a rejected transaction from the list.
  ///
  /// - Parameter rejection: One of ``rejections()``; ignored if it is no longer in the list.
  /// - Throws: `ObjectBoxError` when the store cannot be written.
  public func discard(_ rejection: SyncRejection) throws {
    try own?.runner.synced.discard(rejection.told)
  }

  /// Applies a rejected transaction to the present objects, and sends it again.
  ///
  /// - Parameter rejection: One of ``rejections()``.
  /// - Throws: `ObjectBoxError.constraintViolated` if the store's objects show that the server would
  ///   reject it again; nothing changes then. `ObjectBoxError` when the store cannot be written.
  public func resubmit(_ rejection: SyncRejection) throws {
    do {
      try own?.runner.synced.resubmit(rejection.told)
    } catch let again as Rejection {
      throw ObjectBoxError.constraintViolated(
        message:
          "the server would reject the transaction again (\(SyncRejection.Reason(again.reason).rawValue)); write the "
          + "objects anew, or discard it"
      )
    }
  }
}

extension SyncCredentials {
  /// A JSON Web Token that the server verifies.
  ///
  /// - Parameter token: The token.
  /// - Returns: The credentials.
  public static func jwt(_ token: String) -> SyncCredentials { makeJwtIdToken(token) }
}
