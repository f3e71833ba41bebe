import Foundation
import ObjectBox
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Clusters of a server with a replica.
@Suite(
  .enabled(if: ReplicatedServer.canStart, "no server can be started"),
  .serialized
)
struct ReplicationTests {
  private func cluster(
    on server: ReplicatedServer,
    _ configure: (inout Cluster.Configuration) -> Void = { _ in }
  ) async throws -> Cluster {
    var configuration = Cluster.Configuration(server.address)
    configuration.schema = "replicated"
    configure(&configuration)
    let cluster = try await Cluster(configuration: configuration)
    // Its notifications would wait for the replica too.
    cluster.changes.close()
    return cluster
  }

  /// Reads the balance of the first account, and whether a replica answered.
  private func read(
    _ cluster: Cluster,
    maximumLag: Duration
  ) async throws -> (balance: Int?, isReplica: Bool) {
    try await cluster.read(on: .replica(maximumLag: maximumLag)) { transaction in
      let rows = try await transaction.run([Statement(once: "SELECT pg_is_in_recovery()")])
      let account = try await transaction.get(Account.self, 1 as Id)
      return (account?.balance, rows[0].bool(0, 0) ?? false)
    }
  }

  // MARK: Reads

  @Test func `reads that accept a replica come from it, unless it is older than they accept`()
    async throws
  {
    try await ReplicatedServer.run { server in
      let cluster = try await cluster(on: server)
      let box = cluster.box(for: Account.self)
      try await box.put(Account(id: 0, balance: 1))
      while true {
        let seen = try await read(cluster, maximumLag: .seconds(60))
        // The primary was asked after the put.
        #expect(seen.balance == 1)
        if seen.isReplica { break }
      }

      let control = try ConnectionPool(Cluster.Configuration(server.addressOfReplica))
      _ = try await control.run([Statement(once: "SELECT pg_wal_replay_pause()")])
      let isPaused = Statement(once: "SELECT pg_get_wal_replay_pause_state() = 'paused'")
      while try await control.run([isPaused])[0].bool(0, 0) != true { await Task.yield() }
      try await box.put(Account(id: 1, balance: 2))
      // Another program, which does not know the primary's earlier position.
      let other = try await self.cluster(on: server)
      for _ in 0..<3 {
        let seen = try await read(other, maximumLag: .seconds(5))
        #expect(seen.balance == 2)
        #expect(!seen.isReplica)
      }
      // An accepted older state may be read.
      let old = try await read(cluster, maximumLag: .seconds(600))
      #expect(old.isReplica && old.balance == 1)

      _ = try await control.run([Statement(once: "SELECT pg_wal_replay_resume()")])
      while true {
        let seen = try await read(other, maximumLag: .seconds(5))
        #expect(seen.balance == 2)
        if seen.isReplica { break }
      }
      try await server.haltReplica()
      let alone = try await read(try await self.cluster(on: server), maximumLag: .seconds(5))
      #expect(alone.balance == 2 && !alone.isReplica)
    }
  }

  @Test func `a block of reads on a replica refuses writes`() async throws {
    try await ReplicatedServer.run { server in
      let cluster = try await cluster(on: server)
      await expect("cannotWriteWhileReading") {
        try await cluster.read(on: .replica(maximumLag: .seconds(60))) { transaction in
          try await transaction.put(Account(id: 0, balance: 1))
          _ = try await transaction.box(for: Account.self).count()
        }
      }
      #expect(try await cluster.box(for: Account.self).isEmpty())
    }
  }

  @Test func `texts of SQL are split on the primary for a replica, which alone cannot`()
    async throws
  {
    try await ReplicatedServer.run { server in
      let cluster = try await cluster(on: server)
      let table = try #require(cluster.tables.table(named: "WordNote")).name
      try await cluster.box(for: WordNote.self).put(WordNote("old words"))
      _ = try await cluster.pool.run([
        Statement(once: "UPDATE \(table) SET text = 'new words'")
      ])
      let control = try ConnectionPool(Cluster.Configuration(server.addressOfReplica))
      let isThere = Statement(
        once: "SELECT EXISTS (SELECT FROM \(table) WHERE text = 'new words')"
      )
      // The table comes to the replica later as well.
      while (try? await control.run([isThere])[0].bool(0, 0)) != true { await Task.yield() }

      var configuration = Cluster.Configuration(server.addressOfReplica)
      configuration.schema = "replicated"
      let alone = try await Cluster(configuration: configuration)
      await expect("illegalState") {
        _ = try await alone.box(for: WordNote.self).query { WordNote.text.matches("new") }.count()
      }
      let found = try await cluster.read(on: .replica(maximumLag: .seconds(60))) { transaction in
        try await transaction.box(for: WordNote.self).query { WordNote.text.matches("new") }.count()
      }
      #expect(found == 1)
      await alone.close()
    }
  }

