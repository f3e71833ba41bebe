/// The settings of a new connection, and the checks of its server.
enum ConnectionSetUp {
  /// The oldest supported version of PostgreSQL.
  static let oldestVersion = 150_000

  /// Checks the version of the server.
  ///
  /// - Throws: ``ClusterError/serverTooOld(message:)``.
  static func checkVersion(of connection: Connection) throws {
    guard connection.serverVersion >= oldestVersion else {
      let version = connection.serverVersion
      throw ClusterError.serverTooOld(
        message:
          "the server is PostgreSQL \(version / 10_000).\(version % 10_000), and a cluster needs 15 or newer"
      )
    }
  }

  /// Sets a connection's time-outs and read-only mode, and reads the server's clock.
  ///
  /// One round trip.
  ///
  /// - Throws: ``ServerFailure``.
  static func run(on connection: Connection, _ configuration: Cluster.Configuration) async throws {
    let seconds = "\(max(1, configuration.silenceLimit.roundedSeconds / 3))"
    // The server must notice a lost client, whose locks would block others.
    var settings = [
      ("tcp_keepalives_idle", seconds), ("tcp_keepalives_interval", seconds),
      ("tcp_keepalives_count", "2"),
      ("tcp_user_timeout", "\(configuration.silenceLimit.inMilliseconds)"),
    ]
    if let timeout = configuration.statementTimeout {
      settings.append(("statement_timeout", "\(max(1, timeout.inMilliseconds))"))
    }
    if configuration.isReadOnly { settings.append(("default_transaction_read_only", "on")) }
    let calls = settings.map { "set_config(\($0.0.quotedText), \($0.1.quotedText), false)" }
    let clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    let rows = try await connection.run([
      Statement(once: "SELECT \(clock), \(calls.joined(separator: ", "))")
    ])
    if let time = rows[0].integer(0, 0, as: Int64.self) { connection.noteServerTime(time) }
  }

  /// Refuses a pooler that gives each transaction another connection.
  ///
  /// Otherwise prepared statements and settings of several programs would mix.
  ///
  /// - Parameters:
  ///   - connection: A new connection.
  ///   - parameters: The parameters of that connection.
  /// - Throws: ``ClusterError/connectionNotKept(message:)``, ``ServerFailure``.
  static func refusePooler(
    of connection: Connection,
    _ parameters: [(keyword: String, value: String)]
  ) async throws {
    let process = try await self.process(of: connection)
    // A pooler invents the process number, since it does not know the process yet.
    guard process != connection.backendID else { return }
    // While the first connection is idle, only a pooler in transaction mode reuses its process.
    for _ in 0..<3 {
      let other = try await Connection(parameters)
      guard try await self.process(of: other) != process,
        try await self.process(of: connection) == process
      else {
        throw ServerFailure.connectionNotKept("two connections share a process of the server")
      }
    }
  }

  private static func process(of connection: Connection) async throws -> Int32? {
    try await connection.run([Statement(once: "SELECT pg_backend_pid()")])[0].integer(0, 0)
  }
}
