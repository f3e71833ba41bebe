/// An error of a WebSocket server, a client or one of their connections.
package enum WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The package was built without libwebsockets.
  case libraryMissing
  /// A server cannot listen on an address.
  case cannotListen(address: String, reason: String)
  /// A file of a certificate, a key or authorities cannot be used.
  case unusableFile(path: String, reason: String)
  /// An address of a server is not a URL of WebSockets.
  case invalidAddress(String, reason: String)
  /// A header of a request cannot be sent.
  case invalidHeader(name: String, reason: String)
  /// No network address is known for the name of a server.
  case nameNotFound(address: String, reason: String)
  /// No server answers at an address.
  case unreachable(address: String, tried: [String])
  /// The certificate of a server is not valid for the address.
  case badCertificate(address: String, reason: String)
  /// A server answered a handshake with another HTTP status than 101.
  case refused(address: String, status: Int)
  /// A server does not speak TLS, HTTP or WebSocket as expected.
  case protocolViolation(address: String, reason: String)
  /// A client has reached its limit of connections.
  case tooManyConnections(address: String, limit: Int)
  /// A connection was not made within its time limit.
  case connectTimedOut(address: String, limit: Duration)
  /// The peer did not answer pings.
  case silent(address: String, limit: Duration)
  /// The connection ended without a close frame.
  case lost(address: String)
  /// The peer did not read: more bytes waited for it than the limit allows.
  case tooSlow(address: String, waitingBytes: Int, limit: Int)
  /// A message is larger than the connection's limit.
  case messageTooLarge(size: Int, limit: Int)
  /// The connection was closed, and sends nothing more.
  case closed(address: String, WebSocketClosure)
  /// The server or client that the connection belongs to has ended.
  case ended(address: String)

  package var description: String {
    switch self {
    case .libraryMissing:
      """
      this package was built without libwebsockets; install libwebsockets 4.1 or newer \
      ('apt-get install libwebsockets-dev' or 'brew install libwebsockets') and build again
      """
    case .cannotListen(let address, let reason):
      "cannot listen on '\(address)': \(reason)"
    case .unusableFile(let path, let reason):
      "cannot use the file '\(path)': \(reason)"
    case .invalidAddress(let address, let reason):
      """
      '\(address)' is not the address of a WebSocket server: \(reason); \
      use 'ws://HOST:PORT/PATH' or 'wss://HOST:PORT/PATH'
      """
    case .invalidHeader(let name, let reason):
      "cannot send the header '\(name)': \(reason)"
    case .nameNotFound(let address, let reason):
      """
      cannot connect to '\(address)': the host name has no network address (\(reason)); \
      check the spelling and the connection to the network
      """
    case .unreachable(let address, let tried):
      """
      cannot connect to '\(address)': no server accepts connections at \
      \(tried.map { "'\($0)'" }.joined(separator: ", ")); check the port, that the server runs, and firewalls
      """
    case .badCertificate(let address, let reason):
      """
      cannot connect to '\(address)': the certificate is not valid there (\(reason)); \
      check the host name, or give the file of the authority that issued the certificate
      """
    case .refused(let address, let status):
      "cannot connect to '\(address)': the server answered with HTTP status \(status)\(Self.advice(status))"
    case .protocolViolation(let address, let reason):
      """
      cannot connect to '\(address)': the peer is no WebSocket server as expected (\(reason)); \
      check the port, and whether the server uses TLS (wss://)
      """
    case .tooManyConnections(let address, let limit):
      """
      cannot connect to '\(address)': this client has \(limit) connections already; \
      close some, or use another client
      """
    case .connectTimedOut(let address, let limit):
      """
      cannot connect to '\(address)': there was no complete answer within \(limit); \
      check the address, or allow more time
      """
    case .silent(let address, let limit):
      "the connection with '\(address)' ended: the peer sent nothing for \(limit), nor answered pings; connect again"
    case .lost(let address):
      "the connection with '\(address)' ended without a close frame; connect again"
    case .tooSlow(let address, let waitingBytes, let limit):
      """
      the connection with '\(address)' was closed: \(waitingBytes) bytes waited for the peer, \
      the limit is \(limit); send less, or wait with 'send'
      """
    case .messageTooLarge(let size, let limit):
      "a message has \(size) bytes, the limit of the connection is \(limit); send it in parts"
    case .closed(let address, let closure):
      "the connection with '\(address)' is closed (\(closure)); connect again to send"
    case .ended(let address):
      "the connection with '\(address)' ended with the server or client that it belongs to; connect again"
    }
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: "; redirections are not followed, use the address that the server names"
    case 401, 403: "; check the credentials"
    case 404: "; check the path"
    case 429, 503: "; the server has too many connections, try again later"
    default: ", not 101; check the path and the subprotocol"
    }
  }
}
