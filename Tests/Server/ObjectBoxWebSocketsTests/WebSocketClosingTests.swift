import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketClosingTests {
  @Test func `a client's code and reason reach the server`() async throws {
    let closures = AsyncStream<WebSocketClosure>.makeStream()
    let echo = try await EchoServer { connection in
      defer { closures.continuation.finish() }
      #expect(try await connection.receive() == nil)
      closures.continuation.yield(try await connection.ended())
    }
    let connection = try await echo.connect()
    connection.close(WebSocketClosure(code: 4007, reason: "schön"))
    let own = try await connection.ended()
    #expect(own.code == 4007)
    #expect(!own.isFromPeer)
    var iterator = closures.stream.makeAsyncIterator()
    let closure = try #require(await iterator.next())
    #expect(closure.code == 4007)
    #expect(closure.reason == "schön")
    #expect(closure.isFromPeer)
  }

  @Test func `a server's code and reason reach the client`() async throws {
    let echo = try await EchoServer { _ in throw WebSocketClosure(code: 4100, reason: "moved") }
    let connection = try await echo.connect()
    #expect(try await connection.receive() == nil)
    let closure = try await connection.ended()
    #expect(closure.code == 4100)
    #expect(closure.reason == "moved")
    #expect(closure.isFromPeer)
  }

  @Test func `a server that has nothing more to say closes normally`() async throws {
    let echo = try await EchoServer { _ in }
    let connection = try await echo.connect()
    #expect(try await connection.ended().code == 1000)
  }

  @Test func `what waits is sent before the close frame`() async throws {
    let echo = try await EchoServer { connection in
      for seed in 0..<40 { try connection.post(bytes(100_000, seed: UInt8(seed))) }
    }
    let connection = try await echo.connect()
    for seed in 0..<40 {
      #expect(try await connection.receive() == bytes(100_000, seed: UInt8(seed)))
    }
    #expect(try await connection.receive() == nil)
    #expect(try await connection.ended().code == 1000)
  }

  @Test func `a reason longer than the protocol allows is cut at a character`() async throws {
    let reason = String(repeating: "ü", count: 100)
    let echo = try await EchoServer { _ in throw WebSocketClosure(code: 4000, reason: reason) }
    let connection = try await echo.connect()
    #expect(try await connection.ended().reason == String(repeating: "ü", count: 61))
  }

  @Test func `a closed connection refuses to send, and says why`() async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    connection.close()
    _ = try await connection.ended()
    let error = await #expect(throws: WebSocketError.self) { try await connection.send([1]) }
    #expect(error == .closed(address: echo.url, .normal))
    #expect(throws: WebSocketError.self) { try connection.post([1]) }
  }

  @Test func `a connection without references is closed`() async throws {
    let closures = AsyncStream<WebSocketClosure>.makeStream()
    let echo = try await EchoServer { connection in
      defer { closures.continuation.finish() }
      closures.continuation.yield(try await connection.ended())
    }
    _ = try await echo.connect()
    var iterator = closures.stream.makeAsyncIterator()
    #expect(await iterator.next()?.code == 1001)
  }

  @Test func `an error of the program closes with 1011 and is reported`() async throws {
    struct Failure: Error {}
    let reports = AsyncStream<any Error>.makeStream()
    let server = try await WebSocketServer.start(
      WebSocketServer.Configuration(),
      admit: { _ in },
      serve: { _, _ in throw Failure() },
      report: { error, _ in reports.continuation.yield(error) }
    )
    let connection = try await WebSocketClient.start().connect(to: server.url)
    #expect(try await connection.ended().code == 1011)
    var iterator = reports.stream.makeAsyncIterator()
    #expect(await iterator.next() is Failure)
  }

  @Test func `a refused user hears code and reason`() async throws {
    let server = try await WebSocketServer.start(
      WebSocketServer.Configuration(),
      admit: { request in
        guard request.path == "/welcome" else {
          throw WebSocketRefusal(status: 401, reason: "the token has expired")
        }
        return "Ada"
      },
      serve: { connection, user in try await connection.send(Array(user.utf8)) },
      report: { _, _ in }
    )
    let client = try await WebSocketClient.start()
    let refused = try await client.connect(to: server.url)
    let closure = try await refused.ended()
    #expect(closure.code == 4401)
    #expect(closure.reason == "the token has expired")
    let welcome = try await client.connect(to: server.url + "welcome")
    #expect(try await welcome.receive() == Array("Ada".utf8))
  }

  @Test func `a server that ends sends what waits, and closes with 1001`() async throws {
    let queued = Gate()
    let echo = try await EchoServer { connection in
      for seed in 0..<40 { try connection.post(bytes(100_000, seed: UInt8(seed))) }
      await queued.open()
      _ = try await connection.receive()
    }
    let connection = try await echo.connect()
    await queued.wait()
    async let stopped: Void = echo.server.stop(within: .seconds(20))
    for seed in 0..<40 {
      #expect(try await connection.receive() == bytes(100_000, seed: UInt8(seed)))
    }
    #expect(try await connection.receive() == nil)
    #expect(try await connection.ended().code == 1001)
    await stopped
    await #expect(throws: WebSocketError.self) { try await echo.connect() }
  }

  @Test func `the time limit ends a server whose peer reads nothing`() async throws {
    let queued = Gate()
    let echo = try await EchoServer(.with { $0.closeTime = .seconds(600) }) { connection in
      for _ in 0..<15 { try connection.post(bytes(1_000_000)) }
      await queued.open()
      _ = try await connection.receive()
    }
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    await queued.wait()
    await echo.server.stop(within: .milliseconds(50))
    // The task of the connection ends after it.
    while echo.server.connectionCount > 0 { await Task.yield() }
    // The port is free again.
    var settings = WebSocketServer.Configuration()
    settings.port = echo.server.port
    let next = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    #expect(next.port == echo.server.port)
  }

  @Test func `a server without references ends its connections`() async throws {
    var echo: EchoServer? = try await EchoServer()
    let client = try #require(echo?.client)
    let connection = try await client.connect(to: try #require(echo?.url))
    echo = nil
    await #expect(throws: WebSocketError.self) { _ = try await connection.receive() }
  }
}
