import ObjectBoxTestSupport
import ObjectBoxWebSockets

extension Authority {
  /// Issues a certificate.
  func certificate(for name: String, validity: String = "-days 30") throws -> WebSocketCertificate {
    let files = try files(for: name, validity: validity)
    return WebSocketCertificate(chainPath: files.certificate, keyPath: files.key)
  }

  /// Makes a certificate that no authority has issued.
  func selfSigned(for name: String) throws -> WebSocketCertificate {
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=server "
        + "-addext subjectAltName=\(name) -keyout self.key -out self.pem"
    )
    return WebSocketCertificate(
      chainPath: directory.path + "/self.pem",
      keyPath: directory.path + "/self.key"
    )
  }

  /// Starts an echo server with a certificate.
  func server(for name: String, validity: String = "-days 30") async throws -> WebSocketServer {
    var settings = WebSocketServer.Configuration()
    settings.certificate = try certificate(for: name, validity: validity)
    settings.limits.handshakeTime = .seconds(5)
    return try await WebSocketServer.start(settings, serve: EchoServer.echo)
  }

  /// Starts a client that trusts this authority.
  func client() async throws -> WebSocketClient {
    var settings = WebSocketClient.Configuration()
    settings.authoritiesPath = path
    return try await WebSocketClient.start(settings)
  }
}
