/// The place where the statements of reads run.
enum ReadSource {
  /// A connection of the pool, each batch at the newest commit.
  case newest(Cluster)
  /// An open transaction, which writes its buffered puts before.
  case transaction(ClusterTransaction)

  var cluster: Cluster {
    switch self {
    case .newest(let cluster): cluster
    case .transaction(let transaction): transaction.cluster
    }
  }

  /// Runs statements that read, in order, in one round trip.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each.
  /// - Throws: `ClusterError` and `ObjectBoxError`.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    switch self {
    case .newest(let cluster): try await cluster.pool.read(batch)
    case .transaction(let transaction): try await transaction.run(batch)
    }
  }
}
