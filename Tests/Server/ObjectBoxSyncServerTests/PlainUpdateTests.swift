import Foundation
import ObjectBox
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Conflicts between devices' writes and updates by plain SQL, which a clock decides.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct PlainUpdateTests {
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  private func device(_ number: UInt64, _ test: TestServerLog) -> TestDevice {
    let entities = test.serverLog.entities.map(\.uid)
    return TestDevice(number, test, granted: entities.map { Scope(entity: $0) })
  }

  /// Writes an update at a time of the device's clock.
  private func update(
    _ device: inout TestDevice,
    _ entity: EntityUID,
    _ values: [(PropertyUID, PropertyValue)],
    at wall: Int64
  ) throws {
    let token = device.token()
    let operation = Operation.update(try device.reference(entity, 1), PropertyList(values))
    try device.device.write([operation], token: token, wall: wall)
  }

  private func upload(_ device: inout TestDevice) async throws {
    let reply = try await device.receiver.receive(
      device.device.upload(limit: 100),
      now: { Self.now },
      mayWrite: { _, _, _ in true }
    )
    try device.device.receive(reply) { DeviceIdentity(Identifier128(high: 999, low: 999)) }
    try await device.download()
  }

  private func text(_ text: String) -> PropertyValue { .bytes(Array(text.utf8)) }

  private func titles(_ test: TestServerLog) async throws -> [[String?]] {
    try await test.sql(#"SELECT title FROM @"Item""#)
  }

  @Test
  func `with syncClock, an update by plain SQL beats earlier writes of devices, and no later ones`()
    async throws
  {
    let test = try await TestServerLog(valueFlag: .syncClock)
    var a = device(1, test)
    try a.insert(TestServerLog.item, 1, [(TestServerLog.title, text("first"))])
    try await upload(&a)
    try update(
      &a,
      TestServerLog.item,
      [(TestServerLog.title, text("early"))],
      at: Self.now - 60_000
    )
    try await test.sql(#"UPDATE @"Item" SET title = 'plain'"#)
    try await upload(&a)
    #expect(try await titles(test) == [["plain"]])
    #expect(a.row(TestServerLog.item, 1)?.values[TestServerLog.title] == text("plain"))
    // The device's clock is ahead, less than the server permits.
    try update(&a, TestServerLog.item, [(TestServerLog.title, text("late"))], at: Self.now + 60_000)
    try await upload(&a)
    #expect(try await titles(test) == [["late"]])
    // A plain update after a write of the future comes after it.
    try await test.sql(#"UPDATE @"Item" SET title = 'plain again'"#)
    var b = device(2, test)
    try await b.download()
    #expect(
      (b.row(TestServerLog.item, 1)?.stamp).map {
        $0 > (a.row(TestServerLog.item, 1)?.stamp ?? .none)
      } == true
    )
    // And a later write of another device after that.
    try update(
      &b,
      TestServerLog.item,
      [(TestServerLog.title, text("latest"))],
      at: Self.now + 120_000
    )
    try await upload(&b)
    #expect(try await titles(test) == [["latest"]])
  }

  @Test func `with syncPrecedence, an update by plain SQL has the precedence that it writes`()
    async throws
  {
    let test = try await TestServerLog(valueFlag: .syncPrecedence)
    var a = device(1, test)
    try a.insert(
      TestServerLog.item,
      1,
      [(TestServerLog.title, text("first")), (TestServerLog.value, .integer(1))]
    )
    try await upload(&a)
    try await test.sql(#"UPDATE @"Item" SET title = 'plain', value = 5"#)
    try update(
      &a,
      TestServerLog.item,
      [(TestServerLog.title, text("late")), (TestServerLog.value, .integer(4))],
      at: Self.now + 60_000
    )
    try await upload(&a)
    #expect(try await titles(test) == [["plain"]])
    #expect(a.row(TestServerLog.item, 1)?.stamp.precedence == 5)
    try update(
      &a,
      TestServerLog.item,
      [(TestServerLog.title, text("higher")), (TestServerLog.value, .integer(6))],
      at: 5_000
    )
    try await upload(&a)
    #expect(try await titles(test) == [["higher"]])
  }

  @Test
  func `with propertyClocks, an update by plain SQL counts for the properties that it changes`()
    async throws
  {
    let test = try await TestServerLog(hasTallies: true)
    let title = PropertyUID(6004)
    func row() async throws -> [[String?]] {
      try await test.sql(#"SELECT code, title, count::text FROM @"Tally""#)
    }
    var a = device(1, test)
    try a.insert(
      TestServerLog.tally,
      1,
      [
        (TestServerLog.tallyCode, text("x")), (title, text("first")),
        (TestServerLog.tallyCount, .integer(1)),
      ]
    )
    try await upload(&a)
    var b = device(2, test)
    try await b.download()
    try update(
      &a,
      TestServerLog.tally,
      [(TestServerLog.tallyCode, text("early")), (title, text("early"))],
      at: Self.now - 60_000
    )
    try await test.sql(#"UPDATE @"Tally" SET title = 'plain'"#)
    try await test.sql(#"UPDATE @"Tally" SET title = 'plain 2', count = 9"#)
    try await upload(&a)
    #expect(try await row() == [["early", "plain 2", "9"]])
    // Over stamps that a device has written, and beside one by plain SQL.
    try update(&b, TestServerLog.tally, [(title, text("late"))], at: Self.now + 60_000)
    try await test.sql(#"UPDATE @"Tally" SET code = 'plain'"#)
    try await upload(&b)
    #expect(try await row() == [["plain", "late", "9"]])
    try await test.sql(#"UPDATE @"Tally" SET title = 'plain 3'"#)
    try await test.sql(#"UPDATE @"Tally" SET code = 'plain 3'"#)
    try update(
      &a,
      TestServerLog.tally,
      [(TestServerLog.tallyCode, text("late"))],
      at: Self.now + 90_000
    )
    try update(&a, TestServerLog.tally, [(title, text("too early"))], at: Self.now)
    try await upload(&a)
    let all = try await row()
    #expect(all[0][0] == "late")
  }

  @Test func `counters, columns of no property and equal values are no write`() async throws {
    let test = try await TestServerLog(hasTallies: true, valueFlag: .syncClock)
    try await test.sql(#"ALTER TABLE @"Item" ADD COLUMN note text"#)
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 2, 'a')"#)
    try await test.sql(#"INSERT INTO @"Tally" (id, code, count) VALUES (1, 'a', 1)"#)
    func stamps() async throws -> [[String?]] {
      try await test.sql(
        #"SELECT i.objectbox_stamp::text, t.objectbox_stamps::text FROM @"Item" AS i, @"Tally" AS t"#
      )
    }
    try await test.sql(#"UPDATE @"Item" SET note = 'x', owner = 2, title = 'a'"#)
    try await test.sql(#"UPDATE @"Tally" SET count = count + 1"#)
    #expect(try await stamps() == [[nil, nil]])
    try await test.sql(#"UPDATE @"Item" SET owner = 3"#)
    try await test.sql(#"UPDATE @"Tally" SET code = 'b'"#)
    let written = try await stamps()
    #expect(written[0].allSatisfy { $0?.hasPrefix("\\x02") == true })
    // A repeated update replaces the stamp.
    try await test.sql(#"UPDATE @"Item" SET owner = 4"#)
    try await test.sql(#"UPDATE @"Tally" SET code = 'c'"#)
    let again = try await stamps()
    #expect(again[0].map { $0?.count } == written[0].map { $0?.count })
  }

  @Test func `uploads keep the stamps that they set, also of counters`() async throws {
    let test = try await TestServerLog(hasTallies: true)
    var a = device(1, test)
    try a.insert(
      TestServerLog.tally,
      1,
      [(TestServerLog.tallyCode, text("x")), (TestServerLog.tallyCount, .integer(1))]
    )
    try await upload(&a)
    let before = try #require(a.row(TestServerLog.tally, 1))
    let token = a.token()
    try a.device.write(
      [.increment(try a.reference(TestServerLog.tally, 1), TestServerLog.tallyCount, by: 4)],
      token: token,
      wall: Self.now
    )
    try await upload(&a)
    let after = try #require(a.row(TestServerLog.tally, 1))
    #expect(after.values[TestServerLog.tallyCount] == .integer(5))
    #expect(after.stamp == before.stamp)
    #expect(after.stamps == before.stamps)
  }

  @Test func `tables without clocks have no trigger of updates`() async throws {
    func stamped(_ test: TestServerLog) async throws -> [String?] {
      try await test.sql(
        """
        SELECT c.relname::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
        WHERE t.tgname = 'objectbox_sync_stamp'
          AND c.relnamespace = \(test.namespace.quotedName.quotedText)::regnamespace ORDER BY 1
        """
      ).map { $0[0] }
    }
    let test = try await TestServerLog(hasTallies: true, valueFlag: .syncClock)
    #expect(try await stamped(test) == ["Item", "Tally"])
    // The model has no clock of items any more.
    let without = try await TestServerLog(hasTallies: true, in: test.namespace)
    #expect(try await stamped(without) == ["Tally"])
  }
}
