internal import Foundation
public import ObjectBoxCluster
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema
internal import ObjectBoxWebSockets

/// A server that keeps copies of parts of a cluster on many devices.
///
///     let server = SyncServer(
///       cluster: cluster,
///       listen: .init(port: 9999),
///       authenticate: .sharedSecret(secret)
///     ) {
///       rule(Errand.self) { user in Errand.owner == user.id }
///       write(Errand.self) { user in Errand.owner == user.id }
///     }
///     try await server.run()
///
/// Devices connect with `Sync.makeClient` of the module ObjectBoxSync. Everything durable is in the database: any
/// number of servers may run in parallel, and each device may use any of them.
public struct SyncServer: Sendable {
  /// The address at which a server listens.
  public struct Address: Sendable {
    /// The numeric network address: `127.0.0.1` for devices on this machine, `0.0.0.0` or `::` for all.
    public var host: String
    /// The port; 0 for any free one.
    public var port: Int
    /// The file of the certificate and of its authorities, in PEM; nil for connections without TLS.
    ///
    /// When this file or the key's file changes, later connections get the new certificate within ten seconds.
    public var certificate: String?
    /// The file of the certificate's private key, in PEM.
    public var key: String?

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: The numeric network address.
    ///   - port: The port; 0 for any free one.
    ///   - certificate: The file of the certificate, in PEM; nil for connections without TLS.
    ///   - key: The file of its private key, in PEM.
    public init(
      host: String = "127.0.0.1",
      port: Int,
      certificate: String? = nil,
      key: String? = nil
    ) {
      self.host = host
      self.port = port
      self.certificate = certificate
      self.key = key
    }
  }

  private let cluster: Cluster
  private let address: Address
  private let authentication: SyncAuthentication
  private let limits: Limits
  private let rules: [SyncRule]
  private let report: @Sendable (any Error) -> Void

  /// Creates a server, which does not run yet.
  ///
  /// - Parameters:
  ///   - cluster: The cluster; its role must own the tables, since the server adds triggers.
  ///   - listen: The address to listen at.
  ///   - authenticate: The way in which users are identified.
  ///   - limits: The limits of devices and users.
  ///   - report: Receives errors that concern no device, and errors of the database that ended sessions. Without it
  ///     they are written to standard error.
  ///   - rules: The objects that users may see and write.
  public init(
    cluster: Cluster,
    listen: Address,
    authenticate: SyncAuthentication,
    limits: Limits = Limits(),
    report: (@Sendable (any Error) -> Void)? = nil,
    @SyncRulesBuilder rules: () -> [SyncRule]
  ) {
    self.cluster = cluster
    address = listen
    authentication = authenticate
    self.limits = limits
    self.rules = rules()
    self.report =
      report ?? { FileHandle.standardError.write(Data("ObjectBox sync server: \($0)\n".utf8)) }
  }

  /// Throws ``SyncServerError/cannotListen(message:)`` in a build without libwebsockets.
  package static func checkLibrary() throws {
    do {
      try WebSocketServer.checkLibrary()
    } catch {
      throw SyncServerError.cannotListen(message: "\(error)")
    }
  }

  /// Serves devices until the task is cancelled.
  ///
  /// - Throws: ``SyncServerError``; `ClusterError` when the database cannot be prepared;
  ///   `CancellationError`.
  public func run() async throws {
    let running = try await start()
    do {
      try await Task.sleep(for: .seconds(Int64.max / 2))
    } catch {
      await running.stop()
      throw error
    }
  }

