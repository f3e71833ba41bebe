internal import Dispatch
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxWebSockets

/// Keeps a store connected to a server, from the start of its client to the end.
///
/// One task at a time connects, serves the connection, and waits before the next attempt.
final class SyncRunner: Sendable {
  struct State {
    var state = SyncState.created
    var mode = RequestUpdatesMode.auto
    var variables: FilterVariables
    /// The credentials; the server must accept one of them.
    var credentials: [Credentials]
    /// The index of the credentials to try.
    var place = 0
    /// True if the program has set credentials since the last attempt to log in.
    var isRenewed = false
    /// True while the client waits for other credentials.
    var needsCredentials = false
    /// The time between two heartbeats.
    var heartbeat = SyncRunner.longestHeartbeat
    var task: Task<Void, Never>?
    /// The previous task, which may still be ending.
    var last: Task<Void, Never>?
    /// The task that follows the store's commits.
    var following: Task<Void, Never>?
    var session: ClientSession?
    var lastError: (any Error)?
    var observers: [UInt64: AsyncStream<SyncState>.Continuation] = [:]
    /// The threads that wait for a login.
    var waiters: [UInt64: DispatchSemaphore] = [:]
    var lastObserver: UInt64 = 0
  }

  /// The longest time between two attempts to connect.
  private static let longestPause = Duration.seconds(60)
  private static let shortestPause = Duration.milliseconds(250)

  let synced: SyncedStore
  let listeners = SyncListeners()
  let log: SyncLog
  let guarded: Guarded<State>
  private let settings: ConnectionSettings
  /// Ends the wait for credentials or for the next attempt to connect.
  private let hurry = Signal()
  /// Ends the wait for the next heartbeat.
  let heartbeatChange = Signal()

  /// Stores the settings of a configuration.
  init(
    _ synced: SyncedStore,
    _ configuration: Sync.Configuration,
    _ settings: ConnectionSettings,
    _ variables: FilterVariables
  ) {
    self.synced = synced
    self.settings = settings
    log = SyncLog(configuration)
    let credentials = Credentials.list(configuration.credentials)
    guarded = Guarded(State(variables: variables, credentials: credentials))
  }

  var state: SyncState { guarded.withLock { $0.state } }
  var mode: RequestUpdatesMode { guarded.withLock { $0.mode } }
  var lastError: (any Error)? { guarded.withLock { $0.lastError } }

  // MARK: Control

  func setMode(_ mode: RequestUpdatesMode) {
    guarded.withLock { state in
      state.mode = mode
      state.session?.change(to: mode)
    }
  }

  func setCredentials(_ credentials: [SyncCredentials]) {
    guarded.withLock { state in
      state.credentials = Credentials.list(credentials)
      state.place = 0
      state.isRenewed = true
      state.needsCredentials = false
      hurry.raise()
    }
  }

  func start() {
    guarded.withLock { state in
      guard state.task == nil, state.state != .dead else { return }
      state.place = 0
      state.needsCredentials = false
      set(.started, in: &state)
      let last = state.last
      state.task = Task { [self] in
        // The old connection's end is reported before the new connection.
        await last?.value
        await run()
      }
    }
  }

  func stop() { end(.stopped) }
  func close() { end(.dead) }

  private func end(_ last: SyncState) {
    let (tasks, observers) = guarded.withLock { state in
      var tasks: [Task<Void, Never>] = []
      var observers: [AsyncStream<SyncState>.Continuation] = []
      guard state.state != .dead else { return (tasks, observers) }
      if let task = state.task {
        tasks.append(task)
        state.last = task
        state.task = nil
      }
      set(last, in: &state)
      if last == .dead {
        if let following = state.following { tasks.append(following) }
        observers = Array(state.observers.values)
        state.observers = [:]
      }
      return (tasks, observers)
    }
    // Outside of the lock, since the termination of streams and tasks takes it.
    for task in tasks { task.cancel() }
    for observer in observers { observer.finish() }
    if last == .dead { listeners.end() }
  }

  /// Uploads the program's commits, and closes the client when its store closes.
  func followCommits() {
    let changes = synced.changes
    let following = Task { [weak self] in
      for await _ in changes { self?.guarded.withLock { $0.session }?.upload() }
      self?.close()
    }
    guarded.withLock { $0.following = following }
  }

  /// The present state and all later ones, until the client is closed.
  func states() -> AsyncStream<SyncState> {
    let (states, observer) = AsyncStream.makeStream(of: SyncState.self)
    guarded.withLock { state in
      observer.yield(state.state)
      guard state.state != .dead else { return observer.finish() }
      state.lastObserver += 1
      let number = state.lastObserver
      state.observers[number] = observer
      observer.onTermination = { [weak self] _ in
        self?.guarded.withLock { $0.observers[number] = nil }
      }
    }
    return states
  }

