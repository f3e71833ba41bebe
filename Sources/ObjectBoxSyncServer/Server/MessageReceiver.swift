internal import ObjectBoxSyncProtocol
internal import ObjectBoxWebSockets

/// Receives the messages of a device.
struct MessageReceiver {
  private let connection: WebSocketConnection
  private var collector: WireCollector

  /// Begins to receive.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - limit: The greatest size of a message in bytes.
  init(_ connection: WebSocketConnection, limit: Int) {
    self.connection = connection
    collector = WireCollector(limit: limit)
  }

  /// Returns the next message; nil at the end of the connection.
  ///
  /// - Throws: ``Refused`` for bytes that are no message; errors of the connection.
  mutating func next() async throws -> WireMessage? {
    while let frame = try await connection.receive() {
      do {
        if let bytes = try collector.add(frame) { return try WireMessage(decoding: bytes) }
      } catch {
        throw Refused(.message, error.description)
      }
    }
    return nil
  }
}

/// The frames of both sides.
enum SyncFrames {
  /// The greatest size of a frame in bytes.
  static let size = 1 << 20
  /// The name of the WebSocket subprotocol.
  static let subprotocol = "objectbox-sync.1"
}
