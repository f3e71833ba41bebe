/// The end of a connection by a close frame.
package struct WebSocketClosure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The code: 1000 to 1011 are defined by RFC 6455, 4000 to 4999 are for programs.
  package let code: UInt16
  /// A text for people; the protocol allows 123 bytes of UTF-8, and longer texts are cut.
  package let reason: String
  /// True if the peer sent its close frame first.
  package let isFromPeer: Bool

  /// Creates a closure to send.
  package init(code: UInt16, reason: String = "") {
    precondition(
      [1000...1003, 1007...1011, 3000...4999].contains { $0.contains(code) },
      "the code \(code) must not be sent"
    )
    self.init(code: code, reason: reason, isFromPeer: false)
  }

  init(code: UInt16, reason: String, isFromPeer: Bool) {
    self.code = code
    self.reason = reason
    self.isFromPeer = isFromPeer
  }

  /// The connection has served its purpose.
  package static let normal = WebSocketClosure(code: 1000)
  /// The server is ending, or the program has released the connection.
  package static let goingAway = WebSocketClosure(code: 1001)

  package var description: String {
    let side = isFromPeer ? "by the peer" : "by this side"
    return reason.isEmpty ? "code \(code) \(side)" : "code \(code) \(side): \(reason)"
  }

  /// The reason as bytes, cut to the protocol's limit at a whole character.
  var reasonBytes: [UInt8] {
    var bytes: [UInt8] = []
    for character in reason {
      let next = Array(character.utf8)
      guard bytes.count + next.count <= 123 else { break }
      bytes += next
    }
    return bytes
  }
}
