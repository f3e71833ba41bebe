import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// Users who share a store, and what a gateway before a server asks of requests.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncUserTests {
  private static func owned() -> [SyncRule] {
    [
      rule(Errand.self) { user in Errand.owner == user.id },
      write(Errand.self) { user in Errand.owner == user.id },
    ]
  }

  private func log(in name: String, _ device: ErrandDevice) async throws -> (any Error)? {
    try device.client.stop()
    try device.client.setCredentials(.makeUsernamePassword(name, ""))
    try device.client.start()
    for await state in device.client.states {
      if state == .loggedIn { return nil }
      if state == .disconnected { break }
    }
    return device.client.lastError
  }

  @Test
  func
    `what one user wrote is not uploaded as another one's, and a store without it changes hands`()
    async throws
  {
    try await ErrandDevice.serving({ for rule in Self.owned() { rule } }) { cluster, server in
      let device = try ErrandDevice("ada", server)
      try await device.wait(for: [])
      for await state in device.client.states where state == .loggedIn { break }
      try device.client.stop()
      try device.errands.put(Errand(owner: "ada"))
      let error = try await log(in: "eve", device)
      #expect((error as? Refused)?.code == .credentials)
      #expect(
        "\(error.map { "\($0)" } ?? "")".contains("1 transactions of 'ada' wait"),
        "\(String(describing: error))"
      )
      #expect(try await cluster.box(for: Errand.self).count() == 0)
      #expect(try device.client.waitingCount() == 1)
      #expect(try await log(in: "ada", device) == nil)
      await device.waitForDecisions()
      #expect(try await cluster.box(for: Errand.self).count() == 1)
      // Nothing waits now: ada's objects leave the store, and eve's writes are hers.
      #expect(try await log(in: "eve", device) == nil)
      try await device.wait(for: [])
      #expect(try await device.isAccepted(Errand(owner: "eve")))
      try await device.wait(for: ["eve"])
    }
  }

  @Test func `headers of a configuration come with the request`() async throws {
    try await ErrandDevice.serving({ for rule in Self.owned() { rule } }) { _, server in
      // A server refuses requests with this header.
      let device = try ErrandDevice("ada", server) {
        $0.headers = ["Origin": "https://example.org"]
      }
      for await state in device.client.states where state == .disconnected { break }
      #expect("\(device.client.lastError.map { "\($0)" } ?? "")".contains("403"))
    }
  }

  @Test func `settings with which no connection can be opened are refused at once`() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(directoryPath: folder.path + "/store")
    func make(_ change: (Sync.Configuration) -> Void) throws {
      let configuration = Sync.Configuration(store: store, url: "wss://localhost:1")
      change(configuration)
      try Sync.makeClient(configuration: configuration).close()
    }
    for proxy in [
      "", "host", "host:", ":3128", "host:0", "host:70000", "http://host:3128", "user@host:1",
    ] {
      #expect(throws: ObjectBoxError.self, "\(proxy)") { try make { $0.proxy = proxy } }
    }
    for pin in ["", "AAAA", "sha256//" + Data(count: 32).base64EncodedString()] {
      #expect(throws: ObjectBoxError.self, "\(pin)") { try make { $0.certificatePins = [pin] } }
    }
    for (name, value) in [("", "x"), ("a b", "x"), ("X-Key", "a\r\nb")] {
      #expect(throws: ObjectBoxError.self) { try make { $0.headers = [name: value] } }
    }
    try make {
      $0.proxy = "proxy.example.org:3128"
      $0.certificatePins = [Data(count: 32).base64EncodedString()]
      $0.headers = ["X-Key": "é"]
    }
  }
}
