public import ObjectBox

extension Cluster {
  /// The options for opening a cluster.
  ///
  /// TLS, several hosts and passwords use libpq's syntax in the address, and libpq's files and
  /// environment:
  /// `postgresql://db1,db2,db3/app?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=/etc/ca.pem`.
  ///
  ///     var configuration = Cluster.Configuration("postgresql://db1,db2/notes")
  ///     configuration.connectionLimit = 4
  ///     let cluster = try await Cluster(configuration: configuration)
  public struct Configuration: Sendable {
    /// A libpq connection string or URI.
    public var address: String
    /// The database schema of the tables, created when it is missing.
    public var schema = "public"
    /// True to change the schema back to a model that was replaced by a newer one.
    ///
    /// By default, an older program is refused (``ClusterError/schemaNewer(message:)``), since it
    /// would undo changes that other programs need. If accepted, elements that only the newer model
    /// has are retired and stay on the server.
    public var acceptsOlderModel = false
    /// The greatest number of connections to the servers, at least 1; 10 by default.
    ///
    /// Each connection has a thread. Reads from replicas may open as many connections again. One
    /// more reserves IDs inside blocks of `write`, and one more follows commits for observers.
    public var connectionLimit = 10
    /// The time for which a caller waits while all connections are in use, 30 seconds by default.
    public var connectionWait: Duration = .seconds(30)
    /// The time that a connection to one host may take, 5 seconds by default and at least 2.
    public var connectTimeout: Duration = .seconds(5)
    /// The time that a statement may take on the server, 5 minutes by default; nil for no limit.
    public var statementTimeout: Duration? = .seconds(300)
    /// The time for which an unused connection is kept, 5 minutes by default.
    public var idleTime: Duration = .seconds(300)
    /// The time for which a server may be silent before its connection counts as broken, 15 seconds by default.
    public var silenceLimit: Duration = .seconds(15)
    /// The time for which an open cluster searches for a server when all are gone, 60 seconds by default.
    ///
    /// Callers wait during the search, so another server must take over within this time.
    public var reconnectTime: Duration = .seconds(60)
    /// The greatest number of times that `write` runs its block when the transaction conflicts with others, 20 by
    /// default.
    public var attemptLimit = 20
    /// The time for which the server keeps the outcome of a commit: at least a minute, and longer than
    /// ``reconnectTime``.
    ///
    /// The longest time that any program has set applies to all programs of the database; without any setting it is an
    /// hour. A program that sets less gets a report through ``onUnheardFailure``. Observers that were away for longer
    /// must read everything again. Old rows are removed every 30 seconds.
    public var commitMemory: Duration {
      get { wantedCommitMemory ?? CommitLog.defaultMemory }
      set { wantedCommitMemory = newValue }
    }
    /// The time that was set; nil to use the database's time.
    private(set) var wantedCommitMemory: Duration?
    /// The name of the connections in the server's activity views.
    public var applicationName = "ObjectBox"
    /// Called for each failure that no caller gets; nil to write one line for each to standard
    /// error.
    ///
    /// Such failures are relations read before they were loaded, and lost connections of observers.
    public var onUnheardFailure: (@Sendable (any Error) -> Void)?
    /// Called while opening the cluster fills properties from properties of an earlier model; nil for no reports.
    ///
    /// The handler is called before the first object of an entity, after each 10,000 objects, and
    /// after the last one. It must not use the cluster.
    public var onMigration: (@Sendable (MigrationProgress) -> Void)?

    /// The time for which other transactions wait for a transaction with precedence, which has lost repeatedly.
    var courtesy: Duration = .seconds(1)
    /// True to make the servers refuse all writes, for tools that only read.
    package var isReadOnly = false

    /// Creates the options for an address, with defaults for the rest.
    public init(_ address: String) {
      self.address = address
    }
  }
}

extension Cluster.Configuration {
  /// Keywords and values of libpq; the address comes last and overrides the others.
  var connectionParameters: [(keyword: String, value: String)] {
    [
      ("connect_timeout", "\(max(2, connectTimeout.roundedSeconds))"),
      ("application_name", applicationName),
      ("client_encoding", "UTF8"),
      // Both sides must notice when the network between them fails silently.
      ("keepalives_idle", "\(max(1, silenceLimit.roundedSeconds / 3))"),
      ("keepalives_interval", "\(max(1, silenceLimit.roundedSeconds / 3))"),
      ("keepalives_count", "2"),
      ("tcp_user_timeout", "\(max(1, silenceLimit.roundedSeconds) * 1_000)"),
      ("dbname", address),
    ]
  }
}

extension Duration {
  var roundedSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
  var inMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