  private func set(_ new: SyncState, in state: inout State) {
    guard state.state != new else { return }
    state.state = new
    log.write("state \(new)")
    for observer in state.observers.values { observer.yield(new) }
    for waiter in state.waiters.values { waiter.signal() }
  }

  /// Sets the state of the running task; returns false if the task was stopped.
  private func enter(_ new: SyncState, _ body: (inout State) -> Void = { _ in }) -> Bool {
    guarded.withLock { state in
      guard !Task.isCancelled, state.state != .dead, state.state != .stopped else { return false }
      body(&state)
      set(new, in: &state)
      return true
    }
  }

  // MARK: Connections

  private func run() async {
    var failures = 0
    while !Task.isCancelled {
      var wasLoggedIn = false
      // A lost connection is opened again soon. After another error, the next connection may fail in the same way.
      var isLost = true
      do {
        try await connect(to: settings.urls.randomElement() ?? "") { wasLoggedIn = true }
        disconnect(nil)
      } catch let refused as Refused where refused.code == .credentials {
        disconnect(refused)
        if triesNextCredentials() { continue }
        listeners.tellLogin(.credentialsRejected)
        // New credentials or a new start end this wait.
        await hurry.wait()
        continue
      } catch {
        if Task.isCancelled { return }
        disconnect(error)
        isLost = error is WebSocketError
        if let refused = error as? Refused, !wasLoggedIn {
          listeners.tellLogin(SyncCode(refused.code))
        }
      }
      failures = wasLoggedIn && isLost ? 0 : failures + 1
      await pause(after: failures)
    }
  }

  /// Reports that there is no connection; the error must be set before.
  private func disconnect(_ error: (any Error)?) {
    guarded.withLock { $0.lastError = error }
    if let error { log.write("\(error)") }
    _ = enter(.disconnected)
  }

  /// Stores an error that does not end the connection.
  private func note(_ error: any Error) {
    guarded.withLock { $0.lastError = error }
    log.write("\(error)")
  }

  /// Selects the next credentials after a refusal; returns false if all were refused.
  private func triesNextCredentials() -> Bool {
    guarded.withLock { state in
      if state.isRenewed { return true }
      state.place += 1
      if state.place < state.credentials.count { return true }
      state.place = 0
      state.needsCredentials = true
      for waiter in state.waiters.values { waiter.signal() }
      return false
    }
  }

  private func pause(after failures: Int) async {
    let exponent = min(failures / settings.urls.count, 10)
    let longest = min(Self.shortestPause * (1 << exponent), Self.longestPause)
    // A random pause, so that the devices of a restarted server do not connect at the same time.
    let pause = longest * Double.random(in: 0.5...1)
    _ = await hurry.wait(atMost: pause)
  }

  private func connect(to url: String, onLogin: () -> Void) async throws {
    let sockets = try await WebSocketClient.start(settings.sockets)
    let connection = SyncConnection(
      try await sockets.connect(to: url, headers: settings.headers)
    )
    defer { connection.close() }
    guard enter(.connected) else { return }
    listeners.tellConnection(isOpen: true)
    defer { listeners.tellConnection(isOpen: false) }
    let credentials = guarded.withLock { state in
      // Credentials that were set until now are the ones to send.
      hurry.lower()
      state.isRenewed = false
      return state.credentials[state.place]
    }
    let session = ClientSession(connection, synced, listeners, log) { [weak self] in
      self?.note($0)
    }
    try await session.logIn(credentials)
    // Together with the state, so that a program that sees the state can request updates.
    let isOpen = enter(.loggedIn) { state in
      state.session = session
      // Before the first request, since the variables narrow its answer.
      if !state.variables.values.isEmpty { send(state.variables, session) }
      session.begin(state.mode)
    }
    guard isOpen else { return }
    onLogin()
    defer { guarded.withLock { $0.session = nil } }
    listeners.tellLogin(.ok)
    let heartbeats = Task { await beat(session) }
    defer { heartbeats.cancel() }
    try await session.run()
  }
}

extension Credentials {
  /// Returns the credentials of a list, and `none` for an empty list.
  static func list(_ credentials: [SyncCredentials]) -> [Credentials] {
    credentials.isEmpty ? [.none] : credentials.map { Credentials($0) }
  }

  private init(_ credentials: SyncCredentials) {
    switch credentials.content {
    case .none: self = .none
    case .sharedSecret(let secret): self = .sharedSecret(secret)
    case .user(let name, let password): self = .user(name: name, password: password)
    case .token(let token): self = .token(token)
    }
  }
}

extension SyncCode {
  /// The code in ObjectBox for a refusal.
  init(_ code: Refused.Code) {
    self =
      switch code {
      case .credentials: .credentialsRejected
      case .version: .badVersion
      case .model, .message, .rate: .reqRejected
      case .unavailable: .unknown
      }
  }
}
