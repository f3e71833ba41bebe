/// The request of a client for a connection.
struct ConnectAttempt: Sendable {
  /// The address for errors, without secrets.
  let url: String
  let host: String
  let port: Int
  let path: String
  let usesTLS: Bool
  let headers: [(name: String, value: String)]
  /// The network addresses of the host that were not tried yet.
  var addresses: [String]
  var tried: [String] = []

  /// The value of the header `Host`, which the library also compares with the certificate.
  var hostHeader: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (usesTLS ? 443 : 80) ? name : "\(name):\(port)"
  }
}
