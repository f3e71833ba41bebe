package import ObjectBox

/// A database under the model of its own catalogue, for tools that have no bindings.
///
/// A class, since it owns connections. It may be used from all threads.
package final class DynamicCluster: Sendable {
  let cluster: Cluster
  /// The number of the model in the catalogue.
  let modelNumber: Int
  private let address: ConnectionAddress

  /// Connects to a database, whose schema stays as it is.
  ///
  /// - Parameter configuration: The address, and how the servers are used.
  /// - Throws: ``ClusterError``: `schemaConflict` when the database has no objects of a cluster, or a copy into it is
  ///   not complete; `schemaNewer` for tables of a later version; others when no server can be used.
  package init(_ configuration: Cluster.Configuration) async throws {
    address = try ConnectionAddress(configuration.address)
    let catalogue = try await MovingOut(try await MovingDatabase(configuration))
    modelNumber = catalogue.modelNumber
    cluster = try await Cluster(catalogue.tables, configuration) { _ in catalogue.vectors }
  }

  /// Closes the connections, after the statements and transactions that run have ended.
  package func close() async { await cluster.close() }

  /// The schema of the objects.
  package var schema: StoreSchema { cluster.tables.model }

  /// The address without passwords and options, such as `postgresql://ada@db1:5432/app`.
  package var shownAddress: String { address.shown }

  /// The name of the database, with that of the schema unless it is `public`.
  package var name: String {
    let namespace = cluster.pool.configuration.schema
    let database = address.database
    return namespace == "public" ? database : "\(database).\(namespace)"
  }

  /// Begins to follow the commits of all programs, as ``Cluster/commits()``.
  package func commits() async throws -> ClusterCommits { try await cluster.commits() }

  // MARK: Snapshots

  /// Begins to read one snapshot of the database, on a connection of its own until ``end(_:)``.
  ///
  /// A connection that has broken meanwhile is replaced. One round trip.
  ///
  /// - Returns: The snapshot, for one caller.
  /// - Throws: ``ClusterError``: `schemaConflict` when a program has changed the schema since this one connected.
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

  /// Ends the reading of a snapshot, and gives its connection back.
  package func end(_ snapshot: MovingOut) async {
    let connection = snapshot.database.connection
    // The pool closes a connection that is still in a transaction.
    _ = try? await connection.run([Statement("ROLLBACK")])
    cluster.pool.checkIn(connection)
  }

  /// Asks for the number of the model in use.
  var modelCheck: Statement { Statement("SELECT max(number) FROM \(cluster.tables.modelTable)") }

  /// Throws when the model in use is another one.
  func checkModel(_ rows: ResultRows) throws {
    guard rows.anyInteger(0, 0) != Int64(modelNumber) else { return }
    throw ClusterError.schemaConflict(
      message:
        "a program has changed the schema \(cluster.tables.namespace) since this one connected; start this one again"
    )
  }
}
