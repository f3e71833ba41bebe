import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketMessageTests {
  @Test(arguments: [0, 1, 125, 126, 4095, 4096, 4097, 65_535, 65_536, 65_537, 5_000_000])
  func `a message comes back whole`(size: Int) async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    let message = bytes(size)
    try await connection.send(message)
    #expect(try await connection.receive() == message)
    connection.close()
    #expect(try await connection.receive() == nil)
  }

  @Test func `messages of different sizes arrive in their order`() async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    let messages = (0..<500).map { bytes($0 * $0 % 70_001, seed: UInt8($0 % 256)) }
    async let sent: Void = {
      for message in messages { try await connection.send(message) }
    }()
    for message in messages { #expect(try await connection.receive() == message) }
    try await sent
  }

  @Test func `a posted message tells how many bytes wait`() async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    #expect(try connection.post(bytes(1000)) >= 1000)
    #expect(try await connection.receive() == bytes(1000))
    #expect(connection.waitingBytes == 0)
  }

  @Test func `pieces of a message are joined`() async throws {
    let received = AsyncStream<[UInt8]>.makeStream()
    let echo = try await EchoServer { connection in
      for try await message in connection { received.continuation.yield(message) }
    }
    let socket = try RawSocket(port: echo.server.port)
    try await socket.upgrade()
    try socket.write(RawSocket.frame(opcode: 2, isLast: false, [1, 2]))
    // Control frames may come between the pieces.
    try socket.write(RawSocket.frame(opcode: 9, [7]))
    try socket.write(RawSocket.frame(opcode: 0, isLast: false, []))
    try socket.write(RawSocket.frame(opcode: 0, [3]))
    var messages = received.stream.makeAsyncIterator()
    #expect(await messages.next() == [1, 2, 3])
  }

  @Test func `the server sees path, query, headers and subprotocol`() async throws {
    var settings = WebSocketServer.Configuration()
    settings.subprotocols = ["sync.2", "sync.1"]
    settings.headers = ["Authorization", "X-Device", "User-Agent"]
    let requests = AsyncStream<WebSocketRequest>.makeStream()
    let server = try await WebSocketServer.start(settings) { connection in
      requests.continuation.yield(connection.request)
      _ = try await connection.receive()
    }
    var clientSettings = WebSocketClient.Configuration()
    clientSettings.subprotocol = "sync.1"
    let client = try await WebSocketClient.start(clientSettings)
    let token = String(repeating: "token.", count: 500)
    let connection = try await client.connect(
      to: server.url + "notes/a?from=7&to=9",
      headers: [("Authorization", "Bearer " + token), ("X-Device", "17")]
    )
    #expect(connection.request.subprotocol == "sync.1")
    var iterator = requests.stream.makeAsyncIterator()
    let request = try #require(await iterator.next())
    #expect(request.path == "/notes/a")
    #expect(request.query == "from=7&to=9")
    #expect(request.subprotocol == "sync.1")
    #expect(request.address == "127.0.0.1")
    #expect(request.header("authorization") == "Bearer " + token)
    #expect(request.header("x-device") == "17")
    #expect(request.header("user-agent") == nil)
  }
}
