import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Changes of tables that call no triggers.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .timeLimit(.minutes(15)))
struct UnloggedChangeTests {
  private func isReset(_ follower: Follower) async throws -> Bool {
    if case .reset = try await follower.read().answer { true } else { false }
  }

  /// Expects that a new state of the follower is kept by the log.
  private func expectLog(_ test: TestServerLog, _ follower: inout Follower) async throws {
    follower.forget()
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (100, 1)"#)
    try await test.sql(#"UPDATE @"Item" SET title = 'later' WHERE id = 1"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
    try await test.sql(#"DELETE FROM @"Item" WHERE id = 100"#)
    let rest = try await follower.follow()
    #expect(follower.table == rest)
  }

  @Test(
    arguments: [
      ([#"ALTER TABLE @"Item" DISABLE TRIGGER objectbox_sync_insert"#], "Item"),
      ([#"DROP TRIGGER objectbox_sync_update ON @"Item""#], "Item"),
      ([#"DROP FUNCTION FUNCTION() CASCADE"#], "Item"),
      // As a restored dump does, between two looks.
      (
        [#"ALTER TABLE @"Item" DISABLE TRIGGER ALL"#, #"ALTER TABLE @"Item" ENABLE TRIGGER ALL"#],
        "Item"
      ),
      (
        [
          #"ALTER TABLE @"Item" DISABLE TRIGGER objectbox_sync_insert"#,
          #"ALTER TABLE @"Item" ENABLE TRIGGER objectbox_sync_insert"#,
        ], "Item"
      ),
      (
        ["ALTER TABLE @objectbox_relation_5001 DISABLE TRIGGER objectbox_sync_delete"],
        "objectbox_relation_5001"
      ),
    ]
  )
  func `a look finds triggers that were disabled or dropped, makes them anew, and resets devices`(
    statements: [String],
    table: String
  ) async throws {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 1, 'a')"#)
    var follower = Follower(test)
    try await follower.follow()
    let inspection = ServerLogInspection(test.serverLog)
    #expect(try await inspection.run() == [])
    let item = try #require(test.serverLog.entity(TestServerLog.item))
    let function = ChangeTriggers(item, logging: [], in: test.serverLog).function
    for statement in statements {
      try await test.sql(statement.replacing("FUNCTION()", with: "\(function)()"))
    }
    let found = try await inspection.run()
    #expect(found == [UnloggedChanges(table: table, cause: .triggers)])
    #expect(found.first?.message.contains("'\(table)'") == true)
    #expect(try await isReset(follower))
    #expect(try await inspection.run() == [])
    try await expectLog(test, &follower)
  }

  @Test(
    arguments: [
      (#"ALTER TABLE @"Item" ALTER COLUMN title TYPE text COLLATE "C" USING upper(title)"#, "Item"),
      (#"ALTER TABLE @"Item" ALTER COLUMN owner TYPE bigint USING owner + 1"#, "Item"),
      (
        "ALTER TABLE @objectbox_relation_5001 ALTER COLUMN target TYPE bigint USING 3 - target",
        "objectbox_relation_5001"
      ),
    ],
    [false, true]
  )
  func `values that ALTER TABLE writes anew are noticed by a look and by a start`(
    change: (statement: String, table: String),
    atStart: Bool
  ) async throws {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1), (2)"#)
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 1, 'a')"#)
    try await test.sql("INSERT INTO @objectbox_relation_5001 (source, target) VALUES (1, 1)")
    var follower = Follower(test)
    try await follower.follow()
    try await test.sql(change.statement)
    var found: [UnloggedChanges] = []
    if atStart {
      _ = try await test.schema.run { found.append($0) }
    } else {
      found = try await ServerLogInspection(test.serverLog).run()
    }
    #expect(found == [UnloggedChanges(table: change.table, cause: .rewriting)])
    #expect(try await isReset(follower))
    #expect(try await ServerLogInspection(test.serverLog).run() == [])
    try await expectLog(test, &follower)
  }

  @Test(
    arguments: [
      [#"VACUUM (FULL, ANALYZE) @"Item""#],
      [#"CLUSTER @"Item" USING "Item_pkey""#],
      [#"ALTER TABLE @"Item" ADD COLUMN note bigint DEFAULT (random() * 9)::bigint"#],
      [#"ALTER TABLE @"Item" ALTER COLUMN title SET STATISTICS 500"#],
      [#"CREATE INDEX ON @"Item" (owner)"#],
      [#"ALTER TABLE @"Item" ADD COLUMN note text"#, #"ALTER TABLE @"Item" DROP COLUMN note"#],
      [
        #"VACUUM FULL @"Item""#, "look",
        #"ALTER TABLE @"Item" ALTER COLUMN title SET STATISTICS 500"#,
      ],
    ]
  )
  func `commands that keep the values cost nothing`(statements: [String]) async throws {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2)"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE id = 1"#)
    var follower = Follower(test)
    try await follower.follow()
    let inspection = ServerLogInspection(test.serverLog)
    for statement in statements {
      if statement == "look" {
        #expect(try await inspection.run() == [])
      } else if statement.hasPrefix("CLUSTER") {
        let index = try await test.sql(
          #"SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = '@"Item"'::regclass AND indisprimary"#
        )
        let name = (index[0][0] ?? "").split(separator: ".").last ?? ""
        try await test.sql(#"CLUSTER @"Item" USING \#(name)"#)
      } else {
        try await test.sql(statement)
      }
    }
    #expect(try await inspection.run() == [])
    var found: [UnloggedChanges] = []
    _ = try await test.schema.run { found.append($0) }
    #expect(found == [])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 3)"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
  }

  @Test func `a look does not let writers wait for a long transaction`() async throws {
    let test = try await TestServerLog()
    let inspection = ServerLogInspection(test.serverLog)
    let writer = try await TestServer.connect()
    try await test.sql(#"DROP TRIGGER objectbox_sync_insert ON @"Item""#)
    try await test.sql(#"VACUUM FULL @"Label""#)
    try await test.sql("BEGIN", on: writer)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#, on: writer)
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1)"#, on: writer)
    await #expect(throws: (any Error).self) { try await inspection.run() }
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (2, 1)"#)
    try await test.sql("COMMIT", on: writer)
    #expect(try await inspection.run() == [UnloggedChanges(table: "Item", cause: .triggers)])
    // A state alone is remembered later.
    try await test.sql(#"VACUUM FULL @"Label""#)
    try await test.sql("BEGIN", on: writer)
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (2)"#, on: writer)
    #expect(try await inspection.run() == [])
    try await test.sql("COMMIT", on: writer)
    #expect(try await inspection.run() == [])
  }

  @Test func `a look leaves what a server with another model has made`() async throws {
    let test = try await TestServerLog()
    let item = try #require(test.serverLog.entity(TestServerLog.item))
    let function = ChangeTriggers(item, logging: [], in: test.serverLog).function
    func source() async throws -> [[String?]] {
      try await test.sql("SELECT prosrc FROM pg_proc WHERE oid = \(function.quotedText)::regproc")
    }
    let other = try await ServerLogSchema(
      test.cluster,
      logging: [TestServerLog.item: [TestServerLog.owner, TestServerLog.title]]
    ).run()
    let newer = try await source()
    #expect(try await ServerLogInspection(test.serverLog).run() == [])
    try await test.sql(#"DROP TRIGGER objectbox_sync_insert ON @"Item""#)
    #expect(try await ServerLogInspection(test.serverLog).run().count == 1)
    #expect(try await source() == newer)
    #expect(try await ServerLogInspection(other).run() == [])
    // The newer model does not synchronize items any more.
    let without = try await TestServerLog(syncsItems: false, in: test.namespace)
    #expect(try await ServerLogInspection(test.serverLog).run() == [])
    #expect(try await ServerLogInspection(without.serverLog).run() == [])
  }

  @Test func `changes that logical replication applies reach devices`() async throws {
    let folder = "/tmp/objectbox-sync-\(UUID().uuidString)"
    try TestServer.script("start", folder)
    defer { try? TestServer.script("stop", folder) }
    let address = "postgresql:///postgres?host=\(folder)&user=postgres"
    let administrator = try await TestServer.connect(to: address)
    for statement in ["ALTER SYSTEM SET wal_level = logical", "CREATE DATABASE source"] {
      _ = try await administrator.run([Statement(once: statement)])
    }
    try TestServer.script("restart", folder)
    let test = try await TestServerLog(at: address)
    let source = try await TestServer.connect(
      to: address.replacing("///postgres?", with: "///source?")
    )
    for statement in [
      "CREATE SCHEMA \(test.namespace.quotedName)",
      #"CREATE TABLE @"Item" (id bigint PRIMARY KEY, owner bigint, value bigint, title text)"#,
      "CREATE TABLE @objectbox_relation_5001 (source bigint, target bigint, PRIMARY KEY (source, target))",
      #"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2), (3, 1)"#,
      "CREATE PUBLICATION p FOR ALL TABLES",
      "SELECT pg_create_logical_replication_slot('s', 'pgoutput')",
    ] { try await test.sql(statement, on: source) }
    var follower = Follower(test, owners: [1])
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1), (2)"#)
    try await test.sql(
      """
      CREATE SUBSCRIPTION s CONNECTION 'host=\(folder) dbname=source user=postgres' PUBLICATION p
      WITH (create_slot = false, slot_name = 's')
      """
    )
    func waitUntil(_ condition: String) async throws {
      while try await test.sql("SELECT \(condition), pg_sleep(0.01)::text")[0][0] != "true" {}
    }
    /// Expects that the device has what the table has.
    func expectFollowed() async throws {
      let table = try await follower.follow()
      #expect(follower.table == table)
    }
    try await waitUntil(#"((SELECT count(*) FROM @"Item") = 3)::text"#)
    try await expectFollowed()
    for statement in [
      #"UPDATE @"Item" SET title = 'a' WHERE id = 1"#,
      #"UPDATE @"Item" SET owner = 1 WHERE id = 2"#,
      #"UPDATE @"Item" SET owner = 3 WHERE id = 3"#,
      #"INSERT INTO @"Item" (id, owner) VALUES (4, 1)"#,
      "INSERT INTO @objectbox_relation_5001 VALUES (1, 1), (4, 2)",
      "UPDATE @objectbox_relation_5001 SET source = 2 WHERE target = 2",
      "DELETE FROM @objectbox_relation_5001 WHERE source = 1", #"DELETE FROM @"Item" WHERE id = 1"#,
      #"UPDATE @"Item" SET id = 5 WHERE id = 4"#,
    ] {
      try await test.sql(statement, on: source)
      let position = try await test.sql("SELECT pg_current_wal_insert_lsn()::text", on: source)
      try await waitUntil(
        "(SELECT bool_and(confirmed_flush_lsn >= '\(position[0][0] ?? "")')::text FROM pg_replication_slots)"
      )
      try await expectFollowed()
    }
    #expect(follower.copy.keys.map(\.id).sorted() == [2, 5])
    #expect(try await ServerLogInspection(test.serverLog).run() == [])
    try await test.sql("ALTER SUBSCRIPTION s DISABLE")
    try await test.sql("ALTER SUBSCRIPTION s SET (slot_name = NONE)")
    try await test.sql("DROP SUBSCRIPTION s")
  }

  @Test(.enabled(if: hasWebSockets, "libwebsockets is missing"))
  func `a running server tells unlogged changes, and its devices get them`() async throws {
    let test = try await TestServerLog()
    let (reports, report) = AsyncStream.makeStream(of: String.self)
    let running = try await test.serve(report: { report.yield("\($0)") })
    let device = try SyncClientTests.Device([running.port])
    try device.client.start()
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 1, 'a')"#)
    try await device.wait { try device.items.count() == 1 }
    try await test.sql(#"ALTER TABLE @"Item" DISABLE TRIGGER objectbox_sync_insert"#)
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (2, 1, 'b')"#)
    try await test.sql(
      #"ALTER TABLE @"Item" ALTER COLUMN title TYPE text COLLATE "C" USING upper(title)"#
    )
    try await running.core.inspect()
    var all = reports.makeAsyncIterator()
    #expect(await all.next()?.contains("'Item' were disabled or dropped") == true)
    try await device.wait {
      try device.items.all().compactMap { $0["title"] as? String }.sorted() == ["A", "B"]
    }
    await running.stop()
  }
}
