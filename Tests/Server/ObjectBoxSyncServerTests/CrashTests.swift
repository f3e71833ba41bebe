import Foundation
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A crash of PostgreSQL, which loses the part of the write-ahead log that is not on the disk yet.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct CrashTests {
  private let folder = "/tmp/objectbox-sync-\(UUID().uuidString)"
  private var address: String { "postgresql:///postgres?host=\(folder)&user=postgres" }

  /// Starts a server that writes to the disk only when a commit waits for it: the processes that do so
  /// from time to time are stopped.
  private func start() async throws -> TestServerLog {
    try TestServer.script("start", folder)
    let test = try await TestServerLog(at: address)
    let writers = try await test.sql(
      """
      SELECT pid::text FROM pg_stat_activity
      WHERE backend_type IN ('walwriter', 'background writer', 'checkpointer', 'autovacuum launcher')
      """
    )
    for pid in writers.compactMap({ $0[0].flatMap { pid_t($0) } }) { kill(pid, SIGSTOP) }
    return test
  }

  /// Kills the server, starts it again, and returns the same server.
  private func crash(_ test: TestServerLog) async throws -> TestServerLog {
    try TestServer.script("crash", folder)
    return try await TestServerLog(in: test.namespace, at: address)
  }

  private func next(_ test: TestServerLog) async throws -> UInt64 {
    let text = try await test.sql("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")[0][0]
    return try #require(text.flatMap { UInt64($0) })
  }

  @Test func `a crash gives the numbers of aborted transactions again, and no change is missed`()
    async throws
  {
    defer { try? TestServer.script("stop", folder) }
    let test = try await start()
    var follower = Follower(test)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    let first = try await next(test)
    for _ in 0..<20 {
      try await test.sql("BEGIN")
      try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (2, 1)"#)
      try await test.sql("ROLLBACK")
    }
    let last = try await next(test)
    try await follower.follow()
    #expect(follower.copy.count == 1)

    let again = try await crash(test)
    follower.moves(to: again)
    let start = try await next(again)
    try #require(
      start < last,
      "the server wrote the ends of transactions \(first) to \(last) to the disk"
    )
    try await again.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 1)"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
    #expect(follower.copy.keys.map(\.id).sorted() == [1, 3])
  }

  @Test func `a crash hides no commit from those who observe a cluster`() async throws {
    defer { try? TestServer.script("stop", folder) }
    let test = try await start()
    var log = ChangeLog(test.cluster.tables)
    func commit(_ object: Int64, _ test: TestServerLog) async throws {
      try await test.sql(
        "INSERT INTO \(test.cluster.tables.commitTable) (token, entities, objects) "
          + "VALUES (gen_random_uuid(), ARRAY[901], ARRAY[\(object)])"
      )
    }
    try await commit(1, test)
    for _ in 0..<20 {
      for statement in ["BEGIN", "SELECT pg_current_xact_id()::text", "ROLLBACK"] {
        try await test.sql(statement)
      }
    }
    #expect(log.take(try await test.cluster.pool.run(log.statements)) == [])
    let last = try await next(test)

    let again = try await crash(test)
    log.reconnect()
    try #require(
      try await next(again) < last,
      "the server wrote the ends of transactions to the disk"
    )
    try await commit(2, again)
    while try await next(again) <= last { try await again.sql("SELECT pg_current_xact_id()::text") }
    let commits = log.take(try await again.cluster.pool.run(log.statements))
    #expect(commits.map { $0.changes["Item"]?.ids } == [[2]])
  }

  @Test
  func `a commit that a device has seen survives a crash, also with 'synchronous_commit' off`()
    async throws
  {
    defer { try? TestServer.script("stop", folder) }
    let test = try await start()
    var follower = Follower(test)
    try await follower.follow()
    try await test.sql("SET synchronous_commit = off")
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    #expect(try await test.sql("SHOW synchronous_commit")[0][0] == "off")
    try await follower.follow()

    let again = try await crash(test)
    follower.moves(to: again)
    #expect(try await again.sql(#"SELECT id::text FROM @"Item""#) == [["1"]])
    let table = try await follower.follow()
    #expect(follower.table == table)
  }
}
