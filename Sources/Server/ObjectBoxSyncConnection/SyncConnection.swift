package import ObjectBoxSyncProtocol
package import ObjectBoxWebSockets
internal import Synchronization

/// The messages of a connection between a device and a server.
///
/// One task receives, another one sends.
package final class SyncConnection: Sendable {
  /// The greatest size of a frame in bytes.
  package static let frameSize = 1 << 20
  /// The name of the WebSocket subprotocol.
  package static let subprotocol = "objectbox-sync.1"

  private let socket: WebSocketConnection
  private let counts = ByteCounts()

  /// Creates the connection over an open socket.
  package init(_ socket: WebSocketConnection) {
    self.socket = socket
  }

  /// Sends a message, after waiting until the peer has taken enough of the earlier ones.
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
  ///   - closure: The reason for the end of the connection.
  package func close(_ refused: Refused, _ closure: WebSocketClosure) {
    for frame in WireFrames.split(WireMessage.refused(refused).encoded(), limit: Self.frameSize) {
      // Fails if the peer is gone.
      _ = try? socket.post(frame)
    }
    socket.close(closure)
  }

  /// Sends a ping, which the peer answers.
  package func ping() { socket.ping() }

  /// Closes the connection.
  package func close() { socket.close() }

  /// The bytes of the received and sent frames, without the last message of `close`.
  package var traffic: (received: Int, sent: Int) {
    (counts.received.load(ordering: .relaxed), counts.sent.load(ordering: .relaxed))
  }

  /// The network address of the peer, without its port.
  package var address: String { socket.request.address }

  /// Returns a receiver of messages, for use by one task.
  ///
  /// - Parameters:
  ///   - limit: The greatest size of a message in bytes.
  ///   - admit: Called after each frame with the received part of the message; can wait, and end reading by an error.
  /// - Returns: The receiver.
  package func messages(
    limit: Int,
    admit: @escaping @Sendable (Messages.Part) async throws -> Void = { _ in }
  ) -> Messages {
    Messages(socket, counts, limit: limit, admit)
  }

  /// Receives messages.
  package struct Messages {
    /// The received part of a message.
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
    /// - Throws: ``Refused`` for bytes that are no message; `WebSocketError`, `CancellationError`; errors of `admit`.
    package mutating func next() async throws -> WireMessage? {
      try await nextBytes().map { try WireMessage(received: $0, limit: nil) }
    }

    /// Returns the bytes of the next message, which may be malformed; nil at the end of the connection.
    ///
    /// - Throws: ``Refused`` for malformed frames; `WebSocketError`, `CancellationError`; errors of `admit`.
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
  /// Returns the size of the message with a further frame, and its kind.
  fileprivate func part(with frame: [UInt8]) -> SyncConnection.Messages.Part {
    SyncConnection.Messages.Part(
      size: bytes.count + max(frame.count - 1, 0),
      isUpload: WireMessage.isUpload(bytes.first ?? frame.dropFirst().first)
    )
  }
}

extension WireMessage {
  /// Reads a received message.
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
