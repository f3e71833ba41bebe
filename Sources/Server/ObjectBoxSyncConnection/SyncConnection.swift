package import ObjectBoxSyncProtocol
package import ObjectBoxWebSockets
internal import Synchronization

/// The messages of a connection between a device and a server.
///
/// One task receives, one sends.
package final class SyncConnection: Sendable {
  /// The greatest size of a frame in bytes.
  package static let frameSize = 1 << 20
  /// The name of the WebSocket subprotocol.
  package static let subprotocol = "objectbox-sync.1"

  private let socket: WebSocketConnection
  private let counts = ByteCounts()

  /// Takes a connection, which is open.
  package init(_ socket: WebSocketConnection) {
    self.socket = socket
  }

  /// Sends a message, after waiting until the peer has taken enough of what was sent before.
  ///
  /// - Throws: `WebSocketError` when the connection has ended, `CancellationError`.
  package func send(_ message: WireMessage) async throws {
    for frame in WireFrames.split(message.encoded(), limit: Self.frameSize) {
      try await socket.send(frame)
      counts.sent.add(frame.count, ordering: .relaxed)
    }
  }

  /// Queues a last message, and closes the connection after it.
  ///
  /// - Parameters:
  ///   - refused: The message.
  ///   - closure: The end of the connection.
  package func close(_ refused: Refused, _ closure: WebSocketClosure) {
    for frame in WireFrames.split(WireMessage.refused(refused).encoded(), limit: Self.frameSize) {
      // The peer may be gone.
      _ = try? socket.post(frame)
    }
    socket.close(closure)
  }

  /// Sends a sign of life, which the peer answers.
  package func ping() { socket.ping() }

  /// Closes the connection.
  package func close() { socket.close() }

  /// The bytes of the frames that came and were sent, without a last message of `close`.
  package var traffic: (received: Int, sent: Int) {
    (counts.received.load(ordering: .relaxed), counts.sent.load(ordering: .relaxed))
  }

  /// The network address of the peer, without its port.
  package var address: String { socket.request.address }

  /// Returns a receiver of messages; one task uses it.
  ///
  /// - Parameters:
  ///   - limit: The greatest size of a message in bytes.
  ///   - admit: Called after each frame with what has come of the message; can wait, and end the reading by an error.
  /// - Returns: The receiver.
  package func messages(
    limit: Int,
    admit: @escaping @Sendable (Messages.Part) async throws -> Void = { _ in }
  ) -> Messages {
    Messages(socket, counts, limit: limit, admit)
  }

  /// Receives messages.
  package struct Messages {
    /// A message so far.
    package struct Part: Sendable {
      /// The size in bytes.
      package let size: Int
      /// True if it may be an upload.
      package let isUpload: Bool
    }

    private let socket: WebSocketConnection
    private let counts: ByteCounts
    private var collector: WireCollector
    private let admit: @Sendable (Part) async throws -> Void

    fileprivate init(
      _ socket: WebSocketConnection,
      _ counts: ByteCounts,
      limit: Int,
      _ admit: @escaping @Sendable (Part) async throws -> Void
    ) {
      self.socket = socket
      self.counts = counts
      self.admit = admit
      collector = WireCollector(limit: limit)
    }

    /// Returns the next message; nil at the end of the connection.
    ///
    /// - Throws: ``Refused`` for bytes that are no message; `WebSocketError`, `CancellationError`; what
    ///   `admit` throws.
    package mutating func next() async throws -> WireMessage? {
      try await nextBytes().map { try WireMessage(received: $0, limit: nil) }
    }

    /// Returns the bytes of the next message, which may be none; nil at the end of the connection.
    ///
    /// - Throws: ``Refused`` for frames that make no message; `WebSocketError`, `CancellationError`; what
    ///   `admit` throws.
    package mutating func nextBytes() async throws -> [UInt8]? {
      while let frame = try await socket.receive() {
        counts.received.add(frame.count, ordering: .relaxed)
        try await admit(collector.part(with: frame))
        do {
          if let bytes = try collector.add(frame) { return bytes }
        } catch {
          throw Refused(.message, error.description)
        }
      }
      return nil
    }
  }
}

extension WireCollector {
  /// Returns the size that the message has with a frame, and its kind.
  fileprivate func part(with frame: [UInt8]) -> SyncConnection.Messages.Part {
    SyncConnection.Messages.Part(
      size: bytes.count + max(frame.count - 1, 0),
      isUpload: WireMessage.isUpload(bytes.first ?? frame.dropFirst().first)
    )
  }
}

extension WireMessage {
  /// Reads a message that has arrived.
  ///
  /// - Parameters:
  ///   - bytes: Its bytes.
  ///   - limit: The limit of its elements; nil for none.
  /// - Throws: ``Refused`` for bytes that are no message, and with the code `rate` for too many elements.
  package init(received bytes: [UInt8], limit: WireLimit?) throws {
    do {
      try self.init(decoding: bytes, limit: limit)
    } catch {
      throw Refused(error.isExcess ? .rate : .message, error.description)
    }
  }
}

/// The bytes of a connection.
private final class ByteCounts: Sendable {
  let received = Atomic<Int>(0)
  let sent = Atomic<Int>(0)
}
