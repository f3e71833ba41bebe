internal import ObjectBox

/// The observers of a cluster in this program, and the notifications of its own commits.
///
/// A class, since it guards state that tasks share.
final class ClusterChanges: Sendable {
  /// How long an observer waits for a notification before it looks by itself, in milliseconds.
  private static let patience: Int32 = 1_000
  /// The least time between two notifications, while there are observers and while there are none.
  private static let intervals = (
    observed: Duration.milliseconds(2), unobserved: Duration.milliseconds(100)
  )
  /// The times between attempts to connect again.
  private static let waits = [Duration.milliseconds(50), .milliseconds(500), .seconds(2)]

  private struct State {
    var subscribers: [UInt64: AsyncStream<ClusterCommit>.Continuation] = [:]
    var lastSubscriber: UInt64 = 0
    /// Callers that wait for the first reading of the log.
    var waiting: [CheckedContinuation<Void, any Error>] = []
    var isFollowing = false
    var isReading = false
    var hasNews = false
    var isNotifying = false
    var isClosed = false
  }

  private let tables: ClusterTables
  private let pool: ConnectionPool
  private let signal: ChangeSignal
  private let report: @Sendable (any Error) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - tables: The model.
  ///   - pool: The connections of the cluster.
  ///   - report: Is told of lost connections of observers, which go on by themselves.
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
    let subscribers = state.withLock { state in
      state.isClosed = true
      return state.subscribers.values.map { $0 }
    }
    for subscriber in subscribers { subscriber.finish() }
  }

  // MARK: Commits of this program

  /// Notifies observers soon, on all machines; many commits share a notification.
  func didCommit() {
    let begins = state.withLock { state in
      state.hasNews = true
      defer { state.isNotifying = true }
      return !state.isNotifying && !state.isClosed
    }
    guard begins else { return }
    Task.detached { await self.notify() }
  }

  private func notify() async {
    while state.withLock({ state in
      defer { state.hasNews = false }
      if !state.hasNews || state.isClosed { state.isNotifying = false }
      return state.isNotifying
    }) {
      // Observers look once a second anyway, so that a lost notification is late news at worst.
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
    let number = state.withLock { state in
      state.lastSubscriber += 1
      state.subscribers[state.lastSubscriber] = continuation
      return state.lastSubscriber
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
    }
    try await withCheckedThrowingContinuation { (ready: CheckedContinuation<Void, any Error>) in
      let begins = state.withLock { state -> Bool? in
        if state.isClosed { return nil }
        if state.isReading {
          ready.resume()
          return false
        }
        state.waiting.append(ready)
        defer { state.isFollowing = true }
        return !state.isFollowing
      }
      switch begins {
      case nil: ready.resume(throwing: ClusterError.closed(message: "the cluster is closed"))
      case true?: Task.detached { await self.follow() }
      case false?: break
      }
    }
    return stream
  }

  /// Reads the log as long as somebody follows it.
  private func follow() async {
    var log = ChangeLog(tables)
    var failures = 0
    while isFollowed() {
      do {
        let connection = try await pool.connectAlone()
        _ = try await connection.run(signal.listening)
        while isFollowed() {
          deliver(log.take(try await connection.run(log.statements)))
          failures = 0
          _ = try await connection.notifications(waitingAtMost: Self.patience)
        }
      } catch {
        // Whoever waits for the beginning is told; the others have a sequence, which goes on later.
        let error = (error as? ServerFailure)?.error ?? error
        if !refuse(error) { report(error) }
        try? await Task.sleep(for: Self.waits[min(failures, Self.waits.count - 1)])
        failures += 1
      }
    }
  }

  /// Returns whether there are subscribers; ends the following otherwise.
  private func isFollowed() -> Bool {
    state.withLock { state in
      if state.subscribers.isEmpty || state.isClosed {
        state.isFollowing = false
        state.isReading = false
      }
      return state.isFollowing
    }
  }

  private func deliver(_ commits: [ClusterCommit]) {
    let (waiting, subscribers) = state.withLock { state in
      state.isReading = true
      defer { state.waiting = [] }
      return (state.waiting, state.subscribers.values.map { $0 })
    }
    for caller in waiting { caller.resume() }
    for commit in commits {
      for subscriber in subscribers { subscriber.yield(commit) }
    }
  }

  /// Passes an error to those who wait for the beginning; returns false when there are none.
  private func refuse(_ error: any Error) -> Bool {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for caller in waiting { caller.resume(throwing: error) }
    return !waiting.isEmpty
  }
}
