/// The settings of a loop.
struct LoopSettings: Sendable {
  /// The part of a server.
  struct Listening: Sendable {
    let address: String
    let port: Int
    let certificate: WebSocketCertificate?
    /// Counts the connections of all loops.
    let tally: ConnectionTally
    let subprotocols: [String]
    let headers: [String]
    /// Refuses requests on the loop's thread.
    let screen: @Sendable (WebSocketRequest) -> WebSocketRefusal?
    /// Takes a connection that is open, on the loop's thread.
    let accept: @Sendable (Channel, WebSocketRequest) -> Void
    /// Hears why a loop for more connections did not start.
    let report: @Sendable (any Error) -> Void
    /// Whether new connections are refused.
    let isDraining: @Sendable () -> Bool
  }

  /// The work of a loop.
  enum Role: Sendable {
    /// Accepts the connections of a port, for other loops.
    case accepting
    /// Serves connections that another loop has accepted.
    case serving
    /// Has connections of clients.
    case connecting
  }

  /// The greatest number of connections of a loop.
  ///
  /// With each event, the library looks at all connections of its thread.
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
  /// The SHA-256 of the public keys, one of which the servers of clients must have; empty for any.
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
