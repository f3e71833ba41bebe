internal import ObjectBox

/// The observers of a cluster in this program, and the notifications of its own commits.
final class ClusterChanges: Sendable {
  /// The time for which an observer waits for a notification before it polls, in milliseconds.
  private static let patience: Int32 = 1_000
  /// The shortest time between two notifications, with and without observers.
  private static let intervals = (
    observed: Duration.milliseconds(2), unobserved: Duration.milliseconds(100)
  )
  /// The delays before attempts to reconnect.
  private static let waits = [Duration.milliseconds(50), .milliseconds(500), .seconds(2)]

  private struct State {
    var subscribers = CommitSubscribers()
    var hasNews = false
    var isNotifying = false
  }

  private let tables: ClusterTables
  private let pool: ConnectionPool
  private let signal: ChangeSignal
  private let report: @Sendable (any Error) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - tables: The model.
  ///   - pool: The connections of the cluster.
  ///   - report: Gets the errors of observers' lost connections, which reconnect by themselves.
  init(
    _ tables: ClusterTables,
    _ pool: ConnectionPool,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    self.tables = tables
    self.pool = pool
    self.report = report
    signal = ChangeSignal(tables)
  }

  /// Ends all sequences.
  func close() {
    let (waiting, subscribers) = state.withLock { state in
      (state.subscribers.close(), state.subscribers.all)
    }
    for caller in waiting { caller.resume(throwing: ConnectionPool.closed) }
    for subscriber in subscribers { subscriber.finish() }
  }

  // MARK: Commits of this program

  /// Notifies observers on all machines soon; many commits share one notification.
  func didCommit() {
    let begins = state.withLock { state in
      state.hasNews = true
      defer { state.isNotifying = true }
      return !state.isNotifying && !state.subscribers.isClosed
    }
    guard begins else { return }
    Task.detached { await self.notify() }
  }

  private func notify() async {
    while state.withLock({ state in
      defer { state.hasNews = false }
      if !state.hasNews || state.subscribers.isClosed { state.isNotifying = false }
      return state.isNotifying
    }) {
      // Observers poll once a second, so a lost notification only delays them.
      let rows = try? await pool.run([signal.notifying])
      let isObserved = rows?.first?.count ?? 0 > 0
      let interval = isObserved ? Self.intervals.observed : Self.intervals.unobserved
      try? await Task.sleep(for: interval)
    }
  }

  // MARK: Observers

  /// Begins to follow the commits of all programs.
  func subscribe() async throws -> AsyncStream<ClusterCommit> {
    let (stream, continuation) = AsyncStream<ClusterCommit>.makeStream()
    let number = state.withLock { $0.subscribers.add(continuation) }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.subscribers.remove(number) }
    }
    try await withCheckedThrowingContinuation { (ready: CheckedContinuation<Void, any Error>) in
      let (answer, reader) = state.withLock { state -> (Result<Void, any Error>?, UInt64?) in
        if state.subscribers.isClosed { return (.failure(ConnectionPool.closed), nil) }
        let reader = state.subscribers.beginReading()
        return (state.subscribers.wait(ready) ? nil : .success(()), reader)
      }
      if let answer { ready.resume(with: answer) }
      if let reader { Task.detached { await self.read(as: reader) } }
    }
    return stream
  }

  /// Reads the log while there are subscribers; only one reader runs at a time.
  ///
  /// - Parameter reader: The number of the reader.
  private func read(as reader: UInt64) async {
    var log = ChangeLog(tables)
    var failures = 0
    while goesOn(reader) {
      do {
        let connection = try await pool.connectAlone()
        _ = try await connection.run(signal.listening)
        while goesOn(reader) {
          deliver(log.take(try await connection.run(log.statements)))
          failures = 0
          _ = try await connection.notifications(waitingAtMost: Self.patience)
        }
      } catch {
        log.reconnect()
        // Only callers that wait for the first reading get the error; running sequences continue after the
        // reconnection.
        let error = (error as? ServerFailure)?.error ?? error
        if !refuse(error) { report(error) }
        try? await Task.sleep(for: Self.waits[min(failures, Self.waits.count - 1)])
        failures += 1
      }
    }
  }

  private func goesOn(_ reader: UInt64) -> Bool {
    state.withLock { $0.subscribers.goesOn(reader) }
  }

  private func deliver(_ commits: [ClusterCommit]) {
    let (waiting, subscribers) = state.withLock { state in
      (state.subscribers.didRead(), state.subscribers.all)
    }
    for caller in waiting { caller.resume() }
    for commit in commits {
      for subscriber in subscribers { subscriber.yield(commit) }
    }
  }

  /// Passes an error to callers that wait for the first reading; returns false without such
  /// callers.
  private func refuse(_ error: any Error) -> Bool {
    let waiting = state.withLock { $0.subscribers.takeWaiting() }
    for caller in waiting { caller.resume(throwing: error) }
    return !waiting.isEmpty
  }
}
