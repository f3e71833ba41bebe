import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct ServerLogSweepTests {
  /// Uses up transaction numbers, each with a change.
  private func write(_ count: Int, _ test: TestServerLog) async throws {
    for number in 0..<count {
      try await test.sql(
        #"INSERT INTO @"Item" (id, owner) VALUES (\#(number % 5 + 1), 1) ON CONFLICT (id) DO UPDATE SET value = \#(number)"#
      )
    }
  }

  private func partitions(_ test: TestServerLog) async throws -> [String] {
    try await test.sql(
      """
      SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = \(test.namespace.quotedText) AND c.relname ~ '^objectbox_changes_[0-9]+$' AND c.relkind = 'r'
      """
    ).compactMap { $0[0] }
  }

  /// Sweeps until partitions are removed: transactions of other tests may delay that.
  private func removed(by sweep: ServerLogSweep) async throws -> [String] {
    for _ in 0..<5_000 {
      let report = try await sweep.run()
      if !report.removed.isEmpty { return report.removed }
    }
    Issue.record("no partition was removed")
    return []
  }

  @Test func `old partitions go, an older cursor is reset, and a newer one continues`()
    async throws
  {
    let test = try await TestServerLog(width: 20)
    var old = Follower(test)
    try await write(3, test)
    try await old.follow()
    try await write(60, test)
    var new = Follower(test)
    try await new.follow()
    var removed = try await removed(
      by: ServerLogSweep(test.serverLog, keeping: .zero, uploads: .seconds(3_600), width: 20)
    )
    // Transactions of other tests may delay the removal of what the old cursor lacks.
    while case .delta = try await old.read().answer {
      removed += try await self.removed(
        by: ServerLogSweep(test.serverLog, keeping: .zero, uploads: .seconds(3_600), width: 20)
      )
    }
    #expect(try await partitions(test).allSatisfy { !removed.contains($0) })
    // Transactions of other tests may have moved the end of the log behind this cursor.
    let swept = try await test.sql("SELECT swept::text FROM @objectbox_epoch")[0][0]
    let snapshot = new.cursor?.snapshot
    let seen = snapshot?.inProgress.first ?? snapshot?.xmax ?? 0
    if UInt64(swept ?? "") ?? .max > seen { try await new.refill() }
    guard case .reset(let reset) = try await old.read().answer else {
      Issue.record("swept changes are missing")
      return
    }
    #expect(reset.epoch == new.cursor?.epoch)
    try await write(2, test)
    let table = try await new.follow()
    #expect(new.table == table)
  }

  @Test func `what is younger than the log's memory stays`() async throws {
    let test = try await TestServerLog(width: 20)
    var follower = Follower(test)
    try await follower.follow()
    try await write(60, test)
    for _ in 0..<2 {
      let report = try await ServerLogSweep(
        test.serverLog,
        keeping: .seconds(3_600),
        uploads: .seconds(3_600),
        width: 20
      ).run()
      #expect(report.removed == [])
    }
    let table = try await follower.follow()
    #expect(follower.table == table)
  }

  @Test func `changes of a transaction in progress stay`() async throws {
    let test = try await TestServerLog(width: 20)
    let late = try await TestServer.connect()
    try await test.sql("BEGIN", on: late)
    try await test.sql("SELECT pg_current_xact_id()", on: late)
    try await write(60, test)
    var follower = Follower(test)
    try await follower.follow()
    _ = try await ServerLogSweep(
      test.serverLog,
      keeping: .zero,
      uploads: .seconds(3_600),
      width: 20
    ).run()
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (50)"#, on: late)
    try await test.sql("COMMIT", on: late)
    let table = try await follower.follow()
    #expect(table[50] != nil)
    #expect(follower.table == table)
  }

  @Test func `partitions are made ahead, also when the last one has been written`() async throws {
    let test = try await TestServerLog(width: 20)
    var follower = Follower(test)
    try await follower.follow()
    // Other tests use up numbers meanwhile.
    let sweep = ServerLogSweep(
      test.serverLog,
      keeping: .seconds(3_600),
      uploads: .seconds(3_600),
      width: 1 << 30
    )
    // More than all partitions ahead.
    try await write(150, test)
    var report = try await sweep.run()
    // The server's own vacuum may have the lock.
    while report.mustExtend { report = try await sweep.run() }
    #expect(report.made == ServerLogSweep.partitionsAhead + 1)
    #expect(try await sweep.run().made == 0)
    let table = try await follower.follow()
    #expect(follower.table == table)
    let bounds = try await test.sql(
      """
      SELECT pg_get_expr(c.relpartbound, c.oid) FROM pg_class AS c JOIN pg_inherits AS i ON i.inhrelid = c.oid
      WHERE i.inhparent = \(test.serverLog.changes.quotedText)::regclass
      """
    ).compactMap { $0[0].flatMap(LogPartition.init(bounds:)) }.sorted { $0.lower < $1.lower }
    for (one, next) in zip(bounds, bounds.dropFirst()) { #expect(one.upper == next.lower) }
    #expect(bounds.last?.upper == nil)
  }

  @Test func `a writer that does not end leaves the log as it is`() async throws {
    let test = try await TestServerLog(width: 20)
    try await write(150, test)
    let late = try await TestServer.connect()
    try await test.sql("BEGIN", on: late)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (50)"#, on: late)
    let sweep = ServerLogSweep(
      test.serverLog,
      keeping: .seconds(3_600),
      uploads: .seconds(3_600),
      width: 20
    )
    #expect(try await sweep.run().mustExtend)
    try await test.sql("COMMIT", on: late)
    #expect(try await sweep.run().made > 0)
    let log = try await test.takeLog()
    #expect(log.contains { $0.hasPrefix("901 50 ") })
  }

  @Test func `one server at a time sweeps`() async throws {
    let test = try await TestServerLog(width: 20)
    try await write(60, test)
    let removed = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var names: [String] = []
          let sweep = ServerLogSweep(
            test.serverLog,
            keeping: .zero,
            uploads: .seconds(3_600),
            width: 20
          )
          for _ in 0..<5 { names += try await sweep.run().removed }
          return names
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    var all = removed
    if all.isEmpty {
      all = try await self.removed(
        by: ServerLogSweep(test.serverLog, keeping: .zero, uploads: .seconds(3_600), width: 20)
      )
    }
    #expect(Set(all).count == all.count)
  }
}
