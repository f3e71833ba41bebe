import Foundation
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct PlainSQLTests {
  /// The log's form of an owner.
  private func owner(_ number: Int) -> String {
    #"{"\\x\#(String(repeating: "0", count: 15))\#(String(number, radix: 16))"}"#
  }

  @Test func `each way of changing rows is logged once, with values before and after`()
    async throws
  {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 5), (2, NULL)"#)
    #expect(try await test.takeLog() == ["901 1 - \(owner(5))", "901 2 - {NULL}"])

    try await test.sql(#"UPDATE @"Item" SET owner = 6"#)
    #expect(
      try await test.takeLog() == [
        "901 1 \(owner(5)) \(owner(6))", "901 2 {NULL} \(owner(6))",
      ]
    )

    // An upsert fires two triggers.
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner) VALUES (1, 7), (3, 8) ON CONFLICT (id) DO UPDATE SET owner = excluded.owner"#
    )
    #expect(try await test.takeLog() == ["901 1 \(owner(6)) \(owner(7))", "901 3 - \(owner(8))"])

    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 9) ON CONFLICT DO NOTHING"#)
    #expect(try await test.takeLog() == [])

    // A changed ID is a removal and an insert.
    try await test.sql(#"UPDATE @"Item" SET id = id + 10 WHERE id = 1"#)
    #expect(try await test.takeLog() == ["901 1 \(owner(7)) -", "901 11 - \(owner(7))"])

    try await test.sql(#"DELETE FROM @"Item" WHERE id > 2"#)
    #expect(try await test.takeLog() == ["901 3 \(owner(8)) -", "901 11 \(owner(7)) -"])

    try await test.sql(#"UPDATE @"Item" SET owner = 1 WHERE false"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE false"#)
    #expect(try await test.takeLog() == [])
  }

  @Test func `statements with many rows are logged in few rows of the log, changed IDs too`()
    async throws
  {
    let test = try await TestServerLog()
    let count = 2 * ChangeTriggers.rowSize + 500
    func rowCount() async throws -> Int {
      let rows = try await test.sql("SELECT count(*)::text FROM @objectbox_changes")
      return Int(rows[0][0] ?? "") ?? 0
    }
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner) SELECT i, i % 7 FROM generate_series(1, \#(count)) AS i"#
    )
    #expect(try await rowCount() < 10)
    func lines(_ line: (Int) -> String) -> [String] { (1...count).map(line) }
    #expect(try await test.takeLog() == lines { "901 \($0) - \(owner($0 % 7))" })

    try await test.sql(#"UPDATE @"Item" SET owner = owner + 1"#)
    #expect(try await rowCount() < 10)
    #expect(
      try await test.takeLog() == lines { "901 \($0) \(owner($0 % 7)) \(owner($0 % 7 + 1))" }
    )

    try await test.sql(#"UPDATE @"Item" SET id = id + 100000 WHERE id IN (3, 2000)"#)
    #expect(
      try await test.takeLog() == [
        "901 3 \(owner(4)) -", "901 2000 \(owner(6)) -", "901 100003 - \(owner(4))",
        "901 102000 - \(owner(6))",
      ]
    )
    // Some of the rows keep their IDs.
    try await test.sql(#"UPDATE @"Item" SET id = id % 100000, owner = 8 WHERE id > 2540"#)
    let changed = try await test.takeLog()
    #expect(changed.count == (count - 2_540) * 2 + 4)
    #expect(changed.contains("901 3 - \(owner(8))"))
    #expect(changed.contains("901 100003 \(owner(4)) -"))
    #expect(changed.contains("901 2541 - \(owner(8))"))
    #expect(changed.contains("901 2541 \(owner(2541 % 7 + 1)) -"))

    try await test.sql(#"DELETE FROM @"Item""#)
    #expect(try await rowCount() < 10)
    #expect(try await test.takeLog().count == count)
  }

  @Test func `names of properties have no meaning in the triggers`() async throws {
    let names = ["ids", "before", "gone", "part"]
    let test = try await TestServerLog()
    for name in names { try await test.sql(#"ALTER TABLE @"Item" ADD COLUMN \#(name) bigint"#) }
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner) SELECT i, 2 FROM generate_series(1, 9) AS i"#
    )
    try await test.sql(#"UPDATE @"Item" SET owner = 3 WHERE id = 1"#)
    try await test.sql(#"UPDATE @"Item" SET owner = 3"#)
    try await test.sql(#"DELETE FROM @"Item""#)
    #expect(try await test.takeLog().count == 9 + 1 + 9 + 9)
  }

  @Test func `a COPY is logged`() async throws {
    let test = try await TestServerLog()
    var bytes: [UInt8] =
      Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    for id in 1...3 as ClosedRange<Int64> {
      bytes.append(bigEndian: 2 as Int16)
      for number in [id, 4] as [Int64] {
        bytes.append(bigEndian: 8 as Int32)
        bytes.append(bigEndian: number)
      }
    }
    bytes.append(bigEndian: -1 as Int16)
    let statement = Statement(
      copying: test.complete(#"COPY @"Item" (id, owner) FROM STDIN (FORMAT binary)"#),
      bytes
    )
    _ = try await test.connection.run([statement])
    #expect(try await test.takeLog() == (1...3).map { "901 \($0) - \(owner(4))" })
  }

  @Test func `a rolled back savepoint leaves nothing in the log`() async throws {
    let test = try await TestServerLog()
    for statement in [
      "BEGIN", #"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#, "SAVEPOINT s",
      #"INSERT INTO @"Item" (id, owner) VALUES (2, 2)"#, "ROLLBACK TO SAVEPOINT s", "SAVEPOINT t",
      #"INSERT INTO @"Item" (id, owner) VALUES (3, 3)"#, "RELEASE SAVEPOINT t", "COMMIT",
    ] { try await test.sql(statement) }
    // Changes of a savepoint have the number of the whole transaction.
    let numbers = try await test.sql("SELECT count(DISTINCT xact)::text FROM @objectbox_changes")
    #expect(numbers == [["1"]])
    #expect(try await test.takeLog() == ["901 1 - \(owner(1))", "901 3 - \(owner(3))"])
  }

  @Test func `TRUNCATE is refused with the statement to use instead`() async throws {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    for table in [#"@"Item" CASCADE"#, "@objectbox_relation_5001"] {
      await #expect {
        try await test.sql("TRUNCATE \(table)")
      } throws: { error in
        (error as? ServerFailure)?.message.contains("which is synchronized") == true
          && (error as? ServerFailure)?.hint?.contains("DELETE FROM") == true
      }
    }
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["1"]])
  }

  @Test func `changed pairs are logged as changes of their source`() async throws {
    let test = try await TestServerLog()
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1), (2)"#)
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1), (2), (3)"#)
    _ = try await test.takeLog()
    try await test.sql(
      "INSERT INTO @objectbox_relation_5001 (source, target) VALUES (1, 1), (1, 2)"
    )
    #expect(try await test.takeLog() == ["901 1 - -"])
    try await test.sql("UPDATE @objectbox_relation_5001 SET source = 2 WHERE target = 2")
    #expect(try await test.takeLog() == ["901 1 - -", "901 2 - -"])
    try await test.sql("DELETE FROM @objectbox_relation_5001 WHERE target = 2")
    #expect(try await test.takeLog() == ["901 2 - -"])
    try await test.sql("DELETE FROM @objectbox_relation_5001")
    #expect(try await test.takeLog() == ["901 1 - -"])
  }

  @Test func `rows that a foreign key removes are logged`() async throws {
    let test = try await TestServerLog(syncsNotes: true)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 2)"#)
    try await test.sql(#"INSERT INTO @"Note" (id, item) VALUES (7, 1)"#)
    _ = try await test.takeLog()
    try await test.sql(#"DELETE FROM @"Item""#)
    #expect(try await test.takeLog() == ["901 1 \(owner(2)) -", "903 7 {} -"])
  }

  @Test func `a session in the role of a replica is logged`() async throws {
    let test = try await TestServerLog()
    try await test.sql("SET session_replication_role = replica")
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 2)"#)
    #expect(try await test.takeLog() == ["901 1 - \(owner(2))"])
  }

  @Test func `a role without rights on the log is logged, whatever its search path`() async throws {
    let test = try await TestServerLog()
    let role = "role \(UUID().uuidString)".quotedName
    let schema = test.namespace.quotedName
    for statement in [
      "CREATE ROLE \(role)", "GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role)",
      #"GRANT INSERT ON @"Item" TO \#(role)"#, "SET ROLE \(role)",
      // A function of the caller must not be called in place of the system's.
      "CREATE FUNCTION @int8send(bigint) RETURNS bytea LANGUAGE sql AS $$ SELECT 'x'::bytea $$",
      "SET search_path = \(schema), pg_catalog",
      #"INSERT INTO @"Item" (id, owner) VALUES (1, 2)"#, "RESET ROLE", "RESET search_path",
    ] { try await test.sql(statement) }
    #expect(try await test.takeLog() == ["901 1 - \(owner(2))"])
    try await test.sql("DROP OWNED BY \(role)")
    try await test.sql("DROP ROLE \(role)")
  }

  @Test func `triggers call no operator of the caller's search path`() async throws {
    let test = try await TestServerLog()
    let schema = test.namespace.quotedName
    for statement in [
      """
      CREATE FUNCTION @trap(text, text) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the trap was called'; END $$
      """,
      "CREATE OPERATOR @= (LEFTARG = text, RIGHTARG = text, FUNCTION = @trap)",
      "SET search_path = \(schema), pg_catalog",
      #"INSERT INTO @"Item" (id, owner) VALUES (1, 2)"#, #"UPDATE @"Item" SET owner = 3"#,
      #"DELETE FROM @"Item""#, "RESET search_path",
    ] { try await test.sql(statement) }
    #expect(try await test.takeLog().count == 3)
  }

  @Test func `the log has values of all types, as rows have them`() async throws {
    let all = (4002...4013).map { PropertyUID(UInt64($0)) }
    let test = try await TestServerLog(logging: [TestServerLog.values: all])
    var follower = Follower(test, [Scope(entity: TestServerLog.values)])
    try await follower.follow()
    try await test.sql("SET TimeZone = 'Asia/Tokyo'")
    try await test.sql(
      #"""
      INSERT INTO @"Value" (id, value0, value1, value2, value3, value4, value5, value6, value7, value8, value9, value10, value11)
      VALUES (1, true, -3, -300, 70000, 5000000000, '2024-02-03 04:05:06.789+00', 123456789, 1.5, 0.1, 'ä', '\x00ff', '{a,"",ö}')
      """#
    )
    try await follower.follow()
    let key = ObjectKey(entity: TestServerLog.values, id: 1)
    let row = try #require(follower.copy[key])
    #expect(row.values[PropertyUID(4007)] == .integer(1_706_933_106_789))
    #expect(row.values[PropertyUID(4009)] == .double(bits: 1.5.bitPattern))
    #expect(row.values[PropertyUID(4011)] == .bytes(Array("ä".utf8)))
    #expect(
      ListElements(row.values[TestServerLog.list] ?? .null).map { $0 }
        == ["a", "", "ö"].map { .bytes(Array($0.utf8)) }
    )
    // Each value alone is a scope whose object leaves when it is removed.
    var ruled: [Follower] = []
    for property in all {
      let value = try #require(row.values[property])
      var one = Follower(
        test,
        [Scope(entity: TestServerLog.values, property: property, value: value)]
      )
      try await one.follow()
      #expect(one.copy[key] != nil, "filled by \(property.value)")
      ruled.append(one)
    }
    try await test.sql(#"DELETE FROM @"Value""#)
    for index in ruled.indices {
      try await ruled[index].follow()
      #expect(ruled[index].lastDelta?.leaves == [key], "left by \(all[index].value)")
    }
  }
}
