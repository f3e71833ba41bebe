internal import Foundation
internal import ObjectBox

/// The objects of a model on servers that use PostgreSQL's protocol.
///
/// All boxes share its connections. It may be used from all tasks.
///
///     let cluster = try await Cluster("postgresql://localhost/notes")
///     let notes = cluster.box(for: Note.self)
///     try await notes.put(Note(title: "Milk"))
public final class Cluster: Sendable {
  package let tables: ClusterTables
  package let pool: ConnectionPool
  let replicas: ReplicaPool
  /// A pool of one connection, which reserves IDs for blocks of transactions, since the block's connection is busy.
  let reservations: ConnectionPool
  let changes: ClusterChanges
  let precedence: Precedence
  let writing: WriteState
  /// The server's extension for nearest neighbours; nil without it.
  let vectors: VectorExtension?
  /// A store with the model but without objects, for the relations of objects.
  let shape: Store

  /// Connects to servers, and makes or upgrades the schema of the model.
  ///
  /// Generated code calls this from `Cluster(_:)`.
  ///
  /// - Parameters:
  ///   - model: The result of `ModelBuilder.finish()`. It is used up, even when this throws.
  ///   - configuration: The address, and the use of the servers.
  /// - Throws: ``ClusterError`` when no server can be used or the schema does not fit.
  public convenience init(model: OpaquePointer, configuration: Configuration) async throws {
    let tables = ClusterTables(ModelBuilder.takeSchema(model), in: configuration.schema)
    let upgrade = DatabaseUpgrade(
      tables,
      mayBeOlder: configuration.acceptsOlderModel,
      onMigration: configuration.onMigration
    )
    try await self.init(tables, configuration) { try await upgrade.run(on: $0) }
  }

  /// Connects to servers.
  ///
  /// - Parameters:
  ///   - tables: The model, and the schema of its tables.
  ///   - configuration: The address, and the use of the servers.
  ///   - prepare: Prepares the database on its first connection. Returns the server's extension for
  ///     nearest neighbours; nil without it.
  /// - Throws: ``ClusterError`` when no server can be used; the error of `prepare`.
  init(
    _ tables: ClusterTables,
    _ configuration: Configuration,
    _ prepare: (Connection) async throws -> VectorExtension?
  ) async throws {
    self.tables = tables
    writing = WriteState(tables)
    let pool = try ConnectionPool(configuration)
    self.pool = pool
    replicas = try ReplicaPool(besides: pool)
    var single = configuration
    single.connectionLimit = 1
    reservations = try ConnectionPool(single)
    let report = configuration.onUnheardFailure ?? Self.print
    changes = ClusterChanges(tables, pool, report: report)
    precedence = Precedence(courtesy: configuration.courtesy)
    let host = ClusterHost()
    var shape = Store.Configuration(directory: host.location)
    shape.onUnheardFailure = { report($0.error) }
    self.shape = try Store(schema: tables.model, configuration: shape).forReading(.elsewhere(host))
    vectors = try await pool.withConnection(prepare)
    host.cluster = self
    if let memory = configuration.wantedCommitMemory { try await keepCommits(for: memory, report) }
    Housekeeping.start(tables, [pool, replicas.pool, reservations])
  }

  deinit {
    changes.close()
  }

  /// Closes the connections, after the running statements and transactions.
  ///
  /// Later calls throw ``ClusterError/closed(message:)``. Without this call, the connections end
  /// when the cluster is released.
  public func close() async {
    changes.close()
    await pool.close()
    await replicas.pool.close()
    await reservations.close()
  }

  /// Makes the database keep the outcomes of commits for at least a given time; reports it if another time applies.
  private func keepCommits(
    for time: Duration,
    _ report: @Sendable (any Error) -> Void
  ) async throws {
    do {
      let rows = try await pool.read(CommitLog(tables).keeping(time))
      let kept = Duration.milliseconds(rows[1].integer(0, 0, as: Int64.self) ?? 0)
      guard kept > max(time, CommitLog.leastMemory) else { return }
      report(
        ObjectBoxError.illegalArgument(
          message:
            "'commitMemory' of the configuration is \(time), and the database keeps outcomes of commits for \(kept), "
            + "which another program has asked for; set the same time in all programs"
        )
      )
    } catch ClusterError.notPermitted(let message) {
      // A role that may not write makes no commits, so it needs no outcomes.
      report(ClusterError.notPermitted(message: "'commitMemory' is not set: \(message)"))
    } catch ClusterError.serverReadOnly(let message) {
      report(ClusterError.serverReadOnly(message: "'commitMemory' is not set: \(message)"))
    }
  }

  /// Writes a failure that no caller gets to standard error.
  private static func print(_ failure: any Error) {
    FileHandle.standardError.write(Data("ObjectBox cluster: \(failure)\n".utf8))
  }
}