  /// Starts to serve devices.
  ///
  /// Adds the missing tables, columns and triggers of synchronization to the cluster's schema.
  ///
  /// - Returns: The running server; it ends when it is stopped or released.
  /// - Throws: ``SyncServerError``; `ClusterError` when the database cannot be prepared.
  public func start() async throws -> RunningSyncServer {
    if let fault = authentication.fault { throw fault }
    // Before any change of the database.
    try Self.checkLibrary()
    // With only one of the files, connections would have no TLS, and the mistake would go unnoticed.
    guard (address.certificate == nil) == (address.key == nil) else {
      throw SyncServerError.cannotListen(
        message: address.key == nil
          ? "the address has a certificate without its private key; set 'key' to the key's file"
          : "the address has a private key without a certificate; set 'certificate' to its file"
      )
    }
    do {
      let rules = try ServedRules(
        rules,
        ServerLog(cluster),
        of: cluster,
        limit: limits.usable.scopes
      )
      let serverLog = try await ServerLogSchema(cluster, logging: rules.compared).run {
        report(SyncServerError.unloggedChanges(message: $0.message))
      }
      let core = ServerCore(
        cluster: cluster,
        serverLog: serverLog,
        rules: rules,
        authentication: authentication,
        limits: limits.usable,
        report: report
      )
      return try await RunningSyncServer(core, address)
    } catch let error as ServerLogError {
      throw SyncServerError.unusableDatabase(message: error.message)
    } catch let error as WebSocketError {
      throw SyncServerError.cannotListen(message: error.description)
    }
  }
}

/// A server that serves devices; see ``SyncServer/start()``.
public final class RunningSyncServer: Sendable {
  /// The port that the server listens on.
  public let port: Int
  let core: ServerCore
  private let sockets: WebSocketServer
  private let work: [Task<Void, Never>]
  /// The time between two checks of the certificate's files.
  private static let certificateInterval = Duration.seconds(10)

  init(_ core: ServerCore, _ address: SyncServer.Address) async throws {
    self.core = core
    var configuration = WebSocketServer.Configuration()
    configuration.address = address.host
    configuration.port = address.port
    if let certificate = address.certificate, let key = address.key {
      configuration.certificate = WebSocketCertificate(chainPath: certificate, keyPath: key)
    }
    configuration.subprotocols = [SyncConnection.subprotocol]
    configuration.maximumConnections = core.limits.connections
    configuration.maximumConnectionsByAddress = core.limits.connections
    configuration.maximumPendingByAddress = core.limits.silentByAddress
    configuration.limits.messageSize = SyncConnection.frameSize
    configuration.headers = ["origin"]
    sockets = try await WebSocketServer.start(
      configuration,
      // Web browsers name the site of a page, whose user may not know that it connects to this server.
      screen: { request in
        request.header("origin").map {
          WebSocketRefusal(
            status: 403,
            reason: "this server serves programs, and no page of '\($0.prefix(100))'"
          )
        }
      },
      admit: { _ in },
      serve: { connection, _ in try await core.serve(connection) },
      report: { error, _ in core.tell(error) }
    )
    port = sockets.port
    let certificates = Task { [sockets] in
      var files = CertificateFiles([address.certificate, address.key].compactMap { $0 })
      while (try? await Task.sleep(for: Self.certificateInterval)) != nil {
        guard files.haveChanged() else { continue }
        do { try sockets.renewCertificate() } catch { core.tell(error) }
      }
    }
    work = [Task { await core.work() }, certificates]
  }

  deinit { for task in work { task.cancel() } }

  /// The number of connected devices.
  public var deviceCount: Int { core.sessionCount }

  /// Returns the work of the server since its start, and the devices that are connected now.
  ///
  /// Costs time in proportion to the number of devices. The figures contain names of users, so consider who may see
  /// them: see ``SyncServerFigures``.
  public func figures() -> SyncServerFigures { core.figures }

  /// Ends the connections of a user's devices, for use after a change of the user's rights.
  ///
  /// A device connects again within seconds. The server then checks the credentials again, and applies the rules to the
  /// user's present claims; it refuses users that are no longer accepted. A token is accepted until it expires, so
  /// tokens need a short life.
  ///
  /// - Parameter user: The ``SyncUser/id`` of the user.
  /// - Returns: The number of connections that end, without connections to other servers of the same database.
  /// - Complexity: O(*n*) for *n* connected devices.
  @discardableResult
  public func disconnect(user: String) -> Int { core.disconnect(user) }

  /// Ends the server: sends waiting messages, then closes the connections.
  ///
  /// - Parameter limit: The time after which the remaining connections are cut.
  public func stop(within limit: Duration = .seconds(5)) async {
    for task in work { task.cancel() }
    await sockets.stop(within: limit)
    for task in work { await task.value }
  }
}
