import Foundation
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct ServerLogSchemaTests {
  private let triggers = """
    SELECT c.relname::text, t.tgname::text, t.oid::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE t.tgname LIKE 'objectbox\\_sync%' AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '@@')
    ORDER BY 1, 2
    """

  private func triggers(of test: TestServerLog) async throws -> [[String?]] {
    try await test.sql(triggers.replacing("@@", with: test.namespace))
  }

  @Test func `a second run changes nothing`() async throws {
    let test = try await TestServerLog()
    let before = try await triggers(of: test)
    #expect(before.count == 25)
    let number = "SELECT xmin::text, created::text FROM @objectbox_epoch"
    let epoch = try await test.sql(number)
    _ = try await test.schema.run()
    #expect(try await triggers(of: test) == before)
    #expect(try await test.sql(number) == epoch)
  }

  @Test func `servers that make the schema at once make one server`() async throws {
    let namespace = "sync \(UUID().uuidString)"
    let clusters = try await [
      TestServerLog.cluster(in: namespace), TestServerLog.cluster(in: namespace),
      TestServerLog.cluster(in: namespace), TestServerLog.cluster(in: namespace),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, cluster) in clusters.enumerated() {
        // Each server has a rule of its own.
        let property = index % 2 == 0 ? TestServerLog.owner : TestServerLog.title
        let schema = try ServerLogSchema(cluster, logging: [TestServerLog.item: [property]])
        group.addTask { _ = try await schema.run() }
      }
      try await group.waitForAll()
    }
    let test = try await TestServerLog(in: namespace)
    #expect(try await triggers(of: test).count == 25)
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 2, 'x')"#)
    let log = try await test.takeLog()
    #expect(log.count == 1)
    #expect(
      log.first?.contains(#"\\x78"#) == true && log.first?.contains(#"\\x0000000000000002"#) == true
    )
  }

  @Test func `an entity that loses its flag loses its triggers, and its devices are reset`()
    async throws
  {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await follower.follow()
    let without = try await TestServerLog(syncsItems: false, in: test.namespace)
    #expect(
      Set(try await triggers(of: without).map { $0[0] }) == ["Code", "Label", "Value"]
    )
    // Not in the log.
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    try await test.sql("TRUNCATE @objectbox_relation_5001")
    #expect(try await test.takeLog() == [])
    _ = try await TestServerLog(in: test.namespace)
    guard case .reset = try await follower.read().answer else {
      Issue.record("changes of the time without triggers are missing")
      return
    }
  }

  @Test func `disabled triggers are made again, and devices are reset`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await follower.follow()
    try await test.sql(#"ALTER TABLE @"Item" DISABLE TRIGGER objectbox_sync_insert"#)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    _ = try await test.schema.run()
    guard case .reset = try await follower.read().answer else {
      Issue.record("changes of the time without a trigger are missing")
      return
    }
    follower.forget()
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (2)"#)
    try await follower.follow()
    #expect(follower.copy.count == 2)
  }

  @Test func `another logged property leaves cursors valid`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test, owners: [1])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    try await follower.follow()
    let schema = try ServerLogSchema(
      test.cluster,
      logging: [TestServerLog.item: [TestServerLog.title]]
    )
    _ = try await schema.run()
    try await test.sql(#"UPDATE @"Item" SET owner = 2, title = 'a'"#)
    try await follower.follow()
    #expect(follower.lastDelta?.leaves.map(\.id) == [1])
    var titled = Follower(
      test,
      [
        Scope(
          entity: TestServerLog.item,
          property: TestServerLog.title,
          value: .bytes(Array("a".utf8))
        )
      ]
    )
    try await titled.follow()
    #expect(titled.copy.count == 1)
    try await test.sql(#"UPDATE @"Item" SET title = 'b'"#)
    try await titled.follow()
    #expect(titled.copy.isEmpty)
  }

  @Test func `objects that are older than the server are filled`() async throws {
    let namespace = "sync \(UUID().uuidString)"
    let test = try await TestServerLog(syncsItems: false, in: namespace)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    let synced = try await TestServerLog(in: namespace)
    var follower = Follower(synced)
    let table = try await follower.follow()
    #expect(table == [1: "1|-|-|"])
    #expect(follower.table == table)
  }

  @Test func `a copied database begins a new epoch with an empty log`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    try await follower.follow()
    // As in a dump that was restored elsewhere.
    try await test.sql("UPDATE @objectbox_epoch SET system = system + 1")
    await #expect {
      try await follower.read()
    } throws: { error in
      guard case .notPrepared(let message) = error as? ServerLogError else { return false }
      return message.contains("copied")
    }
    _ = try await test.schema.run()
    #expect(try await test.takeLog() == [])
    guard case .reset = try await follower.read().answer else {
      Issue.record("the new log does not have the old changes")
      return
    }
    follower.forget()
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (2)"#)
    try await follower.follow()
    #expect(follower.copy.count == 2)
  }

  @Test func `rules on unknown or unfit properties are refused by name`() async throws {
    let cluster = try await TestServerLog.cluster(in: "sync \(UUID().uuidString)")
    #expect {
      try ServerLogSchema(cluster, logging: [TestServerLog.item: [PropertyUID(9)]])
    } throws: { "\($0)".contains("'Item'") }
    #expect {
      try ServerLogSchema(cluster, logging: [TestServerLog.note: []])
    } throws: { "\($0)".contains("903") && "\($0)".contains("sync") }
  }
}
