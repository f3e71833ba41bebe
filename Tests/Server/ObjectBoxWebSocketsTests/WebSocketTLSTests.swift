import Foundation
import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketTLSTests {
  @Test(arguments: ["DNS:localhost", "IP:127.0.0.1"])
  func `messages pass through TLS`(name: String) async throws {
    let authority = try Authority()
    let server = try await authority.server(for: name)
    let host = String(name.split(separator: ":")[1])
    let connection = try await authority.client().connect(to: "wss://\(host):\(server.port)/")
    for size in [0, 1, 70_000, 5_000_000] {
      try await connection.send(bytes(size))
      #expect(try await connection.receive() == bytes(size))
    }
    connection.close()
    #expect(try await connection.ended().code == 1000)
  }

  @Test func `a consumer that takes slowly gets every message through TLS`() async throws {
    let authority = try Authority()
    var settings = WebSocketServer.Configuration()
    settings.certificate = try authority.certificate(for: "DNS:localhost")
    settings.limits.receiveBuffer = 10_000
    let server = try await WebSocketServer.start(settings) { connection in
      for index in 0..<3000 {
        #expect(try await connection.receive() == bytes(1000, seed: UInt8(index % 256)))
        if index % 7 == 0 { await Task.yield() }
      }
      try await connection.send([9])
    }
    let connection = try await authority.client().connect(to: "wss://localhost:\(server.port)/")
    for index in 0..<3000 {
      try await connection.send(bytes(1000, seed: UInt8(index % 256)))
    }
    #expect(try await connection.receive() == [9])
  }

  @Test func `a server whose files are gone tells why it serves no more connections`() async throws
  {
    let authority = try Authority()
    var settings = WebSocketServer.Configuration()
    let certificate = try authority.certificate(for: "DNS:localhost")
    settings.certificate = certificate
    let reports = AsyncStream<(any Error, WebSocketRequest?)>.makeStream()
    let server = try await WebSocketServer.start(
      settings,
      admit: { _ in },
      serve: { connection, _ in try await EchoServer.echo(connection) },
      report: { reports.continuation.yield(($0, $1)) }
    )
    try FileManager.default.removeItem(atPath: certificate.keyPath)
    let clients = [try await authority.client(), try await authority.client()]
    var connections: [WebSocketConnection] = []
    await #expect(throws: WebSocketError.self) {
      for number in 0...WebSocketClient.maximumConnections {
        let url = "wss://localhost:\(server.port)/"
        connections.append(try await clients[number % 2].connect(to: url))
      }
    }
    #expect(connections.count == WebSocketClient.maximumConnections)
    var iterator = reports.stream.makeAsyncIterator()
    let (error, request) = try #require(await iterator.next())
    #expect(error is WebSocketError)
    #expect(request == nil)
    try await connections[0].send([1])
    #expect(try await connections[0].receive() == [1])
  }

  @Test func `a certificate for another host is refused`() async throws {
    let authority = try Authority()
    let server = try await authority.server(for: "DNS:other.example")
    let url = "wss://localhost:\(server.port)/"
    let client = try await authority.client()
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    #expect(error == .badCertificate(address: url, reason: "hostname mismatch"))
  }

  @Test func `a certificate for another address is refused`() async throws {
    let authority = try Authority()
    let server = try await authority.server(for: "DNS:localhost")
    let url = "wss://127.0.0.1:\(server.port)/"
    let client = try await authority.client()
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    #expect(error == .badCertificate(address: url, reason: "IP address mismatch"))
  }

  @Test func `a certificate of an unknown authority is refused`() async throws {
    let server = try await Authority().server(for: "DNS:localhost")
    let url = "wss://localhost:\(server.port)/"
    let reason = "unable to get local issuer certificate"
    for client in [try await Authority().client(), try await WebSocketClient.start()] {
      let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
      guard case .badCertificate(url, let found) = error else {
        Issue.record("the error is \(String(describing: error))")
        continue
      }
      #expect([reason, "certificate signature failure"].contains(found))
    }
  }

  @Test func `additional authorities are trusted beside the others`() async throws {
    let authorities = [try Authority(), try Authority(), try Authority()]
    let folder = try TemporaryDirectory()
    for (index, authority) in authorities.enumerated() {
      let text = try String(contentsOfFile: authority.path, encoding: .utf8)
      try folder.write(text, to: "\(index).pem")
    }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/folder",
      withIntermediateDirectories: true
    )
    let files = authorities.map(\.path)
    for additional in [[files[1], files[2]], [folder.path]] {
      var settings = WebSocketClient.Configuration()
      settings.authoritiesPath = files[0]
      settings.additionalAuthorities = additional
      let client = try await WebSocketClient.start(settings)
      for authority in authorities {
        let server = try await authority.server(for: "DNS:localhost")
        let connection = try await client.connect(to: "wss://localhost:\(server.port)/")
        try await connection.send([1])
        #expect(try await connection.receive() == [1])
      }
    }
  }

  @Test func `a self-signed certificate is trusted as its own authority`() async throws {
    let authority = try Authority()
    var settings = WebSocketServer.Configuration()
    settings.certificate = try authority.selfSigned(for: "DNS:localhost")
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    var trusting = WebSocketClient.Configuration()
    trusting.additionalAuthorities = [settings.certificate?.chainPath ?? ""]
    let client = try await WebSocketClient.start(trusting)
    let connection = try await client.connect(to: "wss://localhost:\(server.port)/")
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test
  func `a pin is the hash that openssl tells of the server's key, and another one is refused`()
    async throws
  {
    let authority = try Authority()
    let files = try authority.files(for: "DNS:localhost")
    var settings = WebSocketServer.Configuration()
    settings.certificate = WebSocketCertificate(chainPath: files.certificate, keyPath: files.key)
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    try authority.openssl("pkey -in \(files.key) -pubout -outform DER -out key.der")
    try authority.openssl("dgst -sha256 -binary -out pin key.der")
    let pin = Array(try Data(contentsOf: URL(fileURLWithPath: authority.directory.path + "/pin")))
    let other = [UInt8](repeating: 7, count: 32)
    let stranger = try Authority()
    let url = "wss://localhost:\(server.port)/"
    for (pins, path, isTrusted) in [
      ([pin], authority.path, true), ([other, pin], authority.path, true),
      ([other], authority.path, false), ([pin], stranger.path, false),
    ] {
      var trusting = WebSocketClient.Configuration()
      trusting.authoritiesPath = path
      trusting.pins = pins
      let client = try await WebSocketClient.start(trusting)
      guard !isTrusted else {
        _ = try await client.connect(to: url)
        continue
      }
      let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
      guard case .badCertificate(url, let reason) = error else {
        Issue.record("the error is \(String(describing: error))")
        continue
      }
      #expect(reason.contains(Data(pin).base64EncodedString()) == (pins == [other]), "\(reason)")
    }
  }

  @Test func `a renewed certificate serves later connections, and open ones go on`() async throws {
    let (old, new) = (try Authority(), try Authority())
    var settings = WebSocketServer.Configuration()
    let certificate = try old.certificate(for: "DNS:localhost")
    settings.certificate = certificate
    let server = try await WebSocketServer.start(settings, serve: EchoServer.echo)
    let url = "wss://localhost:\(server.port)/"
    let open = try await old.client().connect(to: url)
    let renewed = try new.certificate(for: "DNS:localhost")
    // A certificate without its key is refused, and changes nothing.
    try copy(renewed.chainPath, to: certificate.chainPath)
    #expect(throws: WebSocketError.self) { try server.renewCertificate() }
    _ = try await old.client().connect(to: url)
    try copy(renewed.keyPath, to: certificate.keyPath)
    try server.renewCertificate()
    // The threads of the server take it one after another.
    let client = try await new.client()
    while true {
      if (try? await client.connect(to: url)) != nil { break }
    }
    await #expect(throws: WebSocketError.self) { try await old.client().connect(to: url) }
    try await open.send([1])
    #expect(try await open.receive() == [1])
  }

  private func copy(_ path: String, to target: String) throws {
    try FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
  }

  @Test(arguments: [
    ("-startdate 20010101000000Z -enddate 20020101000000Z", "certificate has expired"),
    ("-startdate 20980101000000Z -enddate 20990101000000Z", "certificate is not yet valid"),
  ])
  func `a certificate is refused outside of its time`(
    validity: String,
    reason: String
  ) async throws {
    let authority = try Authority()
    let server = try await authority.server(for: "DNS:localhost", validity: validity)
    let url = "wss://localhost:\(server.port)/"
    let client = try await authority.client()
    let error = await #expect(throws: WebSocketError.self) { try await client.connect(to: url) }
    #expect(error == .badCertificate(address: url, reason: reason))
  }

  @Test func `a client without TLS gets no answer of a server with TLS`() async throws {
    let authority = try Authority()
    let server = try await authority.server(for: "DNS:localhost")
    let client = try await authority.client()
    await #expect(throws: WebSocketError.self) { try await client.connect(to: server.url) }
  }

  @Test func `a client with TLS refuses a server without TLS`() async throws {
    let echo = try await EchoServer()
    let url = "wss://127.0.0.1:\(echo.server.port)/"
    let error = await #expect(throws: WebSocketError.self) {
      try await echo.client.connect(to: url)
    }
    guard case .protocolViolation = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }

  @Test func `files that cannot be used are told`() async throws {
    let authority = try Authority()
    let good = try authority.certificate(for: "DNS:localhost")
    let other = try authority.certificate(for: "DNS:localhost")
    let missing = authority.directory.path + "/missing.pem"
    let text = try authority.directory.write("no certificate", to: "text.pem")
    for certificate in [
      WebSocketCertificate(chainPath: missing, keyPath: good.keyPath),
      WebSocketCertificate(chainPath: text, keyPath: good.keyPath),
      WebSocketCertificate(chainPath: good.chainPath, keyPath: other.keyPath),
    ] {
      var settings = WebSocketServer.Configuration()
      settings.certificate = certificate
      let error = await #expect(throws: WebSocketError.self) {
        try await WebSocketServer.start(settings, serve: EchoServer.echo)
      }
      guard case .unusableFile(certificate.chainPath, _) = error else {
        Issue.record("the error is \(String(describing: error))")
        continue
      }
    }
    for (path, isAdditional) in [(missing, false), (text, false), (missing, true), (text, true)] {
      var settings = WebSocketClient.Configuration()
      settings.authoritiesPath = isAdditional ? nil : path
      settings.additionalAuthorities = isAdditional ? [path] : []
      let error = await #expect(throws: WebSocketError.self) {
        try await WebSocketClient.start(settings)
      }
      guard case .unusableFile(path, _) = error else {
        Issue.record("the error is \(String(describing: error))")
        continue
      }
    }
  }

  @Test(.tags(.slow))
  func `a peer that never speaks TLS harms only its own connection`() async throws {
    let authority = try Authority()
    let server = try await authority.server(for: "DNS:localhost")
    let garbage = try RawSocket(port: server.port)
    try garbage.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    _ = try await garbage.read()
    let silent = try RawSocket(port: server.port)
    let client = try await authority.client()
    let connection = try await client.connect(to: "wss://localhost:\(server.port)/")
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
    #expect(try await silent.read().isEmpty)
  }
}
