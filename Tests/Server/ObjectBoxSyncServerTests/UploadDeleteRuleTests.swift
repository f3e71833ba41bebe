import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// Delete rules of the server's database, in transactions of devices.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct UploadDeleteRuleTests {
  @Test func `a delete rule removes what it says, in the same delta, or rejects the removal`()
    async throws
  {
    let test = try await TestServerLog(syncsNotes: true)
    var a = TestDevice(
      1,
      test,
      granted: [Scope(entity: TestServerLog.item), Scope(entity: TestServerLog.note)]
    )
    try a.insert(TestServerLog.item, 7, [])
    try a.insert(
      TestServerLog.note,
      8,
      [(PropertyUID(3002), .target(try a.reference(TestServerLog.item, 7)))]
    )
    try await a.synchronize()
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.item, 7))] }
    try await a.synchronize()
    #expect(a.decisions == [.accepted, .accepted, .accepted])
    #expect(a.row(TestServerLog.note, 8) == nil)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Note""#) == [["0"]])
  }

  @Test(arguments: ["cascade", "nullify"])
  func `a removal is rejected that a delete rule would carry to objects of others`(
    _ rule: String
  ) async throws {
    let test = try await TestServerLog(syncsNotes: true, noteRule: rule)
    var a = TestDevice(
      1,
      test,
      granted: [Scope(entity: TestServerLog.item), Scope(entity: TestServerLog.note)]
    )
    try a.insert(TestServerLog.item, 7, [])
    for id in 8...9 as ClosedRange<UInt64> {
      try a.insert(
        TestServerLog.note,
        id,
        [(PropertyUID(3002), .target(try a.reference(TestServerLog.item, 7)))]
      )
    }
    try await a.synchronize()
    let before = a.decisions.count
    // Of the notes, the user may write the first one.
    a.mayWrite = { key, _, _ in key.entity != TestServerLog.note || key.id == 8 }
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.item, 7))] }
    try await a.synchronize()
    #expect(
      Array(a.decisions.dropFirst(before)) == [
        .rejected(Rejection(entity: TestServerLog.note, property: nil, reason: .permission))
      ]
    )
    let notes = try await test.sql(#"SELECT id::text, item::text FROM @"Note" ORDER BY id"#)
    #expect(notes == [["8", "7"], ["9", "7"]])
    // The right counts as the transaction found the objects that it leads to.
    a.mayWrite = { key, row, related in
      guard key.entity == TestServerLog.note else { return true }
      guard let item = row.values[PropertyUID(3002)]?.integerValue else { return rule == "nullify" }
      return try related(ObjectKey(entity: TestServerLog.item, id: UInt64(item))) != nil
    }
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.item, 7))] }
    try await a.synchronize()
    #expect(a.decisions.last == .accepted)
    let rest = try await test.sql(
      #"SELECT id::text, coalesce(item::text, '-') FROM @"Note" ORDER BY id"#
    )
    #expect(rest == (rule == "cascade" ? [] : [["8", "-"], ["9", "-"]]))
  }

  @Test(arguments: ["cascade", "restrict", "nullify"])
  func `a delete rule leaves an object that moves away in the transaction of the removal`(
    _ rule: String
  ) async throws {
    let test = try await TestServerLog(syncsNotes: true, noteRule: rule)
    var a = TestDevice(
      1,
      test,
      granted: [Scope(entity: TestServerLog.item), Scope(entity: TestServerLog.note)]
    )
    let item = PropertyUID(3002)
    try a.insert(TestServerLog.item, 7, [])
    try a.insert(TestServerLog.item, 9, [])
    try a.insert(TestServerLog.note, 8, [(item, .target(try a.reference(TestServerLog.item, 7)))])
    try await a.synchronize()
    _ = try await test.takeLog()
    try a.write { device, _ in
      [
        .delete(try device.reference(TestServerLog.item, 7)),
        .update(
          try device.reference(TestServerLog.note, 8),
          PropertyList([(item, .target(try device.reference(TestServerLog.item, 9)))])
        ),
      ]
    }
    try await a.synchronize()
    #expect(a.decisions.last == .accepted)
    #expect(a.row(TestServerLog.item, 7) == nil)
    #expect(a.row(TestServerLog.note, 8)?.values[item] == .integer(9))
    #expect(try await test.sql(#"SELECT id::text, item::text FROM @"Note""#) == [["8", "9"]])
    // The note was never gone.
    #expect(try await test.takeLog().filter { $0.hasPrefix("903 8 -") }.isEmpty)
  }

  @Test func `a delete rule removes what the transaction of the removal connects`() async throws {
    let test = try await TestServerLog(hasTallies: true, tallyRule: "cascade")
    var a = TestDevice(1, test, granted: [Scope(entity: TestServerLog.tally)])
    let parent = PropertyUID(6005)
    try a.insert(TestServerLog.tally, 1, [])
    try a.insert(
      TestServerLog.tally,
      2,
      [(parent, .target(try a.reference(TestServerLog.tally, 1)))]
    )
    try a.insert(TestServerLog.tally, 3, [])
    try await a.synchronize()
    try a.write { device, _ in
      [
        .delete(try device.reference(TestServerLog.tally, 1)),
        .update(
          try device.reference(TestServerLog.tally, 3),
          PropertyList([(parent, .target(try device.reference(TestServerLog.tally, 2)))])
        ),
      ]
    }
    try await a.synchronize()
    #expect(a.decisions.last == .accepted)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Tally""#) == [["0"]])
    #expect(a.row(TestServerLog.tally, 2) == nil)
    #expect(a.row(TestServerLog.tally, 3) == nil)
  }

  @Test func `a removal is not restricted by objects that its transaction removes too`()
    async throws
  {
    let test = try await TestServerLog(syncsNotes: true, noteRule: "restrict")
    var a = TestDevice(
      1,
      test,
      granted: [Scope(entity: TestServerLog.item), Scope(entity: TestServerLog.note)]
    )
    try a.insert(TestServerLog.item, 7, [])
    for id in [8, 9] as [UInt64] {
      try a.insert(
        TestServerLog.note,
        id,
        [(PropertyUID(3002), .target(try a.reference(TestServerLog.item, 7)))]
      )
    }
    try a.write { device, _ in
      [
        .delete(try device.reference(TestServerLog.note, 8)),
        .delete(try device.reference(TestServerLog.item, 7)),
      ]
    }
    try await a.synchronize()
    try a.write { device, _ in
      [
        .delete(try device.reference(TestServerLog.note, 8)),
        .delete(try device.reference(TestServerLog.note, 9)),
        .delete(try device.reference(TestServerLog.item, 7)),
      ]
    }
    try await a.synchronize()
    let rejection = Rejection(entity: TestServerLog.note, property: nil, reason: .restricted)
    #expect(a.decisions.suffix(2) == [.rejected(rejection), .accepted])
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Note""#) == [["0"]])
  }
}
