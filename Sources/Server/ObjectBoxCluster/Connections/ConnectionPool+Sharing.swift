internal import ObjectBox
internal import Synchronization

/// A connection that short reads of several tasks share.
///
/// Their statements and answers travel together, which saves messages and thread switches on both sides.
final class SharedConnection: Sendable {
  let connection: Connection
  fileprivate let firstRoundTrip: Int
  /// Changed under the pool's lock.
  fileprivate let users = Atomic<Int>(1)

  fileprivate init(_ connection: Connection) {
    self.connection = connection
    firstRoundTrip = connection.roundTripCount
  }
}

extension ConnectionPool {
  private static let userLimit = 64

  /// Runs short reads on a connection that other tasks may use at the same time.
  func runShared(_ batch: [Statement]) async throws -> [ResultRows] {
    try Task.checkCancellation()
    do {
      let shared = try await share()
      defer { leave(shared) }
      return try await shared.connection.run(batch, isShared: true)
    } catch let failure as ServerFailure {
      // Another task's preparation of this statement was refused, or its cancellation hit this batch.
      let isAnothers =
        failure.state == ServerFailure.State.unknownPreparedStatement
        || failure.isCancellation && !Task.isCancelled
      guard isAnothers else { throw failure.error }
      return try await run(batch)
    }
  }

  private func share() async throws -> SharedConnection {
    if let shared = state.withLock({ $0.joinShared() }) { return shared }
    let connection = try await checkOut()
    let (shared, isNew) = state.withLock { state in
      if let shared = state.joinShared() { return (shared, false) }
      let shared = SharedConnection(connection)
      state.shared = shared
      return (shared, true)
    }
    if !isNew { checkIn(connection) }
    return shared
  }

  private func leave(_ shared: SharedConnection) {
    let isLast = state.withLock { state in
      guard shared.users.subtract(1, ordering: .relaxed).newValue == 0 else { return false }
      if state.shared === shared { state.shared = nil }
      return true
    }
    guard isLast else { return }
    let connection = shared.connection
    checkIn(connection, roundTrips: connection.roundTripCount - shared.firstRoundTrip)
  }

  fileprivate static func mayJoin(_ shared: SharedConnection) -> Bool {
    shared.users.load(ordering: .relaxed) < userLimit && shared.connection.isShareable
  }
}

extension ConnectionPool.State {
  /// Joins the shared connection; nil when there is none, or it may not be used any longer.
  fileprivate func joinShared() -> SharedConnection? {
    // Waiting tasks get this connection once its users have left it.
    guard let shared, !isClosed, waiters.isEmpty, ConnectionPool.mayJoin(shared) else { return nil }
    shared.users.add(1, ordering: .relaxed)
    return shared
  }
}
