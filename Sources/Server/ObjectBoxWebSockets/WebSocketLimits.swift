/// The limits of connections.
package struct WebSocketLimits: Sendable, Equatable {
  /// The greatest size of a message in bytes, in both directions.
  ///
  /// A peer that sends more is closed with code 1009.
  package var messageSize = 16 << 20
  /// The number of received bytes that may wait for the program.
  ///
  /// Above it, the connection is not read until the program has taken half of them.
  package var receiveBuffer = 1 << 20
  /// The number of bytes that may wait for the peer before `send` suspends.
  package var sendBuffer = 1 << 20
  /// The number of bytes that may wait for the peer after `post`.
  ///
  /// Above it, the connection is closed.
  package var postBuffer = 16 << 20
  /// The time for TCP, TLS and HTTP until the connection is open.
  package var handshakeTime = Duration.seconds(20)
  /// The time without received bytes after which a ping is sent.
  package var pingInterval = Duration.seconds(30)
  /// The time without received bytes after which the connection ends; more than `pingInterval`.
  package var silence = Duration.seconds(75)
  /// The time for sending waiting messages, and for the peer's close frame, after a connection is closed.
  package var closeTime = Duration.seconds(5)

  /// Creates the default limits.
  package init() {}
}

extension WebSocketLimits {
  /// Returns the delay of a timer, rounded up to a time that timers of other connections share.
  ///
  /// - Parameters:
  ///   - delay: The shortest delay in microseconds; less than 1 counts as 1.
  ///   - now: The present time in microseconds.
  /// - Returns: At most a quarter of a second more than `delay`, and at most an eighth of the shortest limit more.
  func commonDelay(_ delay: Int64, at now: Int64) -> Int64 {
    let shortest = min(handshakeTime, pingInterval, silence, closeTime).microseconds
    let step = max(1, min(250_000, shortest / 8))
    let delay = max(1, delay)
    let rest = (now + delay) % step
    return rest == 0 ? delay : delay + step - rest
  }
}

extension Duration {
  /// At least one microsecond: for the library, 0 means "never".
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(1, min(seconds, 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
