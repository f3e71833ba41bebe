/// A transaction on a server.
public final class ClusterTransaction {
  let cluster: Cluster
  let connection: Connection

  init(_ cluster: Cluster, _ connection: Connection) {
    self.cluster = cluster
    self.connection = connection
  }

  func run(_ batch: [Statement]) async throws -> [ResultRows] { try await connection.run(batch) }
}
