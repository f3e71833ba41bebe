import Foundation
import ObjectBox
import Testing

/// The synchronization API as programs of ObjectBox Swift 5.3 write it.
struct SyncContractTests {
  /// A listener may be a structure, and the client keeps it.
  private struct Listener: SyncListener {
    func loggedIn() {}
    func loginFailed(result: SyncCode) {}
    func updatesCompleted() {}
    func connected() {}
    func disconnected() {}
    func changed(_ changes: [obx_schema_id: SyncChange]) {
      for (_, var change) in changes {
        change.puts.append(1)
        change.removals = []
      }
    }
  }

  private struct LoginListener: SyncLoginListener {
    func loggedIn() {}
    func loginFailed(result: SyncCode) {}
  }

  private struct CompletedListener: SyncCompletedListener { func updatesCompleted() {} }

  private class ChangeListener: SyncChangeListener {
    func changed(_ changes: [obx_schema_id: SyncChange]) {}
  }

  private final class ConnectionListener: SyncConnectionListener {
    func connected() {}
    func disconnected() {}
  }

  /// Uses each member of a client.
  private func use(_ client: SyncClient) throws {
    client.callListenersInMainThread = true
    client.listener = Listener()
    client.loginListener = LoginListener()
    client.completedListener = CompletedListener()
    client.changeListener = ChangeListener()
    client.connectionListener = ConnectionListener()
    client.listener = nil
    client.updateRequestMode = .autoNoPushes
    let mode: RequestUpdatesMode = client.updateRequestMode
    let state: SyncState = client.getState()
    let name: String = client.getStateString()
    _ = (mode, state, name)
    try client.putFilterVariable(name: "region", value: "north")
    try client.removeFilterVariable("region")
    try client.removeAllFilterVariables()
    try client.setCredentials(SyncCredentials.makeNone())
    try client.setCredentials([.makeNone(), .makeSharedSecret("secret")])
    try client.setHeartbeatInterval(milliseconds: 60_000)
    try client.start()
    try client.requestUpdates()
    try client.requestUpdatesAndSubscribe()
    let isSent: Bool = try client.cancelUpdates()
    let count: UInt = try client.outgoingMessagesCount()
    let limited: UInt = try client.outgoingMessagesCount(limit: 10)
    _ = (isSent, count, limited)
    try client.fullSync()
    switch try client.waitForLoggedInState(timeoutMilliseconds: 1) {
    case .success, .failure, .timeout: break
    }
    try client.sendHeartbeat()
    try client.stop()
    if !client.isClosed() { client.close() }
  }

  @available(*, deprecated, message: "Tests what is deprecated.")
  @Test func `a program that would synchronise builds, and is told why it cannot`() throws {
    let stores = try ContractStore()
    // Other tests of the same program may link ObjectBoxSync; then the store has nothing to send.
    let refusal = Sync.isAvailable() ? "illegalState" : "sync"
    #expect(stores.store.syncClient == nil)
    let text = "ws://127.0.0.1:9999"
    let url = try #require(URL(string: text))
    let secret = SyncCredentials.makeSharedSecret(Data([1, 2]))
    let store = stores.store
    let ways: [() throws -> SyncClient] = [
      { try Sync.makeClient(configuration: Sync.Configuration(store: store, url: text)) },
      { try Sync.makeClient(configuration: .init(store: store, urls: [text, text])) },
      { try Sync.makeClient(store: store, urlString: text) },
      { try Sync.makeClient(store: store, url: url) },
      { try Sync.makeClient(store: store, url: url, credentials: secret) },
      { try Sync.makeClient(store: store, urlString: text, credentials: .makeNone()) },
      { try Sync.makeClient(store: store, urlString: text, credentials: [secret, .makeNone()]) },
      {
        try Sync.makeClient(
          store: store,
          url: nil,
          urlString: text,
          credentials: nil,
          filterVariables: ["region": "north"],
          certificatePaths: ["/etc/own.pem"],
          debugLogging: true
        )
      },
      {
        try Sync.makeClient(
          store: store,
          url: url,
          urlString: nil,
          credentials: [secret],
          filterVariables: nil,
          certificatePaths: [],
          debugLogging: false
        )
      },
    ]
    for make in ways { #expect(kindThrown { try use(make()) } == refusal) }
    #expect(kindThrown { _ = try Sync.makeClient(store: store) } == "sync")
    #expect(kindThrown { _ = try Sync.makeClient(store: store, urlString: "") } == "sync")
  }

  @Test func `a configuration can be changed after it was passed around`() throws {
    let stores = try ContractStore()
    let configuration = Sync.Configuration(store: stores.store, url: "ws://127.0.0.1:9999")
    #expect(configuration.store === stores.store)
    #expect(configuration.urls == ["ws://127.0.0.1:9999"])
    #expect(configuration.credentials.isEmpty)
    #expect(configuration.certificatePaths.isEmpty)
    #expect(configuration.flags == [])
    #expect(configuration.filterVariables.isEmpty)
    #expect(!configuration.debugLogging)
    func change(_ configuration: Sync.Configuration) {
      configuration.urls.append("wss://127.0.0.1:9998")
      configuration.credentials = [.makeNone(), .makeUsernamePassword("ada", "secret")]
      configuration.certificatePaths = ["/etc/own.pem"]
      configuration.flags = [.debugLogTxLogs, .keepDataOnSyncError]
      configuration.filterVariables["region"] = "north"
      configuration.debugLogging = true
    }
    change(configuration)
    #expect(configuration.urls.count == 2)
    #expect(configuration.flags.rawValue == 18)
  }

  @Test func `values have the numbers of ObjectBox`() {
    let states: [SyncState] = [
      .created, .started, .connected, .loggedIn, .disconnected, .stopped, .dead,
    ]
    #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    let codes: [SyncCode] = [
      .ok, .reqRejected, .credentialsRejected, .unknown, .authUnreachable, .badVersion,
      .clientIdTaken, .txViolatedUnique,
    ]
    #expect(codes.map(\.rawValue) == [20, 40, 43, 50, 53, 55, 61, 71])
    let modes: [RequestUpdatesMode] = [.manual, .auto, .autoNoPushes]
    #expect(modes.map { Int($0.rawValue) } == [0, 1, 2])
    let flags: [SyncFlags] = [
      .debugLogIdMapping, .keepDataOnSyncError, .debugLogFilterVariables, .removeWithObjectData,
      .debugLogTxLogs, .skipInvalidTxOps,
    ]
    #expect(flags.map(\.rawValue) == [1, 2, 4, 8, 16, 32])
    let types: [SyncCredentialsType] = [
      .none, .sharedSecretDeprecated, .googleAuth, .sharedSecret, .obxAdminUser, .userPassword,
      .jwtIdToken, .jwtAccessToken, .jwtRefreshToken, .jwtCustomToken,
    ]
    #expect(types.map(\.rawValue) == Array(1...10))
  }

  @Test func `credentials of each kind can be made`() {
    let all: [SyncCredentials] = [
      .makeNone(), .makeSharedSecret("secret"), .makeSharedSecret(Data([1])),
      .makeObxAdminUser("ada", "secret"), .makeUsernamePassword("ada", "secret"),
      .makeJwtIdToken("token"), .makeJwtAccessToken("token"), .makeJwtRefreshToken("token"),
      .makeJwtCustomToken("token"),
    ]
    #expect(
      all.map(\.type) == [
        .none, .sharedSecret, .sharedSecret, .obxAdminUser, .userPassword, .jwtIdToken,
        .jwtAccessToken, .jwtRefreshToken, .jwtCustomToken,
      ]
    )
  }
}
