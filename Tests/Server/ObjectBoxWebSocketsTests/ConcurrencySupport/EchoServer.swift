import ObjectBoxWebSockets

/// Whether the package was built with libwebsockets.
#if OBJECTBOX_WEBSOCKETS
  let hasLibrary = true
#else
  let hasLibrary = false
#endif

/// A server on a free port that sends each message back, and a client for it.
struct EchoServer {
  let server: WebSocketServer
  let client: WebSocketClient

  init(
    _ limits: WebSocketLimits = WebSocketLimits(),
    serve: @escaping @Sendable (WebSocketConnection) async throws -> Void = EchoServer.echo
  ) async throws {
    var settings = WebSocketServer.Configuration()
    settings.limits = limits
    server = try await .start(settings, serve: serve)
    var clientSettings = WebSocketClient.Configuration()
    clientSettings.limits = limits
    client = try await WebSocketClient.start(clientSettings)
  }

  var url: String { server.url }

  func connect() async throws -> WebSocketConnection { try await client.connect(to: url) }

  static let echo: @Sendable (WebSocketConnection) async throws -> Void = { connection in
    for try await message in connection { try await connection.send(message) }
  }
}

extension WebSocketLimits {
  /// The default limits with changes.
  static func with(_ change: (inout WebSocketLimits) -> Void) -> WebSocketLimits {
    var limits = WebSocketLimits()
    change(&limits)
    return limits
  }
}

extension WebSocketServer {
  /// Starts a server that admits everybody and ignores errors of `serve`.
  static func start(
    _ settings: Configuration,
    serve: @escaping @Sendable (WebSocketConnection) async throws -> Void
  ) async throws -> WebSocketServer {
    try await start(
      settings,
      admit: { _ in },
      serve: { connection, _ in try await serve(connection) },
      report: { _, _ in }
    )
  }

  var url: String { "ws://127.0.0.1:\(port)/" }
}

/// Bytes that differ at each place, and by `seed`.
func bytes(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
    var byte = seed
    for index in 0..<count {
      byte = byte &* 31 &+ UInt8(truncatingIfNeeded: index >> 8) &+ 7
      buffer.initializeElement(at: index, to: byte)
    }
    size = count
  }
}
