/// The place where reading statements run.
enum ReadSource {
  /// A connection of the pool; each batch sees the newest commit.
  case newest(Cluster)
  /// An open transaction, which sends its buffered puts first.
  case transaction(ClusterTransaction)

  var cluster: Cluster {
    switch self {
    case .newest(let cluster): cluster
    case .transaction(let transaction): transaction.cluster
    }
  }

  /// Runs reading statements in order, in one round trip.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each statement.
  /// - Throws: `ClusterError` and `ObjectBoxError`.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    switch self {
    case .newest(let cluster):
      try await cluster.findingWords { try await cluster.pool.read(batch) }
    case .transaction(let transaction): try await transaction.run(batch)
    }
  }
}
