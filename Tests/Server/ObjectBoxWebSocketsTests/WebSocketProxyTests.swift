import Foundation
import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketProxyTests {
  /// Takes one connection as an HTTP proxy does, and passes its bytes to a port of this machine.
  ///
  /// - Returns: The first line of the request.
  private static func tunnel(_ listening: RawSocket, to port: Int, answer: String) async throws
    -> String
  {
    let client = try await listening.accept()
    let request = try await client.read { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    try client.write(Array("HTTP/1.0 \(answer)\r\n\r\n".utf8))
    let line = String(decoding: request.prefix { $0 != 0x0D }, as: UTF8.self)
    guard answer.hasPrefix("200") else { return line }
    let server = try RawSocket(port: port)
    await withThrowingTaskGroup(of: Void.self) { group in
      for (from, to) in [(client, server), (server, client)] {
        group.addTask {
          while case let bytes = try await from.read(until: { !$0.isEmpty }), !bytes.isEmpty {
            try to.write(bytes)
          }
          to.endWriting()
        }
      }
    }
    return line
  }

  private static func client(_ port: Int, trusting path: String? = nil) async throws
    -> WebSocketClient
  {
    var settings = WebSocketClient.Configuration()
    settings.proxy = WebSocketProxy(host: "localhost", port: UInt16(port))
    settings.authoritiesPath = path
    return try await WebSocketClient.start(settings)
  }

  @Test(arguments: [false, true])
  func `a proxy opens the connection, and finds the host itself`(usesTLS: Bool) async throws {
    let authority = try Authority()
    // This machine has no address for the name.
    let host = "sync.example"
    let server =
      usesTLS
      ? try await authority.server(for: "DNS:\(host)") : try await EchoServer().server
    let listening = try RawSocket.listening()
    let port = listening.port
    let tunnel = Task { try await Self.tunnel(listening, to: server.port, answer: "200 OK") }
    let client = try await Self.client(port, trusting: usesTLS ? authority.path : nil)
    let url = "\(usesTLS ? "wss" : "ws")://\(host):\(server.port)/"
    let connection = try await client.connect(to: url)
    for size in [1, 200_000] {
      try await connection.send(bytes(size))
      #expect(try await connection.receive() == bytes(size))
    }
    connection.close()
    #expect(try await connection.ended().code == 1000)
    #expect(try await tunnel.value.hasPrefix("CONNECT \(host):\(server.port) HTTP/1."))
  }

  @Test func `a proxy that refuses is an error of the connection`() async throws {
    let listening = try RawSocket.listening()
    let port = listening.port
    let tunnel = Task { try await Self.tunnel(listening, to: 1, answer: "403 Forbidden") }
    let client = try await Self.client(port)
    await #expect(throws: WebSocketError.self) {
      try await client.connect(to: "ws://sync.example/")
    }
    _ = try await tunnel.value
  }

  @Test func `a proxy without an address is told`() async throws {
    var settings = WebSocketClient.Configuration()
    settings.proxy = WebSocketProxy(host: "no-such-host.invalid", port: 3128)
    let error = await #expect(throws: WebSocketError.self) {
      try await WebSocketClient.start(settings)
    }
    guard case .nameNotFound("no-such-host.invalid", _) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }
}
