import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxTestSupport
import Testing

/// Listeners, states, credentials, certificates and heartbeats of clients.
@Suite(.enabled(if: hasWebSockets, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct SyncClientSettingTests {
  @Test func `setting the listener to all events replaces the others`() async throws {
    let server = try MemoryServer()
    let device = try TestDevice()
    let client = try device.client(try await server.start())
    let (replaced, log, later) = (ClientLog(), ClientLog(), ClientLog())
    client.loginListener = replaced
    client.connectionListener = replaced
    client.listener = log
    #expect(client.listener != nil)
    client.completedListener = later
    try client.start()
    var events = log.events.makeAsyncIterator()
    #expect(await events.next() == "connected")
    #expect(await events.next() == "logged in")
    var others = later.events.makeAsyncIterator()
    #expect(await others.next() == "completed")
    client.listener = nil
    #expect(client.loginListener == nil)
    #expect(client.connectionListener == nil)
    #expect(client.changeListener == nil)
    #expect(client.completedListener == nil)
    client.close()
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `listeners are called on the main queue when the program asks for it`(
    isMain: Bool
  ) async throws {
    let server = try MemoryServer()
    let client = try TestDevice().client(try await server.start())
    let log = ClientLog(tellsQueue: true)
    #expect(!client.callListenersInMainThread)
    client.callListenersInMainThread = isMain
    client.listener = log
    try client.start()
    var events = log.events.makeAsyncIterator()
    for event in ["connected", "logged in", "completed"] {
      #expect(await events.next() == "\(event) \(isMain)")
    }
    client.close()
    await server.stop()
  }

  @Test func `the wait for a login tells success, failure and the end of the time`() async throws {
    let server = try MemoryServer(secret: Array("right".utf8))
    let client = try TestDevice().client(try await server.start())
    func wait(_ milliseconds: UInt) async throws -> SuccessTimeOut {
      nonisolated(unsafe) let client = client
      // It blocks its thread.
      return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result { try client.waitForLoggedInState(timeoutMilliseconds: milliseconds) }
          )
        }
      }
    }
    #expect(client.getStateString() == "created")
    #expect(try await wait(1) == .timeout)
    try client.start()
    #expect(try await wait(600_000) == .failure)
    #expect(client.lastRefusal == .credentialsRejected)
    try client.setCredentials(.makeSharedSecret("right"))
    #expect(try await wait(600_000) == .success)
    #expect(client.getState() == .loggedIn)
    try client.stop()
    #expect(try await wait(600_000) == .failure)
    client.close()
    #expect(try await wait(600_000) == .failure)
    #expect(client.isClosed())
    client.close()
    await server.stop()
  }

  @Test func `several credentials are tried until the server accepts some`() async throws {
    let server = try MemoryServer(secret: Array("right".utf8))
    let client = try TestDevice().client(try await server.start()) {
      $0.credentials = [.makeNone(), .makeSharedSecret("right"), .makeSharedSecret("wrong")]
    }
    let log = ClientLog()
    client.loginListener = log
    try client.start()
    var events = log.events.makeAsyncIterator()
    #expect(await events.next() == "logged in")
    try client.stop()
    try client.setCredentials([.makeSharedSecret("wrong"), .makeNone()])
    try client.start()
    #expect(await events.next() == "login failed: credentialsRejected")
    client.close()
    await server.stop()
  }

  @Test func `certificates of files and folders are trusted`() async throws {
    let (authority, other) = (try Authority(), try Authority())
    let server = try MemoryServer()
    let port = try await server.start(files: authority.files(for: "DNS:localhost"))
    func client(_ paths: [String]) throws -> any SyncClient {
      try TestDevice().client(0) {
        $0.urls = ["wss://localhost:\(port)"]
        $0.certificatePaths = paths
      }
    }
    let folder = try TemporaryDirectory()
    try FileManager.default.copyItem(atPath: authority.path, toPath: folder.path + "/own.pem")
    for paths in [[authority.path], [folder.path], [other.path, authority.path]] {
      let client = try client(paths)
      try client.start()
      await client.reach(.loggedIn)
      client.close()
    }
    let missing = folder.path + "/missing.pem"
    for (paths, word) in [([], "issuer"), ([other.path], "issuer"), ([missing], missing)] {
      let client = try client(paths)
      try client.start()
      await client.reach(.disconnected)
      let error = try #require(client.lastError)
      #expect("\(error)".contains(word), "\(error)")
      client.close()
    }
    await server.stop()
  }

  @Test func `heartbeats are answered, one by one and at intervals`() async throws {
    let server = try MemoryServer()
    let proxy = try await ByteProxy(to: try await server.start())
    let client = try TestDevice().client(proxy.port)
    client.updateRequestMode = .manual
    try client.start()
    await client.reach(.loggedIn)
    // Nothing else is sent by a server to a client that requests nothing.
    var received = proxy.received.makeAsyncIterator()
    #expect(try client.sendHeartbeat())
    while let bytes = await received.next(), bytes.first != 0x8A {}
    try client.setHeartbeatInterval(milliseconds: 1)
    for _ in 1...5 {
      while let bytes = await received.next(), bytes.first != 0x8A {}
    }
    for milliseconds in [0, 1_500_001, UInt.max] {
      #expect(throws: ObjectBoxError.self) {
        try client.setHeartbeatInterval(milliseconds: milliseconds)
      }
    }
    try client.setHeartbeatInterval(milliseconds: 1_500_000)
    client.close()
    await server.stop()
  }

  @Test func `filter variables are sent at the login and when they change`() async throws {
    let server = try MemoryServer()
    let client = try TestDevice().client(try await server.start()) {
      $0.filterVariables = ["region": "north", "kind": "all"]
    }
    try client.putFilterVariable(name: "region", value: "south")
    try client.removeFilterVariable("kind")
    try client.start()
    var said = server.variables.makeAsyncIterator()
    #expect(await said.next() == ["region": "south"])
    try client.putFilterVariable(name: "kind", value: "new")
    #expect(await said.next() == ["region": "south", "kind": "new"])
    try client.removeAllFilterVariables()
    #expect(await said.next() == [:])
    let long = String(repeating: "a", count: 1 << 16)
    #expect(throws: ObjectBoxError.self) { try client.putFilterVariable(name: "a", value: long) }
    try client.stop()
    try client.putFilterVariable(name: "region", value: "east")
    try client.start()
    #expect(await said.next() == ["region": "east"])
    client.close()
    #expect(throws: ObjectBoxError.self) { try client.removeAllFilterVariables() }
    await server.stop()
  }

  @Test func `the number of outgoing messages counts to a limit`() throws {
    let device = try TestDevice()
    let client = try device.client(9)
    for rank in 1...3 { try device.notes.put(["rank": rank]) }
    #expect(try client.outgoingMessagesCount() == 3)
    #expect(try client.outgoingMessagesCount(limit: 0) == 3)
    #expect(try client.outgoingMessagesCount(limit: 2) == 2)
    #expect(try client.outgoingMessagesCount(limit: 9) == 3)
  }
}
