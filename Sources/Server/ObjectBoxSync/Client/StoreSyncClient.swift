internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The client of a store; see `Sync.makeClient`.
///
/// The runner does the work, so a client ends when the program releases it.
final class StoreSyncClient: SyncClient, Sendable {
  let runner: SyncRunner

  init(_ configuration: Sync.Configuration) throws {
    let settings = try ConnectionSettings(configuration)
    let variables = try SyncRunner.checked(configuration.filterVariables)
    let synced = try SyncedStore(configuration.store)
    runner = SyncRunner(synced, configuration, settings, variables)
    guard synced.capture.setClient(self) else {
      throw ObjectBoxError.sync(
        message:
          "the store at '\(configuration.store.directoryPath)' has a sync client already; use 'store.syncClient', or "
          + "close it first"
      )
    }
    runner.followCommits()
  }

  deinit { runner.close() }

  /// Returns the client of a store; nil without one.
  static func current(of store: Store) -> StoreSyncClient? {
    guard let client = SyncedStore.existingCapture(of: store)?.client, !client.isClosed() else {
      return nil
    }
    return client
  }

  // MARK: Listeners

  var callListenersInMainThread: Bool {
    get { runner.listeners.areOnMainThread }
    set { runner.listeners.areOnMainThread = newValue }
  }

  var listener: (any SyncListener)? {
    get { runner.listeners.all }
    set { runner.listeners.all = newValue }
  }

  var loginListener: (any SyncLoginListener)? {
    get { runner.listeners.login }
    set { runner.listeners.login = newValue }
  }

  var completedListener: (any SyncCompletedListener)? {
    get { runner.listeners.completed }
    set { runner.listeners.completed = newValue }
  }

  var connectionListener: (any SyncConnectionListener)? {
    get { runner.listeners.connection }
    set { runner.listeners.connection = newValue }
  }

  var changeListener: (any SyncChangeListener)? {
    get { runner.listeners.change }
    set { runner.listeners.change = newValue }
  }

  // MARK: State

  func isClosed() -> Bool { runner.state == .dead }
  func getState() -> SyncState { runner.state }
  func getStateString() -> String { "\(runner.state)" }

  func start() throws {
    try checkIsOpen()
    runner.start()
  }

  func stop() throws {
    try checkIsOpen()
    runner.stop()
  }

  func close() { runner.close() }

  func setCredentials(_ credentials: SyncCredentials) throws { try setCredentials([credentials]) }

  func setCredentials(_ credentials: [SyncCredentials]) throws {
    try checkIsOpen()
    runner.setCredentials(credentials)
  }

  func waitForLoggedInState(timeoutMilliseconds: UInt) throws -> SuccessTimeOut {
    runner.waitForLogin(milliseconds: timeoutMilliseconds)
  }

  private func checkIsOpen() throws {
    if isClosed() {
      throw ObjectBoxError.illegalState(
        message: "the sync client is closed; make a new one by 'Sync.makeClient'"
      )
    }
  }

  // MARK: Filter variables

  func putFilterVariable(name: String, value: String) throws {
    try checkIsOpen()
    try runner.changeVariables { $0[name] = value }
  }

  func removeFilterVariable(_ name: String) throws {
    try checkIsOpen()
    try runner.changeVariables { $0[name] = nil }
  }

  func removeAllFilterVariables() throws {
    try checkIsOpen()
    try runner.changeVariables { $0 = [:] }
  }

  // MARK: Updates

  var updateRequestMode: RequestUpdatesMode {
    get { runner.mode }
    set { runner.setMode(newValue) }
  }

  func requestUpdates() throws -> Bool { try onSession { $0.request() } }

  func requestUpdatesAndSubscribe() throws -> Bool {
    try onSession { $0.request(subscribes: true) }
  }

  func cancelUpdates() throws -> Bool { try onSession { $0.cancelUpdates() } }

  func fullSync() throws -> Bool { try onSession { $0.request(comparesAnew: true) } }

  private func onSession(_ body: (ClientSession) -> Void) throws -> Bool {
    try checkIsOpen()
    return runner.withSession(body)
  }

  func outgoingMessagesCount() throws -> UInt { try outgoingMessagesCount(limit: 0) }

  func outgoingMessagesCount(limit: UInt) throws -> UInt {
    let count = UInt(try runner.synced.waitingCount)
    return limit == 0 ? count : min(count, limit)
  }

  // MARK: Signs of life

  func sendHeartbeat() throws -> Bool { try onSession { $0.beat() } }

  func setHeartbeatInterval(milliseconds: UInt) throws {
    try checkIsOpen()
    let longest = UInt(SyncRunner.longestHeartbeat.components.seconds) * 1_000
    guard 1...longest ~= milliseconds else {
      throw ObjectBoxError.illegalArgument(
        message:
          "cannot send a heartbeat every \(milliseconds) ms; use 1 to \(longest) ms, which is 25 minutes"
      )
    }
    runner.setHeartbeat(.milliseconds(Int(milliseconds)))
  }
}
