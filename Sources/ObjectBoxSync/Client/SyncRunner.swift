internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxWebSockets

/// Keeps a store connected with a server, from the start of its client to the end.
///
/// One task at a time connects, serves the connection, and waits before it connects again.
final class SyncRunner: Sendable {
  private struct State {
    var state = SyncState.created
    var mode = RequestUpdatesMode.auto
    var credentials: Credentials
    var task: Task<Void, Never>?
    /// The task before, which may still be ending.
    var last: Task<Void, Never>?
    /// Follows the store's commits.
    var following: Task<Void, Never>?
    var session: ClientSession?
    var lastError: (any Error)?
    var observers: [UInt64: AsyncStream<SyncState>.Continuation] = [:]
    var lastObserver: UInt64 = 0
  }

  /// The longest time between two attempts to connect.
  private static let longestPause = Duration.seconds(60)
  private static let shortestPause = Duration.milliseconds(250)

  let synced: SyncedStore
  let listeners = SyncListeners()
  private let urls: [String]
  private let guarded: Guarded<State>
  /// Ends the wait for credentials, or between attempts to connect.
  private let hurry = Signal()

  init(_ synced: SyncedStore, _ urls: [String], _ credentials: SyncCredentials?) {
    self.synced = synced
    self.urls = urls
    guarded = Guarded(State(credentials: Credentials(credentials)))
  }

  var state: SyncState { guarded.withLock { $0.state } }
  var mode: RequestUpdatesMode { guarded.withLock { $0.mode } }
  var lastError: (any Error)? { guarded.withLock { $0.lastError } }

  // MARK: Control

  func setMode(_ mode: RequestUpdatesMode) {
    guarded.withLock { state in
      state.mode = mode
      state.session?.request(mode)
    }
  }

  func setCredentials(_ credentials: SyncCredentials) {
    guarded.withLock { state in
      state.credentials = Credentials(credentials)
      hurry.raise()
    }
  }

  func start() {
    guarded.withLock { state in
      guard state.task == nil, state.state != .dead else { return }
      set(.started, in: &state)
      let last = state.last
      state.task = Task { [self] in
        // Its end is told before the new connection is.
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
    // Outside of the lock, which the ends of streams and tasks take.
    for task in tasks { task.cancel() }
    for observer in observers { observer.finish() }
    if last == .dead { listeners.end() }
  }

  /// Uploads what the program commits, and closes the client when its store closes.
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
    for observer in state.observers.values { observer.yield(new) }
  }

  /// Sets a state of the running task; false after it was stopped.
  private func enter(_ new: SyncState) -> Bool {
    guarded.withLock { state in
      guard !Task.isCancelled, state.state != .dead, state.state != .stopped else { return false }
      set(new, in: &state)
      return true
    }
  }

  // MARK: Connections

  private func run() async {
    var failures = 0
    while !Task.isCancelled {
      var wasLoggedIn = false
      // A lost connection is opened again soon. After other errors the next one can end the same way.
      var isLost = true
      do {
        try await connect(to: urls[failures % urls.count]) { wasLoggedIn = true }
        disconnect(nil)
      } catch let refused as Refused where refused.code == .credentials {
        disconnect(refused)
        listeners.tellLogin(.credentialsRejected)
        // Other credentials, or a new start, go on.
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

  /// Tells that there is no connection; its error is already in place then.
  private func disconnect(_ error: (any Error)?) {
    guarded.withLock { $0.lastError = error }
    _ = enter(.disconnected)
  }

  /// Keeps an error that does not end the connection.
  private func note(_ error: any Error) { guarded.withLock { $0.lastError = error } }

  private func pause(after failures: Int) async {
    let exponent = min(failures / urls.count, 10)
    let longest = min(Self.shortestPause * (1 << exponent), Self.longestPause)
    // Random, so that the devices of a server that comes back do not come at once.
    let pause = longest * Double.random(in: 0.5...1)
    let hurry = hurry
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: pause) }
      group.addTask { await hurry.wait() }
      await group.next()
      group.cancelAll()
    }
  }

  private func connect(to url: String, onLogin: () -> Void) async throws {
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    settings.limits.messageSize = SyncConnection.frameSize
    let sockets = try await WebSocketClient.start(settings)
    let connection = SyncConnection(try await sockets.connect(to: url))
    defer { connection.close() }
    guard enter(.connected) else { return }
    listeners.tellConnection(isOpen: true)
    defer { listeners.tellConnection(isOpen: false) }
    let credentials = guarded.withLock { state in
      // Credentials that were set before are those that are sent.
      hurry.lower()
      return state.credentials
    }
    let session = ClientSession(connection, synced, listeners) { [weak self] in self?.note($0) }
    try await session.logIn(credentials)
    guard enter(.loggedIn) else { return }
    onLogin()
    guarded.withLock { state in
      state.session = session
      session.request(state.mode)
    }
    defer { guarded.withLock { $0.session = nil } }
    listeners.tellLogin(.okay)
    try await session.run()
  }
}

extension Credentials {
  init(_ credentials: SyncCredentials?) {
    switch credentials?.content {
    case nil, .none?: self = .none
    case .sharedSecret(let secret): self = .sharedSecret(secret)
    case .user(let name, let password): self = .user(name: name, password: password)
    case .token(let token): self = .token(token)
    }
  }
}

extension SyncCode {
  /// The code that ObjectBox has for a refusal.
  init(_ code: Refused.Code) {
    self =
      switch code {
      case .credentials: .credentialsRejected
      case .version: .badVersion
      case .model, .message, .rate: .requestRejected
      case .unavailable: .unknown
      }
  }
}