  // MARK: Commits that wait for the replica

  private static let name = "waits for its replica"

  /// Returns a cluster with an account, whose commits wait for a stopped replica.
  private func waiting(
    on server: ReplicatedServer,
    _ configure: (inout Cluster.Configuration) -> Void = { _ in }
  ) async throws -> Cluster {
    let cluster = try await cluster(on: server) {
      $0.applicationName = Self.name
      configure(&$0)
    }
    try await cluster.box(for: Account.self).put(Account(id: 0, balance: 1))
    // The program then has IDs and a connection.
    try await cluster.box(for: Account.self).put(Account(id: 1, balance: 1))
    let control = try self.control(of: server)
    _ = try await control.run([
      Statement(once: "ALTER SYSTEM SET synchronous_standby_names = '*'")
    ])
    _ = try await control.run([Statement(once: "SELECT pg_reload_conf()")])
    let isSet = Statement(once: "SELECT current_setting('synchronous_standby_names') = '*'")
    while try await control.run([isSet])[0].bool(0, 0) != true { await Task.yield() }
    try await server.haltReplica()
    return cluster
  }

  private func control(of server: ReplicatedServer) throws -> ConnectionPool {
    try ConnectionPool(Cluster.Configuration(server.address))
  }

  /// Calls a server function for a connection that waits for the replica, once there is one.
  ///
  /// - Returns: The connection's server process.
  private func whenOneWaits(
    _ function: String,
    but known: Int32 = 0,
    _ control: ConnectionPool
  ) async throws -> Int32 {
    let call = Statement(
      once: """
        SELECT pid, \(function) FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND application_name = '\(Self.name)' AND pid <> \(known)
        """
    )
    while true {
      let rows = try await control.run([call])[0]
      if rows.count > 0, let process = rows.integer(0, 0, as: Int32.self) { return process }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test(.tags(.slow), arguments: ["pg_cancel_backend(pid)", "pg_terminate_backend(pid)"])
  func `a commit whose wait for the replica is cut is done when the replica has it`(
    _ cut: String
  ) async throws {
    try await ReplicatedServer.run { server in
      let cluster = try await waiting(on: server)
      let control = try control(of: server)
      let isDone = Gate()
      let task = Task {
        var runs = 0
        try await cluster.write { transaction in
          runs += 1
          try await transaction.put(Account(id: 1, balance: 2))
        }
        await isDone.open()
        return runs
      }
      let process = try await whenOneWaits(cut, control)
      // The question for the outcome also waits for the replica.
      _ = try await whenOneWaits("true", but: process, control)
      #expect(await !isDone.isOpen)
      try await server.resumeReplica()
      let runs = try await task.value
      #expect(runs == 1)
      #expect(try await cluster.box(for: Account.self).get(1 as Id)?.balance == 2)
    }
  }

  @Test func `a commit that no replica has, and whose decision is cut as well, is in doubt`()
    async throws
  {
    try await ReplicatedServer.run { server in
      let cluster = try await waiting(on: server) { $0.reconnectTime = .milliseconds(200) }
      let control = try control(of: server)
      let cutting = Task {
        while !Task.isCancelled { _ = try await whenOneWaits("pg_cancel_backend(pid)", control) }
      }
      let error = await #expect(throws: ClusterError.self) {
        try await cluster.write { try await $0.put(Account(id: 1, balance: 2)) }
      }
      cutting.cancel()
      // It might cut the next question otherwise.
      _ = await cutting.result
      guard case .commitOutcomeUnknown(let token, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try await server.resumeReplica()
      #expect(try await cluster.outcome(of: token) == .committed)
      #expect(try await cluster.box(for: Account.self).get(1 as Id)?.balance == 2)
    }
  }
}
