#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
#endif

/// A server of WebSockets, with one thread that accepts connections, one thread for every 240 of them, and a task for
/// each.
///
/// A class, since it owns the threads and the port. A server without references ends at once.
package final class WebSocketServer: Sendable {
  /// The settings of a server.
  package struct Configuration: Sendable {
    /// The numeric network address to listen on; `0.0.0.0` and `::` for all.
    package var address = "127.0.0.1"
    /// The port to listen on; 0 for any free port.
    package var port = 0
    /// The certificate of a server with TLS; nil without TLS.
    package var certificate: WebSocketCertificate?
    /// The subprotocols, one of which a client must offer; if empty, clients that offer any are refused.
    package var subprotocols: [String] = []
    /// The names of the headers that ``WebSocketRequest/header(_:)`` returns.
    package var headers = ["authorization"]
    /// The greatest number of connections, counted from the moment at which TCP accepts them.
    package var maximumConnections = 10_000
    /// The greatest number of connections of one network address.
    package var maximumConnectionsByAddress = 10_000
    /// The greatest number of connections of one network address whose request has not arrived yet; further ones are
    /// closed.
    package var maximumPendingByAddress = 10_000
    /// The limits of each connection.
    package var limits = WebSocketLimits()

    /// Creates the default settings.
    package init() {}
  }

  /// The port that the server listens on.
  package let port: Int
  private let keeper: LoopKeeper
  private let sessions: Sessions

  private init(_ port: Int, _ keeper: LoopKeeper, _ sessions: Sessions) {
    self.port = port
    self.keeper = keeper
    self.sessions = sessions
  }

  /// Throws ``WebSocketError/libraryMissing`` in a build without libwebsockets.
  package static func checkLibrary() throws(WebSocketError) {
    #if !OBJECTBOX_WEBSOCKETS
      throw .libraryMissing
    #endif
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - screen: Refuses requests by an HTTP status. It runs on the thread of the connection and must
  ///     not wait.
  ///   - admit: Determines the user of a connection. It runs after the upgrade, when the client's connection is open,
  ///     since the library cannot wait before that; a thrown ``WebSocketRefusal`` closes the connection with its code
  ///     and reason.
  ///   - serve: Serves a connection. When it returns, the connection is closed with code 1000; when it throws, with the
  ///     code of a ``WebSocketClosure``, or else 1011. Its task is cancelled when the time limit of `stop` has passed.
  ///   - report: Receives other errors of `admit` and `serve`, which are not sent to the client. Without a request, a
  ///     thread for more connections did not start, and a connection has ended: each thread reads the files of the
  ///     certificate.
  /// - Returns: The listening server.
  /// - Throws: ``WebSocketError`` when the server cannot listen or use its certificate.
  package static func start<User: Sendable>(
    _ configuration: Configuration,
    screen: @escaping @Sendable (WebSocketRequest) -> WebSocketRefusal? = { _ in nil },
    admit: @escaping @Sendable (WebSocketRequest) async throws -> User,
    serve: @escaping @Sendable (WebSocketConnection, User) async throws -> Void,
    report: @escaping @Sendable (any Error, WebSocketRequest?) -> Void
  ) async throws -> WebSocketServer {
    if let certificate = configuration.certificate {
      try FileCheck.readable(certificate.chainPath)
      try FileCheck.readable(certificate.keyPath)
    }
    let sessions = Sessions(report) { connection in
      try await serve(connection, admit(connection.request))
    }
    let listening = LoopSettings.Listening(
      address: configuration.address,
      port: configuration.port,
      certificate: configuration.certificate,
      tally: ConnectionTally(
        limit: configuration.maximumConnections,
        byAddress: configuration.maximumConnectionsByAddress,
        pending: configuration.maximumPendingByAddress
      ),
      subprotocols: configuration.subprotocols,
      headers: configuration.headers,
      screen: screen,
      accept: { sessions.begin($0, $1) },
      report: { report($0, nil) },
      isDraining: { sessions.isDraining }
    )
    let settings = LoopSettings(limits: configuration.limits, listening: listening)
    let loop = ServiceLoop(settings, .accepting)
    let keeper = LoopKeeper(loop)
    return WebSocketServer(try await loop.start(), keeper, sessions)
  }

  /// The number of open connections.
  package var connectionCount: Int { sessions.count }

  /// Reads the files of the certificate again, for later connections.
  ///
  /// - Throws: ``WebSocketError`` if the files cannot be used; the server keeps the previous certificate.
  package func renewCertificate() throws {
    #if OBJECTBOX_WEBSOCKETS
      guard let certificate = keeper.loop.settings.listening?.certificate else { return }
      try FileCheck.readable(certificate.chainPath)
      try FileCheck.readable(certificate.keyPath)
      guard obx_ws_is_pair(certificate.chainPath, certificate.keyPath) else {
        let reason =
          "it is no certificate in PEM, or does not belong to the key '\(certificate.keyPath)'"
        throw WebSocketError.unusableFile(path: certificate.chainPath, reason: reason)
      }
      keeper.loop.post(.renewCertificate)
    #endif
  }

  /// Ends the server: refuses new connections, sends waiting messages, and closes each connection with code 1001.
  ///
  /// - Parameter limit: The time after which the remaining connections are cut, and their tasks are cancelled.
  package func stop(within limit: Duration) async {
    let sessions = sessions
    sessions.drain()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await sessions.allEnded() }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    sessions.cancelAll()
    keeper.loop.post(.stop)
    await keeper.loop.stopped()
  }
}
