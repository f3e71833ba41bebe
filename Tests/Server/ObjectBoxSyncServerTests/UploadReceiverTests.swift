import ObjectBox
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct UploadReceiverTests {
  private func text(_ text: String) -> PropertyValue { .bytes(Array(text.utf8)) }

  @Test func `writes of each kind reach another device, with their decisions in the delta`()
    async throws
  {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    var b = TestDevice(2, test)
    try a.insert(TestServerLog.label, 5, [(PropertyUID(2002), text("red"))])
    try a.write { device, token in
      let item = ObjectKey(entity: TestServerLog.item, id: 7)
      return [
        .insert(item, PropertyList([(TestServerLog.owner, .integer(3))]), .assigned),
        .addPair(
          ObjectReference(item, madeBy: token),
          TestServerLog.labels,
          try device.reference(TestServerLog.label, 5)
        ),
      ]
    }
    try a.insert(
      TestServerLog.code,
      9,
      [
        (TestServerLog.text, text("x")),
        (TestServerLog.codeItem, .target(try a.reference(TestServerLog.item, 7))),
      ]
    )
    #expect(a.decisions.isEmpty)
    try await a.synchronize()
    #expect(a.decisions == [.accepted, .accepted, .accepted])
    try await b.download()
    #expect(b.row(TestServerLog.item, 7)?.values[TestServerLog.owner] == .integer(3))
    #expect(b.row(TestServerLog.item, 7)?.pairs.map(\.target.id) == [5])
    #expect(b.row(TestServerLog.code, 9)?.values[TestServerLog.codeItem] == .integer(7))

    let pair = try #require(b.row(TestServerLog.item, 7)?.pairs.first)
    try b.write { device, _ in
      let item = try device.reference(TestServerLog.item, 7)
      return [
        .update(item, PropertyList([(TestServerLog.title, text("new"))])),
        .removePair(
          item,
          TestServerLog.labels,
          try device.reference(TestServerLog.label, 5),
          seen: pair.dot
        ),
        .delete(try device.reference(TestServerLog.code, 9)),
      ]
    }
    try await b.synchronize()
    try await a.download()
    #expect(a.row(TestServerLog.item, 7)?.values[TestServerLog.title] == text("new"))
    #expect(a.row(TestServerLog.item, 7)?.values[TestServerLog.owner] == .integer(3))
    #expect(a.row(TestServerLog.item, 7)?.pairs == [])
    #expect(a.row(TestServerLog.code, 9) == nil)
    #expect(
      try await test.sql(#"SELECT owner::text, title FROM @"Item""#) == [["3", "new"]]
    )
  }

  @Test func `an upload that arrives again, also at two servers at once, has one effect`()
    async throws
  {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    for id in 1...3 as ClosedRange<UInt64> { try a.insert(TestServerLog.item, id, []) }
    try a.write { device, _ in
      [.delete(try device.reference(TestServerLog.item, 1))]
    }
    let upload = try a.device.upload(limit: 100)
    let receiver = a.receiver
    try await withThrowingTaskGroup(of: ServerReply.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await receiver.receive(upload, now: { 2_000 }, mayWrite: { _, _, _ in true })
        }
      }
      for try await reply in group {
        #expect(reply == .acknowledged(upload.device, last: 4))
      }
    }
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["2"]])
    #expect(try await test.sql("SELECT count(*)::text FROM @objectbox_verdicts") == [["4"]])
    try await a.download()
    #expect(a.decisions.count == 4)
  }

  @Test func `an object whose pair ends with its target is not written`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    try a.write { device, _ in
      [
        .insert(ObjectKey(entity: TestServerLog.item, id: 7), PropertyList(), .assigned),
        .insert(ObjectKey(entity: TestServerLog.label, id: 8), PropertyList(), .assigned),
      ]
    }
    try await a.synchronize()
    try a.write { device, _ in
      [
        .addPair(
          try device.reference(TestServerLog.item, 7),
          TestServerLog.labels,
          try device.reference(TestServerLog.label, 8)
        )
      ]
    }
    try await a.synchronize()
    let row = try await test.sql(#"SELECT xmin::text FROM @"Item""#)
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.label, 8))] }
    try await a.synchronize()
    #expect(a.row(TestServerLog.item, 7)?.pairs.isEmpty == true)
    #expect(try await test.sql(#"SELECT xmin::text FROM @"Item""#) == row)
  }

  @Test func `a taken ID is renumbered, and later references of the device lead to the new one`()
    async throws
  {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    var b = TestDevice(2, test)
    try a.insert(TestServerLog.item, 7, [(TestServerLog.owner, .integer(1))])
    try b.insert(TestServerLog.item, 7, [(TestServerLog.owner, .integer(2))])
    try b.insert(
      TestServerLog.code,
      1,
      [(TestServerLog.codeItem, .target(try b.reference(TestServerLog.item, 7)))]
    )
    try await a.synchronize()
    try await b.synchronize()
    guard case .merged([], let identities) = b.decisions.first, let new = identities.first?.identity
    else {
      Issue.record("\(b.decisions)")
      return
    }
    #expect(new.key.id != 7)
    #expect(b.row(TestServerLog.item, 7)?.values[TestServerLog.owner] == .integer(1))
    #expect(b.row(TestServerLog.item, new.key.id)?.values[TestServerLog.owner] == .integer(2))
    #expect(
      b.row(TestServerLog.code, 1)?.values[TestServerLog.codeItem] == .integer(Int64(new.key.id))
    )
  }

  @Test func `a taken unique value rejects the transaction, which is undone on the device`()
    async throws
  {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    var b = TestDevice(2, test)
    try a.insert(TestServerLog.code, 1, [(TestServerLog.text, text("x"))])
    try b.write { device, _ in
      [
        .insert(
          ObjectKey(entity: TestServerLog.code, id: 2),
          PropertyList([(TestServerLog.text, text("x"))]),
          .assigned
        ),
        .insert(ObjectKey(entity: TestServerLog.item, id: 8), PropertyList(), .assigned),
      ]
    }
    try b.insert(TestServerLog.item, 9, [])
    try await a.synchronize()
    try await b.synchronize()
    #expect(
      b.decisions == [
        .rejected(
          Rejection(entity: TestServerLog.code, property: TestServerLog.text, reason: .unique)
        ),
        .accepted,
      ]
    )
    #expect(b.row(TestServerLog.code, 2) == nil)
    #expect(b.row(TestServerLog.item, 8) == nil)
    #expect(b.row(TestServerLog.item, 9) != nil)
    #expect(try await test.sql(#"SELECT id::text FROM @"Code""#) == [["1"]])
  }

  @Test func `an update of an object that is gone is dropped and told`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    var b = TestDevice(2, test)
    try a.insert(TestServerLog.item, 7, [])
    try await a.synchronize()
    try await b.download()
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.item, 7))] }
    try b.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.item, 7),
          PropertyList([(TestServerLog.owner, .integer(9))])
        )
      ]
    }
    try await a.synchronize()
    try await b.synchronize()
    let key = ObjectKey(entity: TestServerLog.item, id: 7)
    #expect(
      b.decisions == [
        .merged(
          dropped: [DroppedOperation(index: 0, key: key, reason: .deleted)],
          identities: []
        )
      ]
    )
    #expect(b.row(TestServerLog.item, 7) == nil)
    // The ID stays taken.
    try b.insert(TestServerLog.item, 7, [])
    try await b.synchronize()
    #expect(b.row(TestServerLog.item, 7) == nil)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["1"]])
  }

  @Test func `what the user may not write is rejected, before and after the change`()
    async throws
  {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    a.mayWrite = { _, row, _ in row.values[TestServerLog.owner] == .integer(1) }
    try a.insert(TestServerLog.item, 1, [(TestServerLog.owner, .integer(1))])
    try a.insert(TestServerLog.item, 2, [(TestServerLog.owner, .integer(2))])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 2)"#)
    try await a.synchronize()
    try a.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.item, 3),
          PropertyList([(TestServerLog.owner, .integer(1))])
        )
      ]
    }
    try await a.synchronize()
    try a.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.item, 1),
          PropertyList([(TestServerLog.owner, .integer(2))])
        )
      ]
    }
    try await a.synchronize()
    let rejection = Decision.rejected(
      Rejection(entity: TestServerLog.item, property: nil, reason: .permission)
    )
    #expect(a.decisions == [.accepted, rejection, rejection, rejection])
    #expect(a.row(TestServerLog.item, 1)?.values[TestServerLog.owner] == .integer(1))
    #expect(a.row(TestServerLog.item, 2) == nil)
    #expect(a.row(TestServerLog.item, 3)?.values[TestServerLog.owner] == .integer(2))
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3]] as [[UInt64]])
  func `unique values change hands within a transaction, in any order`(
    order: [UInt64]
  ) async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    let names: [UInt64: String] = [1: "a", 2: "b", 3: "c"]
    for (id, name) in names.sorted(by: { $0.key < $1.key }) {
      try a.insert(TestServerLog.code, id, [(TestServerLog.text, .bytes(Array(name.utf8)))])
    }
    try await a.synchronize()
    func update(_ texts: [UInt64: String?]) async throws -> [[String?]] {
      try a.write { device, _ in
        try order.compactMap { id in
          guard let text = texts[id] else { return nil }
          let value = text.map { PropertyValue.bytes(Array($0.utf8)) } ?? .null
          return .update(
            try device.reference(TestServerLog.code, id),
            PropertyList([(TestServerLog.text, value)])
          )
        }
      }
      try await a.synchronize()
      #expect(a.decisions.last == .accepted)
      return try await test.sql(#"SELECT text FROM @"Code" ORDER BY id"#)
    }
    #expect(try await update([1: "b", 2: "c", 3: "a"]) == [["b"], ["c"], ["a"]])
    #expect(try await update([1: "c", 2: "b"]) == [["c"], ["b"], ["a"]])
    #expect(try await update([1: "b", 2: nil]) == [["b"], [nil], ["a"]])
  }

  @Test func `every value of every column is stored or rejected by its property`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    let integers = [.min, .min + 1, -1, 0, 1, 300, 70_000, 1 << 40, .max - 1, .max] as [Int64]
    let numbers = [0, -0.0, 1.5, 0.1, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
    let texts: [[UInt8]] = [
      [], [0], [97], [0xC3], [0xFF, 0xFE], Array("NaN".utf8), Array("1e200".utf8),
      Array("1.5".utf8),
      [0, 0, 0, 0], [0, 0, 0, 1, 97], [0, 0, 0, 4, 1, 2, 3, 4], [0xFF, 0xFF, 0xFF, 0xFF],
      [UInt8](repeating: 7, count: 16),
    ]
    let values =
      integers.map { PropertyValue.integer($0) }
      + numbers.map { PropertyValue.double(bits: $0.bitPattern) }
      + texts.map { PropertyValue.bytes($0) }
    let columns = try #require(test.serverLog.entity(TestServerLog.values)).table.columns
      .dropFirst()
    var written: [(id: UInt64, property: PropertyUID, value: PropertyValue)] = []
    for column in columns {
      for value in values {
        written.append((UInt64(written.count + 1), column.uid, value))
      }
    }
    for (id, property, value) in written {
      try a.insert(TestServerLog.values, id, [(property, value)])
    }
    while a.decisions.count < written.count { try await a.synchronize() }
    var accepted = 0
    for ((id, property, value), decision) in zip(written, a.decisions) {
      let row = a.row(TestServerLog.values, id)
      guard decision == .accepted else {
        let rejection = Rejection(entity: TestServerLog.values, property: property, reason: .value)
        #expect(decision == .rejected(rejection), "\(property) \(value)")
        #expect(row == nil)
        continue
      }
      accepted += 1
      let isFlag = columns.first { $0.uid == property }?.kind == .bool
      let isNone =
        if case .double(let bits) = value { Double(bitPattern: bits).isNaN } else { false }
      if !isFlag, !isNone { #expect(row?.values[property] == value, "\(property)") }
    }
    #expect(accepted > 60 && accepted < written.count)
  }

  @Test func `no new object gets an ID that a device has used, leased or not`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    for id in 1...30 as ClosedRange<UInt64> { try a.insert(TestServerLog.item, id, []) }
    try a.insert(TestServerLog.item, 1 << 50, [])
    try await a.synchronize()
    #expect(Set(a.decisions) == [.accepted])
    let entity = try #require(test.serverLog.entity(TestServerLog.item)).table.schema.identity.id
    let ids = try await test.cluster.reserveIDs(5, entity: entity)
    #expect(ids.reduce(0) { $0 + $1.count } == 5)
    #expect(ids.allSatisfy { $0.lowerBound > 30 && $0.upperBound < 1 << 20 })
  }

  @Test func `a value that the database cannot have rejects its transaction alone`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    try a.insert(TestServerLog.item, 1, [(TestServerLog.title, .bytes([0]))])
    try a.insert(TestServerLog.item, 2, [(TestServerLog.owner, .double(bits: 0))])
    try a.insert(TestServerLog.item, 3, [])
    try await a.synchronize()
    #expect(
      a.decisions == [
        .rejected(
          Rejection(entity: TestServerLog.item, property: TestServerLog.title, reason: .value)
        ),
        .rejected(
          Rejection(entity: TestServerLog.item, property: TestServerLog.owner, reason: .value)
        ),
        .accepted,
      ]
    )
  }

  @Test func `a write that the database's own rules refuse is rejected, and blocks no other`()
    async throws
  {
    let test = try await TestServerLog()
    try await test.sql(#"ALTER TABLE @"Item" ADD CHECK (owner < 100)"#)
    try await test.sql(#"CREATE UNIQUE INDEX ON @"Item" (title)"#)
    try await test.sql(
      #"""
      CREATE FUNCTION @refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not on a Sunday'; END $$;
      """#
    )
    try await test.sql(
      #"""
      CREATE TRIGGER refusal BEFORE INSERT ON @"Item" FOR EACH ROW WHEN (NEW.owner = 7)
        EXECUTE FUNCTION @refuse()
      """#
    )
    var a = TestDevice(1, test)
    try a.insert(TestServerLog.item, 1, [(TestServerLog.owner, .integer(100))])
    try a.insert(TestServerLog.item, 2, [(TestServerLog.title, text("a"))])
    try a.insert(TestServerLog.item, 3, [(TestServerLog.title, text("a"))])
    try a.insert(TestServerLog.item, 4, [(TestServerLog.owner, .integer(7))])
    try a.insert(TestServerLog.item, 5, [])
    try await a.synchronize()
    let messages = a.decisions.map { decision -> String? in
      guard case .rejected(let rejection) = decision else { return nil }
      #expect(rejection.entity == TestServerLog.item && rejection.reason == .value)
      return rejection.message ?? ""
    }
    #expect(messages.map { $0 == nil } == [false, true, false, false, true])
    #expect(messages[0]?.contains("check constraint") == true)
    #expect(messages[2]?.contains("unique constraint") == true)
    #expect(messages[3]?.contains("not on a Sunday") == true)
  }

  @Test func `the transactions of an upload share transactions of the database`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    for id in 1...150 {
      try a.insert(TestServerLog.item, UInt64(id), [(TestServerLog.owner, .integer(1))])
    }
    // Each is decided over the effects of those before it.
    try a.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.item, 1),
          PropertyList([(TestServerLog.owner, .integer(2))])
        )
      ]
    }
    try a.write { device, _ in [.delete(try device.reference(TestServerLog.item, 2))] }
    try await a.upload()
    let counts = try await test.sql(
      #"SELECT count(*)::text, count(DISTINCT xmin::text)::text FROM @objectbox_uploads"#
    )
    #expect(counts == [["152", "2"]])
    #expect(
      try await test.sql(#"SELECT count(*)::text, max(owner)::text FROM @"Item""#) == [
        ["149", "2"]
      ]
    )
    // Sent once more, and with new ones behind.
    try a.insert(TestServerLog.item, 200, [])
    try await a.synchronize()
    #expect(a.decisions.count == 153)
    #expect(a.decisions.allSatisfy { $0 == .accepted })
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["150"]])
  }

  @Test func `one refused transaction of many rejects no other`() async throws {
    let test = try await TestServerLog()
    try await test.sql(#"ALTER TABLE @"Item" ADD CHECK (owner < 100)"#)
    var a = TestDevice(1, test)
    var refused: [Int] = []
    for id in 0..<120 {
      let isWrong = [0, 57, 58, 119].contains(id)
      if isWrong { refused.append(id) }
      try a.insert(
        TestServerLog.item,
        UInt64(id) + 1,
        [(TestServerLog.owner, .integer(isWrong ? 100 : 1))]
      )
    }
    try await a.synchronize()
    #expect(a.decisions.indices.filter { a.decisions[$0] != .accepted } == refused)
    #expect(a.decisions.count == 120)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["116"]])
  }

  @Test func `uploads of one queue by two servers at once have their effects once`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    for id in 1...60 { try a.insert(TestServerLog.item, UInt64(id), []) }
    let receiver = a.receiver
    let upload = try a.device.upload(limit: 100)
    async let one = receiver.receive(upload, now: { 2_000 }, mayWrite: { _, _, _ in true })
    async let two = receiver.receive(upload, now: { 2_000 }, mayWrite: { _, _, _ in true })
    let replies = try await [one, two]
    let device = upload.device
    #expect(replies == [.acknowledged(device, last: 60), .acknowledged(device, last: 60)])
    try await a.synchronize()
    #expect(a.decisions.count == 60)
    #expect(a.decisions.allSatisfy { $0 == .accepted })
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["60"]])
  }

  @Test func `observers of the cluster hear a device's write`() async throws {
    let test = try await TestServerLog()
    var a = TestDevice(1, test)
    try a.insert(TestServerLog.item, 1, [])
    try await a.upload()
    let entries = try await test.sql("SELECT entities::text, objects::text FROM @objectbox_commits")
    #expect(entries.last == ["{901}", "{1}"])
  }

  @Test func `leases never overlap`() async throws {
    let test = try await TestServerLog()
    let a = TestDevice(1, test)
    let lend = Lend(device: a.device.store.state.device, entity: TestServerLog.item)
    var seen: Set<UInt64> = []
    for _ in 0..<5 {
      let lease = try #require(try await a.receiver.lease(lend, count: 100))
      #expect(lease.block.ids.count >= 50)
      #expect(seen.isDisjoint(with: lease.block.ids))
      seen.formUnion(lease.block.ids)
    }
    let unknown = Lend(device: lend.device, entity: EntityUID(4))
    #expect(try await a.receiver.lease(unknown, count: 100) == nil)
  }
}
