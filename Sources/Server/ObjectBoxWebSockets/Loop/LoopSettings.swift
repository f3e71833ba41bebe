/// The settings of a loop.
struct LoopSettings: Sendable {
  /// The settings of a listening server.
  struct Listening: Sendable {
    let address: String
    let port: Int
    let certificate: WebSocketCertificate?
    /// Counts the connections of all loops.
    let tally: ConnectionTally
    let subprotocols: [String]
    let headers: [String]
    /// Decides on requests, on the loop's thread; returns a refusal or nil.
    let screen: @Sendable (WebSocketRequest) -> WebSocketRefusal?
    /// Receives an open connection, on the loop's thread.
    let accept: @Sendable (Channel, WebSocketRequest) -> Void
    /// Receives the error of a further loop that did not start.
    let report: @Sendable (any Error) -> Void
    /// True if new connections are refused.
    let isDraining: @Sendable () -> Bool
  }

  /// The work of a loop.
  enum Role: Sendable {
    /// Accepts the connections of a port, for other loops.
    case accepting
    /// Serves connections that another loop has accepted.
    case serving
    /// Serves connections of clients.
    case connecting
  }

  /// The greatest number of connections of a loop.
  ///
  /// At each event, the library visits all connections of its thread.
  static let maximumConnections = 240

  let limits: WebSocketLimits
  /// Nil for clients.
  let listening: Listening?
  /// The subprotocol that clients ask for.
  var subprotocol: String?
  /// The file of the authorities that clients trust; nil for the system's.
  var authorities: String?
  /// The files of further authorities that clients trust.
  var additionalAuthorities: [String] = []
  /// The SHA-256 of public keys, one of which the servers of clients must have; empty for any key.
  var pins: [[UInt8]] = []
  /// The HTTP proxy of clients; nil for none.
  var proxy: WebSocketProxy?

  var isServer: Bool { listening != nil }

  /// The first name is used for connections without a subprotocol.
  var protocolNames: [String] {
    ["objectbox-none"] + (listening?.subprotocols ?? subprotocol.map { [$0] } ?? [])
  }
}

/// An HTTP proxy that opens connections by `CONNECT`.
package struct WebSocketProxy: Sendable, Equatable {
  /// The host or network address.
  package let host: String
  /// The port.
  package let port: UInt16

  /// Creates a proxy.
  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }
}

/// The files of a server's certificate.
package struct WebSocketCertificate: Sendable, Equatable {
  /// The path of the certificate and its intermediates, in PEM.
  package let chainPath: String
  /// The path of the private key, in PEM.
  package let keyPath: String

  /// Creates a pair of paths.
  package init(chainPath: String, keyPath: String) {
    self.chainPath = chainPath
    self.keyPath = keyPath
  }
}
