internal import Dispatch
internal import ObjectBox
internal import ObjectBoxSyncProtocol

// The functions that use the present session, or wait for one.
extension SyncRunner {
  /// The longest time between two heartbeats.
  static let longestHeartbeat = Duration.seconds(25 * 60)

  /// Runs a body with the session; returns false if the client is not logged in.
  func withSession(_ body: (ClientSession) -> Void) -> Bool {
    guarded.withLock { state in
      guard state.state == .loggedIn, let session = state.session else { return false }
      body(session)
      return true
    }
  }

  // MARK: Filter variables

  /// Changes the filter variables, and sends them to the server.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for more or longer variables than a server accepts.
  func changeVariables(_ body: (inout [String: String]) -> Void) throws {
    try guarded.withLock { state in
      var values = state.variables.values
      body(&values)
      let variables = try Self.checked(values)
      if variables == state.variables { return }
      state.variables = variables
      if let session = state.session { send(variables, session) }
    }
  }

  /// Returns filter variables that a server accepts.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for others.
  static func checked(_ values: [String: String]) throws -> FilterVariables {
    guard let variables = FilterVariables(values) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a client has at most \(FilterVariables.limit) filter variables with \(FilterVariables.sizeLimit) bytes in "
          + "all; let the rules compare a property that many objects share"
      )
    }
    return variables
  }

  /// Sends the server the filter variables.
  func send(_ variables: FilterVariables, _ session: ClientSession) {
    log.write(variables.values)
    session.send(variables)
  }

  // MARK: Signs of life

  /// Sets the time between two heartbeats, counted from the last one.
  func setHeartbeat(_ interval: Duration) {
    guarded.withLock { $0.heartbeat = interval }
    heartbeatChange.raise()
  }

  /// Sends heartbeats until the task is cancelled.
  func beat(_ session: ClientSession) async {
    while !Task.isCancelled {
      let interval = guarded.withLock { $0.heartbeat }
      let isChanged = await heartbeatChange.wait(atMost: interval)
      if !isChanged, !Task.isCancelled { session.beat() }
    }
  }

  // MARK: Waiting

  /// Blocks the thread until the client is logged in.
  func waitForLogin(milliseconds: UInt) -> SuccessTimeOut {
    let end = DispatchTime.now() + .milliseconds(Int(min(milliseconds, UInt(Int32.max))))
    let semaphore = DispatchSemaphore(value: 0)
    // Before the first check, which could otherwise miss a change.
    let number = guarded.withLock { state in
      state.lastObserver += 1
      state.waiters[state.lastObserver] = semaphore
      return state.lastObserver
    }
    defer { guarded.withLock { _ = $0.waiters.removeValue(forKey: number) } }
    while true {
      let (state, needsCredentials) = guarded.withLock { ($0.state, $0.needsCredentials) }
      switch state {
      case .loggedIn: return .success
      case .stopped, .dead: return .failure
      case _ where needsCredentials: return .failure
      default: if semaphore.wait(timeout: end) == .timedOut { return .timeout }
      }
    }
  }
}
