/// The limits of connections.
package struct WebSocketLimits: Sendable, Equatable {
  /// The greatest size of a message in bytes, in both directions.
  ///
  /// A peer that sends more is closed with code 1009.
  package var messageSize = 16 << 20
  /// Bytes of received messages that may wait for the program.
  ///
  /// Beyond that, nothing more is read from the connection until the program has taken half of them.
  package var receiveBuffer = 1 << 20
  /// Bytes that may wait for the peer before `send` suspends.
  package var sendBuffer = 1 << 20
  /// Bytes that may wait for the peer after `post`.
  ///
  /// Beyond that the connection is closed.
  package var postBuffer = 16 << 20
  /// Time for TCP, TLS and HTTP until the connection is open.
  package var handshakeTime = Duration.seconds(20)
  /// Time without received bytes after which a ping is sent.
  package var pingInterval = Duration.seconds(30)
  /// Time without received bytes after which the connection ends; more than `pingInterval`.
  package var silence = Duration.seconds(75)
  /// Time for what waits to be sent, and for the peer's close frame, after a connection is closed.
  package var closeTime = Duration.seconds(5)

  /// Creates the default limits.
  package init() {}
}
