internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The client of a store; see `Sync.makeClient`.
///
/// The work is the runner's, so that a client which the program drops ends.
final class StoreSyncClient: SyncClient, Sendable {
  let runner: SyncRunner

  init(_ configuration: Sync.Configuration) throws {
    let urls = try configuration.urls.map { url in
      guard ["ws", "wss"].contains(url.scheme?.lowercased()) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "'\(url.absoluteString)' is not the address of a sync server; use 'ws://HOST:PORT' or 'wss://HOST:PORT'"
        )
      }
      return url.absoluteString
    }
    guard !urls.isEmpty else {
      throw ObjectBoxError.illegalArgument(
        message: "a sync client needs the address of a server; give 'Sync.Configuration' a URL"
      )
    }
    let synced = try SyncedStore(configuration.store)
    runner = SyncRunner(synced, urls, configuration.credentials.last)
    guard synced.capture.setClient(self) else {
      throw ObjectBoxError.illegalState(
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
    guard let client = SyncedStore.existingCapture(of: store)?.client, !client.isClosed else {
      return nil
    }
    return client
  }

  // MARK: SyncClient

  var isClosed: Bool { runner.state == .dead }
  var state: SyncState { runner.state }

  var requestUpdatesMode: RequestUpdatesMode {
    get { runner.mode }
    set { runner.setMode(newValue) }
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

  func setCredentials(_ credentials: SyncCredentials) throws {
    try checkIsOpen()
    runner.setCredentials(credentials)
  }

  func start() throws {
    try checkIsOpen()
    runner.start()
  }

  func stop() throws {
    try checkIsOpen()
    runner.stop()
  }

  func close() { runner.close() }

  private func checkIsOpen() throws {
    if isClosed {
      throw ObjectBoxError.illegalState(
        message: "the sync client is closed; make a new one by 'Sync.makeClient'"
      )
    }
  }
}
