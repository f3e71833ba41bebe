internal import Synchronization

/// The connections of a cluster.
final class ConnectionPool: Sendable {
  private let parameters: [(keyword: String, value: String)]
  private let idle = Mutex<[Connection]>([])

  init(_ parameters: [(keyword: String, value: String)]) {
    self.parameters = parameters
  }

  /// Passes a connection to a body; one that is not idle afterwards is closed.
  func withConnection<T>(_ body: (Connection) async throws -> T) async throws -> T {
    let known = idle.withLock { $0.popLast() }
    let connection = if let known { known } else { try await Connection(parameters) }
    let result = try await body(connection)
    if try await connection.isIdle() { idle.withLock { $0.append(connection) } }
    return result
  }

  /// Makes a connection that is none of the pool.
  func connectAlone() async throws -> Connection { try await Connection(parameters) }

  /// Runs statements in order, in one round trip and one implicit transaction.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    try await withConnection { try await $0.run(batch) }
  }
}
