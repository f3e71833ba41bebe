import Foundation
import ObjectBoxTestSupport
import ObjectBoxWebSockets

/// An authority that `openssl` makes in a temporary folder, and the certificates that it issues.
final class Authority: Sendable {
  let directory: TemporaryDirectory
  var path: String { directory.path + "/authority.pem" }

  init() throws {
    directory = try TemporaryDirectory()
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=Test -keyout authority.key "
        + "-out authority.pem"
    )
  }

  /// Issues a certificate.
  func certificate(for name: String, validity: String = "-days 30") throws -> WebSocketCertificate {
    let file = UUID().uuidString
    try directory.write("subjectAltName=\(name)\n", to: file + ".txt")
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server -keyout \(file).key -out \(file).request"
    )
    try directory.write("", to: "index.txt")
    try directory.write("01", to: "serial")
    try directory.write(
      """
      [ca]
      default_ca = test
      [test]
      database = index.txt
      serial = serial
      new_certs_dir = .
      default_md = sha256
      policy = policy
      unique_subject = no
      [policy]
      commonName = supplied
      """,
      to: "configuration"
    )
    try openssl(
      "ca -batch -config configuration -cert authority.pem -keyfile authority.key "
        + "-in \(file).request -out \(file).pem -extfile \(file).txt -notext \(validity)"
    )
    return WebSocketCertificate(
      chainPath: directory.path + "/\(file).pem",
      keyPath: directory.path + "/\(file).key"
    )
  }

  private func openssl(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = directory.url
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RawSocketError(reason: text) }
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
