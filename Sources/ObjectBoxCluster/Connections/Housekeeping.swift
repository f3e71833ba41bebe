/// A cluster's background work: closes idle connections, and removes old rows of commits.
enum Housekeeping {
  private static let interval = Duration.seconds(30)

  /// Runs until the pool is closed or released.
  static func start(_ tables: ClusterTables, _ pools: [ConnectionPool]) {
    let weakPools = pools.map(WeakPool.init)
    let log = CommitLog(tables)
    Task.detached(priority: .background) {
      while true {
        try await Task.sleep(for: interval)
        let pools = weakPools.compactMap(\.pool)
        guard let primary = pools.first, !primary.isClosed else { return }
        for pool in pools { pool.closeIdle() }
        if !primary.configuration.isReadOnly { try? await sweep(log, primary) }
      }
    }
  }

  /// Removes rows of commits beyond the database's retention, in steps that keep locks short.
  static func sweep(_ log: CommitLog, _ pool: ConnectionPool) async throws {
    var isDone = false
    while !isDone {
      let rows = try await pool.run([log.sweep])
      isDone = rows[0].anyInteger(0, 0) ?? 0 == 0
    }
  }

  private struct WeakPool: Sendable {
    weak let pool: ConnectionPool?
  }
}
