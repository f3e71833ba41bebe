internal import ObjectBox

/// Fairness: tasks get connections in the order of their requests.
extension ConnectionPool {
  /// Returns an idle connection, or the right to make one; waits at the limit of connections.
  ///
  /// - Parameter goesFirst: True to precede all waiting callers.
  /// - Returns: The connection or the right.
  /// - Throws: ``ClusterError``: `noConnection` after the configured time; `closed`; the error of
  ///   connecting after the reconnect time, while no server can be reached. `CancellationError`.
  func grant(goesFirst: Bool = false) async throws -> Grant {
    if let grant = try state.withLock({ try $0.takeGrant(limit: configuration.connectionLimit) }) {
      return grant
    }
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let since = ContinuousClock.now
    let expiry = Task.detached { [weak self, configuration] in
      try await Task.sleep(for: configuration.connectionWait)
      // The owners of the connections search for a server, so this caller waits as long as they do.
      if self?.state.withLock({ $0.outage }) != nil {
        try await Task.sleep(until: since + configuration.reconnectTime, clock: .continuous)
      }
      let outage = self?.state.withLock { $0.outage }
      let error = outage?.connectingError ?? Self.noConnection(after: configuration.connectionWait)
      self?.endWait(of: number, with: error)
    }
    defer {
      expiry.cancel()
      state.withLock { _ = $0.earlyEnds.removeValue(forKey: number) }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(
          Waiter(number: number, since: since, continuation: continuation),
          goesFirst: goesFirst
        )
      }
    } onCancel: {
      endWait(of: number, with: CancellationError())
    }
  }

  private static func noConnection(after wait: Duration) -> ClusterError {
    .noConnection(
      message:
        "all connections of the cluster were in use for \(wait); raise 'connectionLimit' of the configuration, or "
        + "use fewer transactions at once, and none inside of another one"
    )
  }

  private func wait(_ waiter: Waiter, goesFirst: Bool) {
    let answer: Result<Grant, any Error>? = state.withLock { state in
      if let error = state.earlyEnds[waiter.number] { return .failure(error) }
      do {
        if let grant = try state.takeGrant(limit: configuration.connectionLimit) {
          return .success(grant)
        }
      } catch {
        return .failure(error)
      }
      state.waiters.insert(waiter, at: goesFirst ? 0 : state.waiters.count)
      return nil
    }
    if let answer { waiter.continuation.resume(with: answer) }
  }

  private func endWait(of number: UInt64, with error: any Error) {
    let waiter = state.withLock { state -> Waiter? in
      if let index = state.waiters.firstIndex(where: { $0.number == number }) {
        return state.waiters.remove(at: index)
      }
      state.earlyEnds[number] = error
      return nil
    }
    waiter?.continuation.resume(throwing: error)
  }

  /// Returns a connection to the pool.
  func checkIn(_ connection: Connection, isUsable: Bool = true, roundTrips: Int = 0) {
    state.withLock { $0.roundTrips += roundTrips }
    guard isUsable, connection.isUsable else { return freeSlot() }
    let waiter: Waiter?? = state.withLock { state in
      if state.outage != nil { state.outage = nil }
      if state.isClosed { return nil }
      guard !state.waiters.isEmpty else {
        state.idle.append((connection, .now))
        return .some(nil)
      }
      return state.waiters.removeFirst()
    }
    switch waiter {
    case nil: freeSlot()
    case .some(let waiter): waiter?.continuation.resume(returning: .connection(connection))
    }
  }

  /// Gives the slot of a lost connection to the next task.
  func freeSlot() {
    let (waiter, closing) = state.withLock {
      state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
      state.count -= 1
      guard state.isClosed, state.count == 0 else { return (nil, []) }
      defer { state.closing = [] }
      return (nil, state.closing)
    }
    if let waiter { waiter.continuation.resume(returning: .slot(since: waiter.since)) }
    for caller in closing { caller.resume() }
  }

  /// Closes connections that were not used for a long time.
  func closeIdle() {
    let limit = ContinuousClock.now - configuration.idleTime
    let closed = state.withLock { state in
      let closed = state.idle.filter { $0.since < limit }
      state.idle.removeAll { $0.since < limit }
      return closed
    }
    for _ in closed { freeSlot() }
  }

  /// Refuses new users, closes idle connections, and waits for the connections in use.
  func close() async {
    let (waiters, idle) = state.withLock { state in
      state.isClosed = true
      defer {
        state.waiters = []
        state.idle = []
      }
      return (state.waiters, state.idle)
    }
    for waiter in waiters { waiter.continuation.resume(throwing: Self.closed) }
    for _ in idle { freeSlot() }
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.count > 0 { state.closing.append(continuation) }
        return state.count == 0
      }
      if isDone { continuation.resume() }
    }
  }

  static var closed: ClusterError {
    .closed(message: "the cluster is closed; open another one")
  }
}

extension ConnectionPool.State {
  /// Takes an idle connection, or a slot for a new one; prefers the connection that was used last, so that others
  /// become idle.
  ///
  /// - Returns: Nil if the caller has to wait.
  mutating func takeGrant(limit: Int) throws -> ConnectionPool.Grant? {
    if isClosed { throw ConnectionPool.closed }
    guard waiters.isEmpty else { return nil }
    if let last = idle.popLast() { return .connection(last.connection) }
    guard count < max(1, limit) else { return nil }
    count += 1
    return .slot(since: .now)
  }
}
