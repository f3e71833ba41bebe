extension Cluster {
  /// The options that a cluster is opened with.
  ///
  /// TLS, several hosts and passwords are those of libpq, in the address and in its files and environment:
  /// `postgresql://db1,db2,db3/app?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=/etc/ca.pem`.
  public struct Configuration: Sendable {
    /// A connection string or URI of libpq.
    public var address: String
    /// The schema of the database that has the tables; it is made when it is missing.
    public var schema = "public"
    /// True to bring the schema back to a model that a newer one has replaced.
    ///
    /// An older program is refused otherwise (``ClusterError/schemaNewer(message:)``), since it would undo the changes
    /// under the programs that need them. What only the newer model has is retired then, and stays on the server.
    public var acceptsOlderModel = false
    /// The greatest number of connections to the servers, 10 by default.
    ///
    /// Each has a thread; as many again are made to replicas, where reads ask for them. At least 1.
    public var connectionLimit = 10
    /// How long a caller waits while all connections are in use, 30 seconds by default.
    public var connectionWait: Duration = .seconds(30)
    /// How long a connection to one host may take, 5 seconds by default and at least 2.
    public var connectTimeout: Duration = .seconds(5)
    /// How long a statement may take on the server, 5 minutes by default; nil for no limit.
    public var statementTimeout: Duration? = .seconds(300)
    /// How long an unused connection is kept, 5 minutes by default.
    public var idleTime: Duration = .seconds(300)
    /// How long a server may be silent before its connection counts as broken, 15 seconds by default.
    public var silenceLimit: Duration = .seconds(15)
    /// How long an open cluster looks for a server when all are gone, 60 seconds by default.
    ///
    /// Callers wait meanwhile, so this is the time in which another server has to take over.
    public var reconnectTime: Duration = .seconds(60)
    /// How often a block of `write` is run at most when its transaction conflicts with others, 20 by default.
    public var attemptLimit = 20
    /// How long the outcome of a commit is known to the server, at least a minute; longer than ``reconnectTime``.
    ///
    /// The database keeps the longest time that a program was opened with, for all programs; the time is an hour
    /// where none has set it. A program that asks for less is told by ``onUnheardFailure``. Observers that were away
    /// for longer are told to read everything again. Old rows are removed every 30 seconds.
    public var commitMemory: Duration {
      get { wantedCommitMemory ?? CommitLog.defaultMemory }
      set { wantedCommitMemory = newValue }
    }
    /// The time that was set; nil for that of the database.
    private(set) var wantedCommitMemory: Duration?
    /// The name by which the server's administrator sees the connections.
    public var applicationName = "ObjectBox"
    /// Called for each failure that no caller can be told of: relations that were read before they were loaded,
    /// lost connections of observers; nil to write one line for each to standard error.
    public var onUnheardFailure: (@Sendable (any Error) -> Void)?

    /// How long other transactions wait for a run of one that goes first, since it has lost repeatedly.
    var courtesy: Duration = .seconds(1)
    /// True to let the servers refuse every write of the connections, for tools that only read.
    package var isReadOnly = false

    /// Describes the cluster at an address; everything else has its default.
    public init(_ address: String) {
      self.address = address
    }
  }
}

extension Cluster.Configuration {
  /// Keywords and values of libpq; those that the address has come last and count.
  var connectionParameters: [(keyword: String, value: String)] {
    [
      ("connect_timeout", "\(max(2, connectTimeout.roundedSeconds))"),
      ("application_name", applicationName),
      ("client_encoding", "UTF8"),
      // A server behind a network that fails silently is noticed by both.
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
