import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// Counters, merged unique values and clocks of properties, between two devices and PostgreSQL.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct ConflictRuleTests {
  private typealias Device = SyncClientTests.Device

  private static let rules =
    TestServerLog.everything + [
      SyncRule(access: .see, entity: "Tally") { _ in nil },
      SyncRule(access: .write, entity: "Tally") { _ in nil },
    ]

  private static let tallies = #"SELECT code, count::text, title FROM @"Tally" ORDER BY code"#

  private func device(_ port: Int) throws -> (device: Device, tallies: DynamicBox) {
    let device = try Device([port], hasTallies: true)
    return (device, try device.store.box(named: "Tally"))
  }

  @Test func `two devices that count without the server both count`() async throws {
    let test = try await TestServerLog(hasTallies: true)
    let running = try await test.serve(Self.rules)
    let (a, ours) = try device(running.port)
    let (b, theirs) = try device(running.port)
    try a.client.start()
    try b.client.start()
    let id = try ours.put(["code": "x", "count": 5])
    try await b.wait { try theirs.contains(id) }
    try b.client.stop()
    try theirs.put(["id": id.value, "count": 15])
    try ours.put(["id": id.value, "count": 7])
    await a.waitForDecisions()
    try b.client.start()
    try await a.wait { try ours.get(id)?["count"] as? Int == 17 }
    await b.waitForDecisions()
    #expect(try theirs.get(id)?["count"] as? Int == 17)
    #expect(try await test.sql(Self.tallies) == [["x", "17", nil]])
    #expect(try b.client.rejections().isEmpty)
    await running.stop()
  }

  @Test func `equal unique values of two devices become one object, with all references to it`()
    async throws
  {
    let test = try await TestServerLog(hasTallies: true)
    let running = try await test.serve(Self.rules)
    let (a, ours) = try device(running.port)
    let (b, theirs) = try device(running.port)
    let holder = try ours.put(["code": "x", "count": 5, "title": "first"])
    passMillisecond()
    let merged = try theirs.put(["code": "x", "count": 3, "title": "second"])
    let child = try theirs.put(["code": "y", "count": 0, "parent": merged.value])
    try a.client.start()
    await a.waitForDecisions()
    try b.client.start()
    try await a.wait { try ours.count() == 2 }
    await b.waitForDecisions()
    let kept = try #require(try theirs.get(child)?["parent"] as? Id)
    let merging = try theirs.get(kept)?["count"] as? Int
    #expect(merging == 8)
    #expect(try theirs.count() == 2)
    #expect(try ours.get(child)?["parent"] as? Id == kept)
    #expect(kept == holder)
    #expect(
      try await test.sql(Self.tallies) == [["x", "8", "second"], ["y", "0", nil]]
    )
    #expect(try b.client.rejections().isEmpty)
    await running.stop()
  }

  @Test func `without the right to write the holder of its value, a new object is rejected`()
    async throws
  {
    let test = try await TestServerLog(hasTallies: true)
    var a = TestDevice(1, test, granted: [Scope(entity: TestServerLog.tally)])
    var b = TestDevice(2, test, granted: [Scope(entity: TestServerLog.tally)])
    b.mayWrite = { key, _, _ in key.id != 1 }
    let values = [(TestServerLog.tallyCode, PropertyValue.bytes(Array("x".utf8)))]
    try a.insert(TestServerLog.tally, 1, values + [(TestServerLog.tallyCount, .integer(5))])
    try b.insert(TestServerLog.tally, 2, values + [(TestServerLog.tallyCount, .integer(3))])
    try await a.synchronize()
    try await b.synchronize()
    #expect(
      b.decisions == [
        .rejected(
          Rejection(entity: TestServerLog.tally, property: TestServerLog.tallyCode, reason: .unique)
        )
      ]
    )
    #expect(try await test.sql(Self.tallies) == [["x", "5", nil]])
  }

  @Test func `the later write of a property wins, though the server gets it first`() async throws {
    let test = try await TestServerLog(hasTallies: true)
    let running = try await test.serve(Self.rules)
    let (a, ours) = try device(running.port)
    let (b, theirs) = try device(running.port)
    try a.client.start()
    try b.client.start()
    let id = try ours.put(["code": "x", "count": 0])
    try await b.wait { try theirs.contains(id) }
    try b.client.stop()
    try theirs.put(["id": id.value, "code": "y", "title": "early"])
    // More writes than the other device made are later also within one millisecond.
    for title in ["1", "2", "3", "late"] { try ours.put(["id": id.value, "title": title]) }
    await a.waitForDecisions()
    try b.client.start()
    try await a.wait { try ours.get(id)?["code"] as? String == "y" }
    await b.waitForDecisions()
    #expect(try await test.sql(Self.tallies) == [["y", "0", "late"]])
    #expect(try ours.get(id)?["title"] as? String == "late")
    #expect(try theirs.get(id)?["title"] as? String == "late")
    await running.stop()
  }
}
