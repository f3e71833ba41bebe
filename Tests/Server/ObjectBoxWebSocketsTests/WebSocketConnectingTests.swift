import Foundation
import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketConnectingTests {
  @Test(arguments: [
    "http://localhost/", "ws://", "ws://:80/", "ws://host:port/", "ws://host:0/",
    "ws://host:65536/",
    "ws://user@host/", "ws://host/a b", "ws://höst/", "wss://[::1]:80/",
  ])
  func `an address that cannot be used is refused`(url: String) async throws {
    let client = try await WebSocketClient.start()
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    guard case .invalidAddress = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }

  @Test func `a client tells when it has too many connections`() async throws {
    let echo = try await EchoServer()
    var connections: [WebSocketConnection] = []
    for _ in 0..<WebSocketClient.maximumConnections { connections.append(try await echo.connect()) }
    let error = await #expect(throws: WebSocketError.self) { try await echo.connect() }
    let limit = WebSocketClient.maximumConnections
    #expect(error == .tooManyConnections(address: echo.url, limit: limit))
    for connection in connections {
      try await connection.send([1])
      #expect(try await connection.receive() == [1])
    }
  }

  @Test func `errors tell no password and no query`() async throws {
    let client = try await WebSocketClient.start()
    let port = try RawSocket.listening().port
    for url in [
      "ws://ada:secret@localhost/", "ws://127.0.0.1:\(port)/?token=secret",
      "http://localhost/?token=secret",
    ] {
      let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test(arguments: [("A B", "c"), ("", "c"), ("A", "b\r\nC: d"), ("A:", "b")])
  func `a header that would break the request is refused`(name: String, value: String) async throws
  {
    let client = try await WebSocketClient.start()
    let error = await #expect(throws: WebSocketError.self) {
      try await client.connect(to: "ws://localhost:1/", headers: [(name, value)])
    }
    guard case .invalidHeader(name, _) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }

  @Test func `a port without a server is told with the addresses tried`() async throws {
    let port = try RawSocket.listening().port
    let client = try await WebSocketClient.start()
    let url = "ws://127.0.0.1:\(port)/"
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    #expect(error == .unreachable(address: url, tried: ["127.0.0.1"]))
  }

  @Test func `each address of a name is tried`() async throws {
    // The server listens on IPv4 only; the name may have an address of IPv6 as well.
    let echo = try await EchoServer()
    let url = "ws://localhost:\(echo.server.port)/"
    let connection = try await echo.client.connect(to: url)
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a server listens on an address of IPv6`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.address = "::1"
    let server: WebSocketServer
    do {
      server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    } catch WebSocketError.cannotListen(_, let reason) {
      // Machines without IPv6 have no such address.
      #expect(reason != "the library gave no reason")
      return
    }
    let client = try await WebSocketClient.start()
    let connection = try await client.connect(to: "ws://[::1]:\(server.port)/")
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a name without an address is told`() async throws {
    let client = try await WebSocketClient.start()
    let url = "ws://name.invalid:9999/"
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    guard case .nameNotFound(url, _) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }

  @Test func `a refused path is told with its status`() async throws {
    let server = try await WebSocketServer.start(
      WebSocketServer.Configuration(),
      screen: { request in
        request.path == "/sync" ? nil : WebSocketRefusal(status: 404, reason: "no such path")
      },
      admit: { _ in },
      serve: { connection, _ in try await EchoServer.echo(connection) },
      report: { _, _ in }
    )
    let client = try await WebSocketClient.start()
    let error = await #expect(throws: WebSocketError.self) {
      try await client.connect(to: server.url + "other")
    }
    #expect(error == .refused(address: server.url + "other", status: 404))
    let connection = try await client.connect(to: server.url + "sync")
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a subprotocol that the server does not know is refused`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.subprotocols = ["sync.1"]
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    for subprotocol in ["sync.2", nil] {
      var clientSettings = WebSocketClient.Configuration()
      clientSettings.subprotocol = subprotocol
      let client = try await WebSocketClient.start(clientSettings)
      let error = await #expect(throws: WebSocketError.self) {
        try await client.connect(to: server.url)
      }
      #expect(error == .refused(address: server.url, status: 400))
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 401),
    ("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 302),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200),
  ])
  func `another status than 101 is told`(answer: String, status: Int) async throws {
    let listener = try RawSocket.listening()
    let url = "ws://127.0.0.1:\(listener.port)/"
    async let error = WebSocketConnectingTests.error(url)
    let socket = try await listener.accept()
    _ = try await socket.read { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    try socket.write(Array(answer.utf8))
    #expect(try await error == .refused(address: url, status: status))
  }

  @Test(arguments: [
    "garbage\r\n\r\n", "",
    "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
      + "AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
  ])
  func `an answer that breaks the protocol is told`(answer: String) async throws {
    let listener = try RawSocket.listening()
    let url = "ws://127.0.0.1:\(listener.port)/"
    async let error = WebSocketConnectingTests.error(url)
    do {
      let socket = try await listener.accept()
      _ = try await socket.read { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
      try socket.write(Array(answer.utf8))
    }
    guard case .protocolViolation(url, _) = try await error else {
      Issue.record("the error is \(String(describing: try await error))")
      return
    }
  }

  @Test func `a server that never answers is given up`() async throws {
    let listener = try RawSocket.listening()
    var settings = WebSocketClient.Configuration()
    settings.limits.handshakeTime = .milliseconds(100)
    let client = try await WebSocketClient.start(settings)
    let url = "ws://127.0.0.1:\(listener.port)/"
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    #expect(error == .connectTimedOut(address: url, limit: .milliseconds(100)))
  }

  @Test func `a cancelled task stops connecting`() async throws {
    let listener = try RawSocket.listening()
    let client = try await WebSocketClient.start()
    let url = "ws://127.0.0.1:\(listener.port)/"
    let task = Task { try await client.connect(to: url) }
    let socket = try await listener.accept()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The client hangs up.
    _ = try await socket.read()
  }

  @Test func `a connection that breaks is told as lost`() async throws {
    let listener = try RawSocket.listening()
    let url = "ws://127.0.0.1:\(listener.port)/"
    let client = try await WebSocketClient.start()
    async let connecting = client.connect(to: url)
    let connection: WebSocketConnection
    do {
      let socket = try await listener.accept()
      let request = try await socket.read { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
      try socket.write(Array(try Handshake.answer(to: request).utf8))
      connection = try await connecting
    }
    let error = await #expect(throws: WebSocketError.self) { try await connection.receive() }
    #expect(error == .lost(address: url))
  }

  private static func error(_ url: String) async throws -> WebSocketError? {
    let client = try await WebSocketClient.start()
    do {
      _ = try await client.connect(to: url)
      return nil
    } catch let error as WebSocketError {
      return error
    }
  }
}
