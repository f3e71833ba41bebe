import Foundation
import ObjectBox
import Testing

struct SyncContractTests {
  private class Listener: SyncListener {
    func loggedIn() {}
    func loginFailed(result: SyncCode) {}
    func updatesCompleted() {}
    func connected() {}
    func disconnected() {}
    func changed(_ changes: [obx_schema_id: SyncChange]) {}
  }

  @available(*, deprecated, message: "Tests what is deprecated.")
  @Test func `a program that would synchronise builds, and is told why it cannot`() throws {
    let stores = try ContractStore()
    // Other tests of the same program may link ObjectBoxSync; then the store has nothing to send.
    let refusal = Sync.isAvailable() ? "illegalState" : "featureNotAvailable"
    #expect(stores.store.syncClient == nil)
    let address = try #require(URL(string: "ws://127.0.0.1:9999"))
    let configuration = Sync.Configuration(
      store: stores.store,
      urls: [address],
      credentials: [SyncCredentials.makeNone()]
    )
    func client(_ make: () throws -> SyncClient) -> String? {
      kindThrown {
        let client = try make()
        client.listener = Listener()
        client.requestUpdatesMode = .auto
        try client.start()
      }
    }
    #expect(client { try Sync.makeClient(configuration: configuration) } == refusal)
    #expect(
      client {
        try Sync.makeClient(
          store: stores.store,
          urlString: "ws://127.0.0.1:9999",
          credentials: SyncCredentials.makeSharedSecret("secret")
        )
      } == refusal
    )
    #expect(
      client {
        try Sync.makeClient(
          store: stores.store,
          url: address,
          credentials: SyncCredentials.makeNone()
        )
      } == refusal
    )
  }
}
