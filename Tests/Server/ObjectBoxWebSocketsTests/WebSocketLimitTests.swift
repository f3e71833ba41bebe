import Foundation
import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketLimitTests {
  @Test func `a message of the greatest size passes, and a larger one is not sent`() async throws {
    let echo = try await EchoServer(.with { $0.messageSize = 10_000 })
    let connection = try await echo.connect()
    let error = await #expect(throws: WebSocketError.self) {
      try await connection.send(bytes(10_001))
    }
    #expect(error == .messageTooLarge(size: 10_001, limit: 10_000))
    try await connection.send(bytes(10_000))
    #expect(try await connection.receive() == bytes(10_000))
  }

  @Test(arguments: [10_001, 100_000, 3_000_000])
  func `a peer that sends more is closed with 1009`(size: Int) async throws {
    var settings = WebSocketServer.Configuration()
    settings.limits.messageSize = 10_000
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    let connection = try await WebSocketClient.start().connect(to: server.url)
    try await connection.send(bytes(size))
    let closure = try await connection.ended()
    #expect(closure.code == 1009)
    #expect(closure.reason.contains("10000"))
  }

  @Test func `pieces that are too large together are closed with 1009`() async throws {
    let echo = try await EchoServer(.with { $0.messageSize = 150 })
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    try socket.write(RawSocket.frame(opcode: 2, isLast: false, bytes(100)))
    try socket.write(RawSocket.frame(opcode: 0, isLast: false, bytes(100)))
    let answer = try await socket.read { $0.count >= 4 }
    #expect(answer.first == 0x88)
    #expect(Array(answer[2..<4]) == [0x03, 0xF1])
  }

  @Test func `a text message is closed with 1003`() async throws {
    let echo = try await EchoServer()
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    try socket.write(RawSocket.frame(opcode: 1, Array("hello".utf8)))
    let answer = try await socket.read { $0.count >= 4 }
    #expect(answer.first == 0x88)
    #expect(Array(answer[2..<4]) == [0x03, 0xEB])
  }

  @Test func `a connection beyond the limit gets status 503`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.maximumConnections = 2
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    let client = try await WebSocketClient.start()
    let first = try await client.connect(to: server.url)
    let second = try await client.connect(to: server.url)
    let error = await #expect(throws: WebSocketError.self) {
      try await client.connect(to: server.url)
    }
    #expect(error == .refused(address: server.url, status: 503))
    for connection in [first, second] {
      try await connection.send([1])
      #expect(try await connection.receive() == [1])
    }
  }

  #if os(Linux)
    @Test(.tags(.slow)) func `silent connections of one address leave places for others`()
      async throws
    {
      var settings = WebSocketServer.Configuration()
      settings.maximumConnections = 100
      settings.maximumPendingByAddress = 25
      let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
      let silent = try (0..<200).map { _ in try RawSocket(port: server.port, from: 2) }
      // Those beyond the limit are closed.
      for socket in silent.dropFirst(25) { #expect(try await socket.read().isEmpty) }
      let client = try await WebSocketClient.start()
      for _ in 0..<70 {
        let connection = try await client.connect(to: server.url)
        try await connection.send([1])
        #expect(try await connection.receive() == [1])
      }
      // A request gives the place of a silent connection back.
      try await silent[0].upgrade()
      let next = try RawSocket(port: server.port, from: 2)
      try await next.upgrade()
      withExtendedLifetime(silent) {}
      await server.stop(within: .seconds(600))
    }
  #endif

  @Test func `a place is free again after its connection has ended`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.maximumConnectionsByAddress = 1
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    let client = try await WebSocketClient.start()
    let first = try await client.connect(to: server.url)
    let error = await #expect(throws: WebSocketError.self) {
      try await client.connect(to: server.url)
    }
    #expect(error == .refused(address: server.url, status: 429))
    first.close()
    try await first.ended()
    while true {
      // The server may hear of the end a moment after the client.
      if let next = try? await client.connect(to: server.url) {
        try await next.send([1])
        #expect(try await next.receive() == [1])
        break
      }
    }
  }

  @Test func `a server serves more connections than one of its threads, and ends with all of them`()
    async throws
  {
    let server = try await WebSocketServer.start(.init(), serve: EchoServer.echo)
    var connections: [WebSocketConnection] = []
    for _ in 0..<2 {
      let client = try await WebSocketClient.start()
      for _ in 0..<WebSocketClient.maximumConnections / 2 + 10 {
        connections.append(try await client.connect(to: server.url))
      }
    }
    #expect(connections.count > WebSocketClient.maximumConnections)
    for (number, connection) in connections.enumerated() {
      try await connection.send(bytes(number + 1))
    }
    for (number, connection) in connections.enumerated() {
      #expect(try await connection.receive() == bytes(number + 1))
    }
    #expect(server.connectionCount == connections.count)
    await server.stop(within: .seconds(600))
    for connection in connections { #expect(try await connection.ended().code == 1001) }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\n"])
  func `a peer without a complete handshake is hung up on`(start: String) async throws {
    let echo = try await EchoServer(.with { $0.handshakeTime = .milliseconds(100) })
    let socket = try RawSocket(port: echo.server.port)
    try socket.write(Array(start.utf8))
    #expect(try await socket.read().isEmpty)
    // The server serves others; on a busy machine they may need several attempts.
    var other: WebSocketConnection?
    while other == nil { other = try? await echo.connect() }
    let connection = try #require(other)
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a peer that answers no pings is hung up on`() async throws {
    let errors = AsyncStream<any Error>.makeStream()
    let limits = WebSocketLimits.with {
      $0.pingInterval = .milliseconds(50)
      $0.silence = .milliseconds(200)
    }
    let echo = try await EchoServer(limits) { connection in
      do { _ = try await connection.receive() } catch { errors.continuation.yield(error) }
    }
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    let received = try await socket.read()
    #expect(received.first == 0x89)
    var iterator = errors.stream.makeAsyncIterator()
    let error = await iterator.next() as? WebSocketError
    #expect(error == .silent(address: "127.0.0.1", limit: .milliseconds(200)))
  }

  @Test func `pings keep an idle connection`() async throws {
    let limits = WebSocketLimits.with {
      $0.pingInterval = .milliseconds(20)
      $0.silence = .seconds(60)
    }
    let echo = try await EchoServer(limits)
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    // Each ping comes after silence, and the answer to the one before.
    for _ in 0..<5 {
      let ping = try await socket.read { $0.count >= 3 }
      #expect(ping == [0x89, 1, 0])
      try socket.write(RawSocket.frame(opcode: 10, [0]))
    }
    try socket.write(RawSocket.frame(opcode: 2, [5]))
    let answer = try await socket.read { $0.contains(5) }
    #expect(answer.suffix(3) == [0x82, 1, 5])
  }

  @Test func `a connection whose reading is paused still tells its peer that it lives`()
    async throws
  {
    let gate = Gate()
    let limits = WebSocketLimits.with {
      $0.pingInterval = .milliseconds(20)
      $0.silence = .seconds(60)
      $0.receiveBuffer = 1
    }
    let echo = try await EchoServer(limits) { connection in
      await gate.wait()
      while let message = try await connection.receive() { try await connection.send(message) }
    }
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    try socket.write(RawSocket.frame(opcode: 2, [5]))
    // The first frame may be a ping, before the message arrives.
    let pongs = try await socket.read { bytes in
      bytes.indices.filter { bytes[$0] == 0x8A }.count >= 3
    }
    #expect(pongs.count >= 9)
    await gate.open()
    _ = try await socket.read { $0.suffix(3) == [0x82, 1, 5] }
  }

  @Test func `a peer that does not answer a close frame is hung up on`() async throws {
    let echo = try await EchoServer(.with { $0.closeTime = .milliseconds(100) }) { _ in }
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    // Reads to the end of the connection.
    #expect(try await socket.read() == [0x88, 2, 0x03, 0xE8])
  }

  @Test(arguments: [
    "not HTTP at all\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}", "\r\n\r\n\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd",
    "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000),
  ])
  func `garbage harms only its own connection`(garbage: String) async throws {
    let echo = try await EchoServer(.with { $0.handshakeTime = .seconds(1) })
    var other: WebSocketConnection?
    while other == nil { other = try? await echo.connect() }
    let connection = try #require(other)
    let socket = try RawSocket(port: echo.server.port)
    // The server may hang up before it has read everything.
    try? socket.write(Array(garbage.utf8))
    let answer = String(decoding: try await socket.read(), as: UTF8.self)
    #expect(!answer.contains("101"))
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test(
    .tags(.slow),
    arguments: [
      [0xC2, 0x81, 0, 0, 0, 0, 1], [0x83, 0x80, 0, 0, 0, 0], [0x80, 0x80, 0, 0, 0, 0],
      [0x82, 0x01, 7], [0x09, 0x80, 0, 0, 0, 0], [0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
      [0x88, 0x81, 0, 0, 0, 0, 1], [0x89, 0xFE, 0x01, 0, 0, 0, 0, 0],
    ] as [[UInt8]]
  )
  func `a frame that breaks the protocol harms only its own connection`(
    frame: [UInt8]
  ) async throws {
    let echo = try await EchoServer(
      .with {
        $0.closeTime = .seconds(1)
        $0.pingInterval = .seconds(1)
        $0.silence = .seconds(2)
      }
    )
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    try socket.write(frame)
    _ = try await socket.read()
    let connection = try await echo.connect()
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a refusal is a whole answer with a reason, and the end of the connection`()
    async throws
  {
    var settings = WebSocketServer.Configuration()
    settings.subprotocols = ["sync.1"]
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    let socket = try RawSocket(port: server.port)
    let error = await #expect(throws: RawSocketError.self) { try await socket.upgrade() }
    let answer = error?.reason ?? ""
    #expect(
      answer == """
        HTTP/1.1 400 Refused\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 30\r
        Connection: close\r
        \r
        the subprotocols are 'sync.1'

        """
    )
  }

  @Test func `a port that is in use is told`() async throws {
    let listener = try RawSocket.listening()
    var settings = WebSocketServer.Configuration()
    settings.port = listener.port
    let error = await #expect(throws: WebSocketError.self) {
      try await WebSocketServer.start(settings, serve: EchoServer.echo)
    }
    #expect(
      error
        == .cannotListen(address: "127.0.0.1:\(listener.port)", reason: "Address already in use")
    )
  }

  @Test func `an address that is not of this machine is told`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.address = "192.0.2.1"
    let error = await #expect(throws: WebSocketError.self) {
      try await WebSocketServer.start(settings, serve: EchoServer.echo)
    }
    #expect(error?.description.hasPrefix("cannot listen on '192.0.2.1:0': ") == true)
  }
}
