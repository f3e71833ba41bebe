import Foundation
import ObjectBox
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxSyncServer

/// How users prove who they are, and when the server asks again.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncLoginTests {
  @Test func `a user whose connections are ended is asked for credentials again`() async throws {
    let test = try await TestServerLog()
    let revoked = Guarded<Set<String>>([])
    let server = try await test.serve(
      authenticate: .password { name, _ in
        revoked.withLock { $0.contains(name) } ? nil : SyncUser(id: name)
      }
    )
    func connect(_ number: UInt64, _ name: String) async throws -> SocketDevice {
      let credentials = Credentials.user(name: name, password: "")
      return try await SocketDevice(
        TestDevice(number, test),
        port: server.port,
        credentials: credentials
      )
    }
    var first = try await connect(1, "ada")
    var second = try await connect(2, "ada")
    var other = try await connect(3, "bob")
    for device in [first, second] { #expect(device.welcome != nil) }
    #expect(server.disconnect(user: "cy") == 0)
    revoked.withLock { _ = $0.insert("ada") }
    #expect(server.disconnect(user: "ada") == 2)
    let ended = await #expect(throws: Refused.self) { while try await first.next() != nil {} }
    let alsoEnded = await #expect(throws: Refused.self) { while try await second.next() != nil {} }
    #expect([ended, alsoEnded].map { $0?.code } == [.unavailable, .unavailable])
    let refused = await #expect(throws: Refused.self) { _ = try await connect(1, "ada") }
    #expect(refused?.code == .credentials)
    try await other.synchronize { _ in true }
    await server.stop()
  }

  @Test func `a password is asked for again while the device stays connected`() async throws {
    let test = try await TestServerLog()
    let checks = Guarded(0)
    let server = try await test.serve(
      authenticate: .password { name, _ in
        checks.withLock { $0 += 1 }
        return SyncUser(id: name)
      }
    ) { $0.loginAge = .milliseconds(100) }
    let credentials = Credentials.user(name: "ada", password: "")
    for number in 1...2 {
      var device = try await SocketDevice(
        TestDevice(1, test),
        port: server.port,
        credentials: credentials
      )
      #expect(device.welcome?.user == "ada")
      let ended = await #expect(throws: Refused.self) { while try await device.next() != nil {} }
      #expect(ended?.code == .unavailable)
      #expect(checks.withLock { $0 } == number)
    }
    await server.stop()
  }

  #if OBJECTBOX_TOKENS
    @Test func `a token may hold for longer than any clock goes`() async throws {
      let test = try await TestServerLog()
      let secret = SyncTokens.Key.secret("a secret of tokens, of 37 bytes long.")
      let server = try await test.serve(authenticate: .jwt(SyncTokens(keys: [secret])))
      // {"sub":"ada","exp":1e300}, signed by Python's hmac.
      let token =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjFlMzAwfQ"
        + ".A8-PYLkaJA9-oz72XH4IS8M1F1Rv7AsL-ksJoawwlXM"
      var device = try await SocketDevice(
        TestDevice(1, test),
        port: server.port,
        credentials: .token(token)
      )
      try await device.synchronize { _ in true }
      await server.stop()
    }
  #endif

  @Test func `wrong credentials are refused`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve(authenticate: .sharedSecret("a secret of 20 bytes"))
    for wrong in [
      Credentials.none, .sharedSecret(Array("another".utf8)), .user(name: "a", password: "b"),
    ] {
      let refused = await #expect(throws: Refused.self) {
        try await SocketDevice(TestDevice(1, test), port: server.port, credentials: wrong)
      }
      #expect(refused?.code == .credentials)
    }
    let right = Credentials.sharedSecret(Array("a secret of 20 bytes".utf8))
    _ = try await SocketDevice(TestDevice(1, test), port: server.port, credentials: right)
    await server.stop()
  }

  @Test func `an expired token ends the connection`() async throws {
    let test = try await TestServerLog()
    // A token whose end passes soon, whatever verifies it.
    let authentication = SyncAuthentication { _, _ in
      .init(user: SyncUser(id: "1"), end: Date(timeIntervalSinceNow: 0.2))
    }
    let server = try await test.serve(authenticate: authentication)
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let refused = await #expect(throws: Refused.self) {
      while try await a.next() != nil {}
    }
    #expect(refused?.code == .credentials)
    #expect(refused?.text.contains("expired") == true)
    await server.stop()
  }

  @Test func `a short secret starts no server`() async throws {
    let test = try await TestServerLog()
    let error = await #expect(throws: SyncServerError.self) {
      try await test.serve(authenticate: .sharedSecret("short"))
    }
    #expect(error?.description.contains("has 5 bytes") == true)
  }
}
