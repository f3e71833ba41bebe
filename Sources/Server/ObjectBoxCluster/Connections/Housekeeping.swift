/// A cluster's background work: closes idle connections, removes old rows of commits, and keeps
/// full-text indexes.
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
        if primary.configuration.isReadOnly { continue }
        try? await sweep(log, primary)
        try? await keepTexts(tables, primary)
      }
    }
  }

  /// Removes rows of commits beyond the database's retention, in steps that keep locks short.
  static func sweep(_ log: CommitLog, _ pool: ConnectionPool) async throws {
    var isDone = false
    while !isDone {
      let rows = try await pool.withConnection(isCounted: false) { try await $0.run([log.sweep]) }
      isDone = rows[0].anyInteger(0, 0) ?? 0 == 0
    }
  }

  /// Splits texts that other programs have stored by SQL, and adds up the counts of words.
  static func keepTexts(_ tables: ClusterTables, _ pool: ConnectionPool) async throws {
    guard !tables.allTexts.isEmpty else { return }
    try await pool.withConnection(isCounted: false) { connection in
      try await TextFilling(tables: tables).run(on: connection)
      _ = try await connection.run(tables.allTexts.map { $0.columns.adding(in: tables) })
    }
  }

  private struct WeakPool: Sendable {
    weak let pool: ConnectionPool?
  }
}
