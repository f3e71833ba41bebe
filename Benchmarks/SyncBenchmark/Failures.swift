import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// Serialization failures of writers that write different objects, with and without synchronization.
struct Failures {
  private let database: Database
  private static let writers = 8
  private static let puts = 500

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let cluster = try await database.cluster()
    // Adds the triggers.
    let running = try await database.server(of: cluster).start()
    await running.stop()
    let plain = try await failures {
      try await put(cluster) { Plain(owner: "user \($0)", number: $0) }
    }
    let synced = try await failures {
      try await put(cluster) { Item(owner: "user \($0)", number: $0) }
    }
    Report.atMost(
      "serialization failures of \(Self.writers * Self.puts) puts by \(Self.writers) writers, beyond those without sync",
      0,
      synced - plain
    )
  }

  private func put<E>(_ cluster: Cluster, _ make: @escaping @Sendable (Int) -> E) async throws
  where
    E: EntityInspectable & __EntityRelatable & SendableMetatype, E == E.EntityBindingType.EntityType
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          let box = cluster.box(for: E.self)
          for _ in 0..<Self.puts { try await box.put(make(writer)) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Returns the number of transactions that were rolled back during a function.
  private func failures(_ body: () async throws -> Void) async throws -> Double {
    let before = try rollbacks()
    try await body()
    return try rollbacks() - before
  }

  private func rollbacks() throws -> Double {
    // Sessions tell their counts a second after the last time; those that wait tell them when asked to.
    let rows = try database.sql(
      """
      SELECT pg_sleep(1.5);
      SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()
      """
    )
    return rows.last.flatMap { Double($0) } ?? .nan
  }
}
