package import ObjectBox

/// A database opened by the model of its own catalogue, for tools without bindings.
///
/// It owns its connections, and may be used from all threads.
package final class DynamicCluster: Sendable {
  let cluster: Cluster
  /// The number of the model in the catalogue.
  let modelNumber: Int
  private let address: ConnectionAddress

  /// Connects to a database without changing its schema.
  ///
  /// - Parameter configuration: The address, and the use of the servers.
  /// - Throws: ``ClusterError``: `schemaConflict` when the database has no objects of a cluster, or
  ///   a copy into it is incomplete; `schemaNewer` for tables of a later version; others when no
  ///   server can be used.
  package init(_ configuration: Cluster.Configuration) async throws {
    address = try ConnectionAddress(configuration.address)
    let catalogue = try await MovingOut(try await MovingDatabase(configuration))
    modelNumber = catalogue.modelNumber
    cluster = try await Cluster(catalogue.tables, configuration) { _ in catalogue.vectors }
  }

  /// Closes the connections after the running statements and transactions.
  package func close() async { await cluster.close() }

  /// The schema of the objects.
  package var schema: StoreSchema { cluster.tables.model }

  /// The address without passwords and options, such as `postgresql://ada@db1:5432/app`.
  package var shownAddress: String { address.shown }

  /// The name of the database, followed by its schema unless that is `public`.
  package var name: String {
    let namespace = cluster.pool.configuration.schema
    let database = address.database
    return namespace == "public" ? database : "\(database).\(namespace)"
  }

  /// Begins to follow the commits of all programs; see ``Cluster/commits()``.
  package func commits() async throws -> ClusterCommits { try await cluster.commits() }

  // MARK: Snapshots

  /// Begins a snapshot of the database, on a separate connection until ``end(_:)``.
  ///
  /// Replaces a broken connection. One round trip.
  ///
  /// - Returns: The snapshot, for one caller.
  /// - Throws: ``ClusterError``: `schemaConflict` when a program has changed the schema since this
  ///   program connected.
  package func begin() async throws -> MovingOut {
    let configuration = cluster.pool.configuration
    let end = ContinuousClock.now + configuration.reconnectTime
    var backoff = Backoff.connecting
    while true {
      let connection = try await cluster.pool.checkOut()
      do {
        let rows = try await ServerFailure.told {
          try await connection.run([
            Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            Statement("SELECT pg_current_snapshot()::text"), modelCheck,
          ])
        }
        try checkModel(rows[2])
        return MovingOut(
          MovingDatabase(connection, configuration.schema),
          cluster.tables,
          vectors: cluster.vectors,
          modelNumber: modelNumber,
          snapshot: rows[1].text(0, 0) ?? ""
        )
      } catch {
        cluster.pool.checkIn(connection, isUsable: false)
        guard case ClusterError.connectionLost = error, ContinuousClock.now < end else {
          throw error
        }
        try await backoff.wait()
      }
    }
  }

  /// Ends a snapshot, and returns its connection to the pool.
  package func end(_ snapshot: MovingOut) async {
    let connection = snapshot.database.connection
    // The pool closes a connection that is still in a transaction.
    _ = try? await connection.run([Statement("ROLLBACK")])
    cluster.pool.checkIn(connection)
  }

  /// Splits the texts without words that a search has met, so that it can run again.
  ///
  /// - Parameter error: The error of the search.
  /// - Returns: False for another error, and if the connections may not write.
  /// - Throws: ``ClusterError``.
  package func fillWords(after error: any Error) async throws -> Bool {
    guard case ObjectBoxError.illegalState(let message) = error,
      message == ServerFailure.wordsAreMissingText
    else { return false }
    return try await cluster.fillWords()
  }

  /// Asks for the number of the current model.
  var modelCheck: Statement { Statement("SELECT max(number) FROM \(cluster.tables.modelTable)") }

  /// Throws when the current model is another one.
  func checkModel(_ rows: ResultRows) throws {
    guard rows.anyInteger(0, 0) != Int64(modelNumber) else { return }
    throw ClusterError.schemaConflict(
      message:
        "a program has changed the schema \(cluster.tables.namespace) since this one connected; start this one again"
    )
  }
}
