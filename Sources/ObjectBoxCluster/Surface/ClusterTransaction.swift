/// A transaction on a server.
public final class ClusterTransaction {
  let cluster: Cluster
  let connection: Connection
  let buffer: WriteBuffer

  init(_ cluster: Cluster, _ connection: Connection) {
    self.cluster = cluster
    self.connection = connection
    buffer = WriteBuffer(cluster)
  }

  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    let own = try buffer.statements()
    do {
      let results = try await connection.run(own + batch)
      try buffer.take(Array(results.prefix(own.count)))
      return Array(results.dropFirst(own.count))
    } catch let failure as ServerFailure {
      throw buffer.error(for: failure) ?? failure
    }
  }
}

extension Cluster {
  public func write<T>(_ body: (ClusterTransaction) async throws -> T) async throws -> T {
    try await pool.withConnection { connection in
      _ = try await connection.run([Statement(once: "BEGIN ISOLATION LEVEL SERIALIZABLE")])
      let transaction = ClusterTransaction(self, connection)
      do {
        let result = try await body(transaction)
        _ = try await transaction.run([Statement(once: "COMMIT")])
        transaction.buffer.didCommit()
        return result
      } catch {
        _ = try? await connection.run([Statement(once: "ROLLBACK")])
        transaction.buffer.didRollBack()
        throw error
      }
    }
  }

  public func read<T>(_ body: (ClusterTransaction) async throws -> T) async throws -> T {
    try await write(body)
  }

  func commit(_ buffer: WriteBuffer) async throws {
    let own = try buffer.statements()
    do {
      let results = try await pool.run(
        [Statement(once: "BEGIN")] + own + [Statement(once: "COMMIT")]
      )
      try buffer.take(Array(results.dropFirst().prefix(own.count)))
      buffer.didCommit()
    } catch {
      defer { buffer.didRollBack() }
      throw (error as? ServerFailure).flatMap(buffer.error(for:)) ?? error
    }
  }
}
