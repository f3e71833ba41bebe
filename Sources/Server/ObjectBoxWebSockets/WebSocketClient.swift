internal import Dispatch

/// A client of WebSockets, with one thread for all its connections.
///
/// A class, since it owns the thread, which ends with the last reference to the client and its connections. It
/// reconnects only on request.
package final class WebSocketClient: Sendable {
  /// The settings of a client.
  package struct Configuration: Sendable {
    /// The subprotocol to ask for; nil for none.
    package var subprotocol: String?
    /// The path of certificates of authorities, in PEM, that are trusted in place of the system's.
    package var authoritiesPath: String?
    /// Files with certificates of further authorities in PEM, or folders of such files.
    package var additionalAuthorities: [String] = []
    /// The SHA-256 of public keys (SubjectPublicKeyInfo).
    ///
    /// A server with TLS must have one of them and a valid certificate. Empty for any key.
    package var pins: [[UInt8]] = []
    /// The HTTP proxy that opens the connections; nil for none.
    package var proxy: WebSocketProxy?
    /// The limits of each connection.
    package var limits = WebSocketLimits()

    /// Creates the default settings.
    package init() {}
  }

  /// The greatest number of connections of one client.
  package static let maximumConnections = LoopSettings.maximumConnections

  private let keeper: LoopKeeper
  private let limits: WebSocketLimits
  private let hasProxy: Bool

  private init(_ keeper: LoopKeeper, _ configuration: Configuration) {
    self.keeper = keeper
    limits = configuration.limits
    hasProxy = configuration.proxy != nil
  }

  /// Throws ``WebSocketError/invalidHeader(name:reason:)`` for headers that no request can have.
  package static func check(
    _ headers: [(name: String, value: String)]
  ) throws(WebSocketError) {
    try ConnectAttempt.check(headers)
  }

  /// Starts a client.
  ///
  /// - Returns: The client.
  /// - Throws: ``WebSocketError`` when the authorities cannot be used.
  package static func start(
    _ configuration: Configuration = Configuration()
  ) async throws -> WebSocketClient {
    if let path = configuration.authoritiesPath { try FileCheck.readable(path) }
    let additional = try configuration.additionalAuthorities.flatMap(FileCheck.files)
    let loop = ServiceLoop(
      LoopSettings(
        limits: configuration.limits,
        listening: nil,
        subprotocol: configuration.subprotocol,
        authorities: configuration.authoritiesPath,
        additionalAuthorities: additional,
        pins: configuration.pins,
        proxy: try await numeric(configuration.proxy)
      ),
      .connecting
    )
    _ = try await loop.start()
    return WebSocketClient(LoopKeeper(loop), configuration)
  }

  /// Returns a proxy by its network address.
  private static func numeric(_ proxy: WebSocketProxy?) async throws -> WebSocketProxy? {
    guard let proxy else { return nil }
    // The system's resolver blocks its thread.
    let addresses = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try SocketProbe.addresses(of: proxy.host, for: proxy.host) }
        )
      }
    }
    return addresses.first.map { WebSocketProxy(host: $0, port: proxy.port) }
  }

  /// Opens a connection.
  ///
  /// A server's certificate must be valid for the host. Redirections are not followed.
  ///
  /// - Parameters:
  ///   - url: An address of the form `ws://HOST:PORT/PATH` or `wss://HOST:PORT/PATH`. Errors name it without its query.
  ///   - headers: Headers of the request, in addition to the protocol's headers.
  /// - Returns: The open connection.
  /// - Throws: ``WebSocketError`` if there is no connection within `handshakeTime`, and `CancellationError` when the
  ///   task is cancelled.
  package func connect(
    to url: String,
    headers: [(name: String, value: String)] = []
  ) async throws -> WebSocketConnection {
    let attempt = try ConnectAttempt(url, headers)
    let url = attempt.url
    let loop = keeper.loop
    let channel = loop.makeChannel(url)
    let limit = limits.handshakeTime
    let timer = Task {
      try await Task.sleep(for: limit)
      channel.failUnlessOpen(.connectTimedOut(address: url, limit: limit))
    }
    defer { timer.cancel() }
    // The system's resolver blocks its thread.
    DispatchQueue.global().async { [hasProxy] in
      do throws(WebSocketError) {
        var attempt = attempt
        // A proxy resolves the host itself.
        attempt.addresses =
          hasProxy ? [attempt.host] : try SocketProbe.addresses(of: attempt.host, for: url)
        loop.post(.connect(attempt, channel))
      } catch {
        channel.end(.failure(error))
      }
    }
    do {
      let subprotocol = try await channel.opened()
      let request = WebSocketRequest(
        path: attempt.path,
        query: "",
        subprotocol: subprotocol,
        address: attempt.host,
        headers: [:]
      )
      return WebSocketConnection(channel, request, keeper)
    } catch {
      channel.fail(.ended(address: url))
      throw error
    }
  }
}
