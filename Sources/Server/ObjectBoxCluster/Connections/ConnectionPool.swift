internal import ObjectBox

/// The connections of a cluster to its servers; each serves one task at a time.
package final class ConnectionPool: Sendable {
  /// The servers to which a pool connects.
  enum Target: Sendable {
    /// The servers of the address.
    case addressed
    /// Replicas; the primary if there are none.
    case replicas
  }

  /// A connection, or the right to make one.
  enum Grant: Sendable {
    case connection(Connection)
    /// The right to make a connection, and the time at which the caller began to wait.
    case slot(since: ContinuousClock.Instant)
  }

  struct Waiter: Sendable {
    let number: UInt64
    let since: ContinuousClock.Instant
    let continuation: CheckedContinuation<Grant, any Error>
  }

  struct State {
    var idle: [(connection: Connection, since: ContinuousClock.Instant)] = []
    /// Number of connections: idle, in use, or being made.
    var count = 0
    /// Waiting tasks, the first one first.
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0
    /// Errors of tasks that were cancelled or timed out before they joined `waiters`.
    var earlyEnds: [UInt64: any Error] = [:]
    var isClosed = false
    /// Callers of `close` that wait for the connections in use.
    var closing: [CheckedContinuation<Void, Never>] = []
    /// True once a server was reached; from then on, a lost server is searched for.
    var hasConnected = false
    /// The reason why no server can be reached; nil once a connection works.
    var outage: ServerFailure?
    var roundTrips = 0
    /// The connection that reads share at present.
    var shared: SharedConnection?
  }

  package let configuration: Cluster.Configuration
  private let address: ConnectionAddress
  private let parameters: [(keyword: String, value: String)]
  let state = Guarded(State())

  /// Creates a pool without connections.
  ///
  /// - Throws: ``ClusterError``: `invalidAddress`, `libpqMissing`.
  init(_ configuration: Cluster.Configuration, to target: Target = .addressed) throws {
    self.configuration = configuration
    address = try ConnectionAddress(configuration.address)
    var parameters = configuration.connectionParameters
    if target == .replicas { parameters.append(("target_session_attrs", "prefer-standby")) }
    self.parameters = parameters
  }

  deinit {
    state.withLock { $0.idle = [] }
  }

  // MARK: Use

  /// Passes a connection to a body, and closes it afterwards if it cannot begin a transaction.
  ///
  /// - Parameters:
  ///   - isCounted: False for background work, which ``roundTrips`` leaves out.
  ///   - body: Gets the connection, for itself alone.
  /// - Returns: The body's result.
  /// - Throws: ``ClusterError`` when there is no connection; the body's error, with failures of the
  ///   server as `ClusterError` or `ObjectBoxError`.
  package func withConnection<T>(
    isCounted: Bool = true,
    _ body: (Connection) async throws -> T
  ) async throws -> T {
    let connection = try await checkOut()
    let roundTrips = connection.roundTripCount
    defer {
      checkIn(connection, roundTrips: isCounted ? connection.roundTripCount - roundTrips : 0)
    }
    return try await ServerFailure.told { try await body(connection) }
  }

  /// Runs statements in order, in one round trip and one implicit transaction.
  package func run(_ batch: [Statement]) async throws -> [ResultRows] {
    try await withConnection { try await $0.run(batch) }
  }

  /// Runs statements that only read, and repeats them on another connection if one breaks.
  package func read(_ batch: [Statement]) async throws -> [ResultRows] {
    let end = ContinuousClock.now + configuration.reconnectTime
    var backoff = Backoff.connecting
    while true {
      do {
        return try await batch.allSatisfy(\.isShort) ? runShared(batch) : run(batch)
      } catch ClusterError.connectionLost where ContinuousClock.now < end {
        try await backoff.wait()
      }
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Number of round trips of the connections that are not in use, without background work.
  var roundTrips: Int { state.withLock { $0.roundTrips } }

  /// Creates a connection outside of the pool.
  ///
  /// - Throws: ``ClusterError`` at once when no server can be reached.
  func connectAlone() async throws -> Connection {
    do {
      let connection = try await Connection(parameters)
      try ConnectionSetUp.checkVersion(of: connection)
      try await ConnectionSetUp.run(on: connection, configuration)
      return connection
    } catch let failure as ServerFailure {
      throw scrubbed(failure).connectingError
    }
  }

  // MARK: Connecting

  /// Returns a connection for the caller alone, who must check it in.
  ///
  /// - Parameter goesFirst: True to precede all waiting callers.
  /// - Returns: The connection.
  /// - Throws: The same errors as ``grant(goesFirst:)``; ``ClusterError`` when no server can be reached.
  func checkOut(goesFirst: Bool = false) async throws -> Connection {
    while true {
      switch try await grant(goesFirst: goesFirst) {
      case .connection(let connection):
        // A server that restarted has closed its connections.
        if !connection.hasEnded { return connection }
        checkIn(connection, isUsable: false)
      case .slot(let since):
        do {
          return try await connect(until: since + configuration.reconnectTime)
        } catch {
          freeSlot()
          throw error
        }
      }
    }
  }

  /// Creates a connection in a slot that the caller has: a new one, or its broken connection's.
  ///
  /// - Parameter end: The time until which it searches for a server that was reached before.
  /// - Returns: The connection, for the caller alone.
  /// - Throws: ``ClusterError`` when no server can be reached; the caller keeps the slot.
  func connect(until end: ContinuousClock.Instant) async throws -> Connection {
    var backoff = Backoff.connecting
    while true {
      do {
        let connection = try await Connection(parameters)
        try ConnectionSetUp.checkVersion(of: connection)
        if !state.withLock({ $0.hasConnected }) {
          try await ConnectionSetUp.refusePooler(of: connection, parameters)
        }
        try await ConnectionSetUp.run(on: connection, configuration)
        state.withLock { state in
          state.hasConnected = true
          state.outage = nil
        }
        return connection
      } catch let failure as ServerFailure {
        let (hasConnected, isClosed) = state.withLock { state in
          if state.hasConnected, failure.maySucceedLater { state.outage = scrubbed(failure) }
          return (state.hasConnected, state.isClosed)
        }
        guard hasConnected, !isClosed, failure.maySucceedLater, ContinuousClock.now < end else {
          throw scrubbed(failure).connectingError
        }
        try await backoff.wait()
      }
    }
  }

  private func scrubbed(_ failure: ServerFailure) -> ServerFailure {
    var failure = failure
    failure.message = address.scrubbed(failure.message)
    return failure
  }
}
