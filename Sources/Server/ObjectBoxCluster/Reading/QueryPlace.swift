/// A place where queries run: a cluster, a transaction or a snapshot.
protocol QueryPlace {
  var tables: ClusterTables { get }
  /// The server's extension for nearest neighbours; nil without it.
  var vectors: VectorExtension? { get }
  /// Runs reading statements in order, in one round trip.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each statement.
  /// - Throws: `ClusterError` and `ObjectBoxError`.
  func run(_ batch: [Statement]) async throws -> [ResultRows]
}

extension ReadSource: QueryPlace {
  var tables: ClusterTables { cluster.tables }
  var vectors: VectorExtension? { cluster.vectors }
}
