import ObjectBoxTestSupport

/// Connects clients with a server, and writes down what the server sends.
final class ByteProxy: Sendable {
  /// The port for the client.
  let port: Int
  /// The bytes that the server has sent, as they arrive.
  let received: AsyncStream<[UInt8]>

  /// Listens for connections to a server.
  init(to server: Int) async throws {
    let listener = try RawSocket.listening()
    port = listener.port
    let (received, log) = AsyncStream.makeStream(of: [UInt8].self)
    self.received = received
    Task {
      while true {
        let client = try await listener.accept()
        let upstream = try RawSocket(port: server)
        Task { try await Self.pump(client, upstream) { _ in } }
        Task { try await Self.pump(upstream, client) { log.yield($0) } }
      }
    }
  }

  private static func pump(
    _ source: RawSocket,
    _ target: RawSocket,
    _ note: ([UInt8]) -> Void
  ) async throws {
    while true {
      let bytes = try await source.read { !$0.isEmpty }
      if bytes.isEmpty { return }
      note(bytes)
      try target.write(bytes)
    }
  }
}
