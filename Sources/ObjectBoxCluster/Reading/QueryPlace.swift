/// A place where queries run, with the tables of the model and what the server has.
protocol QueryPlace {
  var tables: ClusterTables { get }
  /// The extension that finds nearest neighbours, where the server has it.
  var vectors: VectorExtension? { get }
  /// Runs statements that read, in order, in one round trip.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each.
  /// - Throws: `ClusterError` and `ObjectBoxError`.
  func run(_ batch: [Statement]) async throws -> [ResultRows]
}

extension ReadSource: QueryPlace {
  var tables: ClusterTables { cluster.tables }
  var vectors: VectorExtension? { cluster.vectors }
}
