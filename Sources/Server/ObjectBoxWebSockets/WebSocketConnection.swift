/// An open connection, on either side.
///
/// All functions may be called from any thread. One task at a time may receive. A connection
/// without references is closed with code 1001.
package final class WebSocketConnection: Sendable {
  /// The request of the client; on the client's side its path and the subprotocol.
  package let request: WebSocketRequest
  let channel: Channel
  /// Keeps the thread of a client alive.
  private let keeper: LoopKeeper?

  init(_ channel: Channel, _ request: WebSocketRequest, _ keeper: LoopKeeper?) {
    self.channel = channel
    self.request = request
    self.keeper = keeper
  }

  deinit { channel.close(.goingAway) }

  /// Returns the next message; nil after a close frame of either side.
  ///
  /// Messages that arrived before the end are returned first.
  ///
  /// - Throws: ``WebSocketError`` if the connection ended in another way, and `CancellationError` when the task is
  ///   cancelled; the connection stays open then.
  package func receive() async throws -> [UInt8]? { try await channel.receive() }

  /// Sends a message, after waiting until fewer than `sendBuffer` bytes wait for the peer.
  ///
  /// Returns once the message is queued. Messages of one task arrive in their order.
  ///
  /// - Throws: ``WebSocketError`` if the connection has ended or the message is too large, and `CancellationError` when
  ///   the task is cancelled while it waits; nothing is sent then.
  package func send(_ message: [UInt8]) async throws { try await channel.send(message) }

  /// Queues a message without waiting.
  ///
  /// If more than `postBuffer` bytes wait, the connection is closed with code 1008, and the waiting messages are
  /// dropped.
  ///
  /// - Returns: The number of bytes that wait for the peer, including this message.
  /// - Throws: ``WebSocketError`` if the connection has ended or is too slow, or the message is too large.
  @discardableResult
  package func post(_ message: [UInt8]) throws -> Int { try channel.post(message) }

  /// Sends a ping, which the peer answers; does nothing after the end of the connection.
  package func ping() { channel.ping() }

  /// The number of bytes that wait for the peer.
  package var waitingBytes: Int { channel.waitingBytes }

  /// The number of received bytes that wait for the program.
  package var unreadBytes: Int { channel.unreadBytes }

  /// Starts to close the connection, after the waiting messages were sent.
  ///
  /// The first closure counts. Messages that arrive from now on are dropped.
  package func close(_ closure: WebSocketClosure = .normal) { channel.close(closure) }

  /// Waits until the connection has ended.
  ///
  /// - Returns: The closure that was sent or received first.
  /// - Throws: ``WebSocketError`` when the connection ended without one, and `CancellationError`.
  @discardableResult
  package func ended() async throws -> WebSocketClosure { try await channel.ended() }
}

extension WebSocketConnection: AsyncSequence {
  /// Receives the messages of a connection.
  package struct AsyncIterator: AsyncIteratorProtocol {
    let connection: WebSocketConnection

    /// Returns the next message; see ``WebSocketConnection/receive()``.
    package mutating func next() async throws -> [UInt8]? { try await connection.receive() }
  }

  /// Returns an iterator over the messages that have not been received.
  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self) }
}
