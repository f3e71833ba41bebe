import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct DeltaTests {
  /// The number of deltas of a test.
  private var deltas: Int { TestServer.isLong ? 4_000 : 300 }

  /// Follows while writers write.
  ///
  /// - Returns: The number of deltas after which a copy differed from the table.
  private func wrongDeltas(
    _ test: TestServerLog,
    isNaive: Bool = false,
    hasTwoPhase: Bool = false,
    seed: UInt64
  ) async throws -> Int {
    var all = Follower(test)
    var ruled = Follower(test, owners: [0, 1, 2])
    all.isNaive = isNaive
    ruled.isNaive = isNaive
    var wrong = 0
    let ends = try await RandomWriters(test, hasTwoPhase: hasTwoPhase, seed: seed).run {
      func compare(_ follower: inout Follower) async throws {
        let table = try await follower.follow()
        guard follower.table != table else { return }
        wrong += 1
        follower.forget()
      }
      for _ in 0..<deltas {
        try await compare(&all)
        try await compare(&ruled)
      }
    }
    #expect(ends.unexpected == [])
    #expect(ends.committed > 0 && ends.rolledBack > 0)
    if hasTwoPhase { #expect(ends.prepared > 0) }
    return wrong
  }

  @Test func `a copy equals the table at each delta beside concurrent writers, also under a rule`()
    async throws
  {
    #expect(try await wrongDeltas(TestServerLog(), seed: 1) == 0)
  }

  @Test(.enabled(TestServer.noTwoPhase) { try await TestServer.hasTwoPhase() })
  func `a copy equals the table at each delta beside two-phase commits`() async throws {
    #expect(try await wrongDeltas(TestServerLog(), hasTwoPhase: true, seed: 2) == 0)
  }

  @Test func `the greatest transaction number alone is a wrong cursor`() async throws {
    #expect(try await wrongDeltas(TestServerLog(), isNaive: true, seed: 3) > 0)
  }

  @Test func `a transaction that was open during a delta is in the delta after its commit`()
    async throws
  {
    let test = try await TestServerLog()
    var follower = Follower(test)
    let late = try await TestServer.connect()
    try await test.sql("BEGIN", on: late)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#, on: late)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (2, 1)"#)
    try await follower.follow()
    #expect(follower.copy.keys.map(\.id) == [2])
    #expect(follower.cursor?.snapshot.inProgress.isEmpty == false)
    try await test.sql("COMMIT", on: late)
    try await follower.follow()
    #expect(follower.lastDelta?.rows.map(\.key.id) == [1])
  }

  @Test func `an object that leaves a rule leaves in the same delta`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test, owners: [1])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 1), (3, 2)"#)
    try await follower.follow()
    try await test.sql(#"UPDATE @"Item" SET owner = 3 - owner WHERE id <> 2"#)
    try await follower.follow()
    #expect(follower.lastDelta?.leaves.map(\.id) == [1])
    #expect(follower.lastDelta?.rows.map(\.key.id) == [3])
  }

  @Test func `pairs travel with their source`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (5)"#)
    try await follower.follow()
    try await test.sql("INSERT INTO @objectbox_relation_5001 (source, target) VALUES (1, 5)")
    try await follower.follow()
    let pairs = try #require(follower.firstRow?.pairs)
    #expect(pairs.map(\.target) == [ObjectKey(entity: TestServerLog.label, id: 5)])
    #expect(pairs.first?.dot.bits != Identifier128(high: 0, low: 0))
  }

  @Test func `an object that takes the ID of a removed one has another origin ID`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    try await follower.follow()
    let first = try #require(follower.firstRow?.originID)
    try await test.sql(#"UPDATE @"Item" SET value = 3"#)
    try await follower.follow()
    #expect(follower.firstRow?.originID == first)
    try await test.sql(#"DELETE FROM @"Item""#)
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    try await follower.follow()
    #expect(follower.firstRow?.originID != first)
  }

  @Test func `a first fill in several deltas is exact up to its progress`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, value) SELECT g, g % 3, g FROM generate_series(1, 100) AS g"#
    )
    var follower = Follower(test, owners: [0, 1, 2])
    follower.fillLimit = 7
    var deltas = 0
    repeat {
      let table = try await follower.follow()
      let copy = follower.table
      // Each owner's scope has a progress of its own; an object below it is there.
      for element in follower.progress.elements {
        guard case .filled(let progress) = element.progress else { continue }
        let owner = element.scope.comparisons.first?.value.integerValue ?? 0
        for (id, line) in table where id <= progress && line.hasPrefix("\(owner)|") {
          #expect(copy[id] == line)
        }
      }
      try await test.sql(
        #"UPDATE @"Item" SET value = value + 1, owner = (owner + 1) % 3 WHERE id % 10 = \#(deltas % 10)"#
      )
      deltas += 1
    } while !follower.progress.isComplete && deltas < 100
    #expect(deltas > 3)
    let table = try await follower.follow()
    #expect(follower.table == table)
  }

  @Test func `a part of a first fill has a limited size, whatever the size of its objects is`()
    async throws
  {
    let test = try await TestServerLog()
    // Large objects behind many small ones.
    try await test.sql(
      """
      INSERT INTO @"Item" (id, title) SELECT g, repeat('x', CASE WHEN g > 3000 THEN 5000 ELSE 1 END)
      FROM generate_series(1, 4000) AS g
      """
    )
    var follower = Follower(test)
    var sizes: [Int] = []
    var table: [UInt64: String] = [:]
    repeat {
      table = try await follower.follow()
      let delta = try #require(follower.lastDelta)
      #expect(zip(delta.rows, delta.rows.dropFirst()).allSatisfy { $0.key < $1.key })
      sizes.append(WireMessage.delta(delta).encoded().count)
    } while !follower.progress.isComplete && sizes.count < 100
    #expect(follower.table == table)
    // 5.2 MB in all; the page after the small objects is larger than it should be.
    #expect((3...6).contains(sizes.count) && sizes.allSatisfy { $0 < 2 << 20 }, "\(sizes)")
  }

  @Test func `a part has one object, if the first one is as large as a part`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      """
      INSERT INTO @"Item" (id, title) SELECT g, repeat('x', 3000000) FROM generate_series(1, 4) AS g
      """
    )
    var follower = Follower(test)
    var counts: [Int] = []
    var table: [UInt64: String] = [:]
    repeat {
      table = try await follower.follow()
      counts.append(try #require(follower.lastDelta).rows.count)
    } while !follower.progress.isComplete && counts.count < 10
    #expect(follower.table == table)
    #expect(counts == [1, 1, 1, 1])
  }

  @Test
  func `a delta finds changes by the index, although the log was small when it was first read`()
    async throws
  {
    let test = try await TestServerLog()
    var follower = Follower(test)
    let pid = try await test.serverLog.pool.withConnection { $0.backendID }
    // After some runs a connection keeps the plan.
    for id in 1...10 {
      try await test.sql(#"INSERT INTO @"Item" (id) VALUES (\#(id))"#)
      try await follower.follow()
    }
    let plan = try await test.serverLog.pool.withConnection { connection in
      #expect(connection.backendID == pid)
      let name = try await test.sql(
        """
        SELECT name FROM pg_prepared_statements
        WHERE statement LIKE '%objectbox_changes"%WHERE xact >= $1%' AND generic_plans > 0
        """,
        on: connection
      )
      let number = try #require(name.first?.first ?? nil)
      return try await test.sql("EXPLAIN EXECUTE \(number) ('1', 1, 1, '1')", on: connection)
    }
    let lines = plan.compactMap { $0[0] }
    let scans = lines.filter { $0.contains("on objectbox_changes_") }
    #expect(!scans.isEmpty && scans.allSatisfy { !$0.contains("Seq Scan") }, "\(lines)")
  }

  @Test func `many small scopes are filled by one delta`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner) SELECT g, g % 40 FROM generate_series(1, 1000) AS g"#
    )
    var follower = Follower(test, owners: Array(0..<40))
    let table = try await follower.follow()
    #expect(follower.progress.isComplete)
    #expect(table.count == 1_000)
    #expect(follower.table == table)
  }

  @Test func `a cursor of another epoch gives a reset`() async throws {
    let test = try await TestServerLog()
    var follower = Follower(test)
    try await follower.follow()
    let delta = try #require(follower.lastDelta)
    let epoch = Epoch(system: delta.cursor.epoch.system &+ 1, database: 1, timeline: 1)
    follower.take(
      Delta(
        state: delta.state,
        cursor: Cursor(
          snapshot: delta.cursor.snapshot,
          epoch: epoch,
          position: delta.cursor.position
        ),
        scopes: delta.scopes,
        leaves: [],
        rows: RowBatch(),
        decisions: []
      )
    )
    guard case .reset = try await follower.read().answer else {
      Issue.record("the cursor was taken")
      return
    }
  }

  @Test func `a scope of several comparisons has what passes all, through changes of each`()
    async throws
  {
    let test = try await TestServerLog(logging: [
      TestServerLog.item: [TestServerLog.owner, TestServerLog.value]
    ])
    let scope = Scope(
      entity: TestServerLog.item,
      [
        Scope.Comparison(TestServerLog.value, .equals, .integer(1)),
        Scope.Comparison(TestServerLog.owner, .equals, .integer(7)),
      ]
    )
    var follower = Follower(test, [scope], where: "owner = 7 AND value = 1")
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, value) VALUES (1, 7, 1), (2, 7, 2), (3, 8, 1), (4, 7, NULL)"#
    )
    #expect(try await follower.follow() == follower.table)
    #expect(follower.copy.count == 1)
    for (change, count) in [
      ("owner = 7 WHERE id = 3", 2), ("value = 2 WHERE id = 1", 1), ("value = 1 WHERE id <> 3", 4),
      ("owner = 8 WHERE id IN (2, 3)", 2),
    ] {
      try await test.sql(#"UPDATE @"Item" SET \#(change)"#)
      #expect(try await follower.follow() == follower.table, "\(change)")
      #expect(follower.copy.count == count, "\(change)")
    }
  }

  @Test func `a scope of a list has the objects whose list contains the text`() async throws {
    let test = try await TestServerLog(logging: [TestServerLog.values: [TestServerLog.list]])
    let ada = PropertyValue.bytes(Array("ada".utf8))
    let scope = Scope(
      entity: TestServerLog.values,
      [Scope.Comparison(TestServerLog.list, .contains, ada)]
    )
    var follower = Follower(test, [scope])
    try await test.sql(
      #"INSERT INTO @"Value" (id, value11) VALUES (1, '{ada,bob}'), (2, '{adam}'), (3, NULL), (4, '{}')"#
    )
    try await follower.follow()
    #expect(follower.copy.keys.map(\.id) == [1])
    try await test.sql(#"UPDATE @"Value" SET value11 = array_append(value11, 'ada') WHERE id >= 3"#)
    try await follower.follow()
    #expect(follower.copy.keys.map(\.id).sorted() == [1, 3, 4])
    try await test.sql(#"UPDATE @"Value" SET value11 = array_remove(value11, 'ada') WHERE id <= 3"#)
    try await follower.follow()
    #expect(follower.copy.keys.map(\.id) == [4])
    #expect(follower.lastDelta?.leaves.map(\.id) == [1, 3])
  }

  @Test func `a change wakes the sessions in whose scopes an object was or is, and no others`() {
    var index = ScopeIndex()
    func scope(_ comparisons: Scope.Comparison...) -> Scope {
      Scope(entity: TestServerLog.item, comparisons)
    }
    func text(_ text: String) -> PropertyValue { .bytes(Array(text.utf8)) }
    let (owner, list) = (TestServerLog.owner, TestServerLog.list)
    let names = ["all", "7", "list", "gone", "both", "8"]
    let scopes = [
      Scope(entity: TestServerLog.item), scope(.init(owner, .equals, .integer(7))),
      scope(.init(list, .contains, text("a"))), scope(.init(list, .contains, text("a"))),
      scope(.init(list, .contains, text("b")), .init(owner, .equals, .integer(1))),
      scope(.init(owner, .equals, .integer(8))),
    ]
    for (number, scope) in scopes.enumerated() { index.add(Int32(number), [scope]) }
    for name in ["gone", "8"] {
      if let number = names.firstIndex(of: name) { index.remove(Int32(number), [scopes[number]]) }
    }
    func woken(_ before: [(PropertyUID, PropertyValue)]?, _ after: [(PropertyUID, PropertyValue)]?)
      -> [String]
    {
      let entry = LogEntry(
        transaction: 1,
        key: ObjectKey(entity: TestServerLog.item, id: 1),
        before: before.map { PropertyList($0) },
        after: after.map { PropertyList($0) }
      )
      return index.numbers(concernedBy: [entry]).map { names[Int($0)] }.sorted()
    }
    let lists = PropertyValue.bytes([0, 0, 0, 1, 97, 0, 0, 0, 2, 98, 98])
    #expect(woken(nil, [(owner, .integer(8))]) == ["all"])
    #expect(woken([(owner, .integer(7))], nil) == ["7", "all"])
    #expect(
      woken([(owner, .integer(7))], [(owner, .integer(8)), (list, lists)]) == ["7", "all", "list"]
    )
    #expect(
      woken(nil, [(owner, .integer(1)), (list, .bytes([0, 0, 0, 1, 98]))]) == ["all", "both"]
    )
    #expect(woken(nil, nil) == ["7", "all", "both", "list"])
  }

  @Test func `a reading with a limit counts the changes that it does not read`() async throws {
    let test = try await TestServerLog()
    let deltas = DeltaReading(test.serverLog)
    let start = try await deltas.changes(since: nil, limit: 10)
    try await test.sql("BEGIN")
    try await test.sql(#"INSERT INTO @"Item" (id) VALUES (1)"#)
    let middle = try await deltas.changes(since: start.cursor, limit: 10)
    for id in 2...4 { try await test.sql(#"INSERT INTO @"Item" (id) VALUES (\#(id))"#) }
    try await test.sql(#"INSERT INTO @"Item" (id) SELECT generate_series(10, 5009)"#)
    try await test.sql("INSERT INTO @\"Label\" (id) VALUES (1)")
    try await test.sql("COMMIT")
    for cursor in [start.cursor, middle.cursor] {
      let all = try await deltas.changes(since: cursor, limit: 10_000)
      #expect(all.entries?.count == 5_005)
      #expect(all.further.isEmpty)
      let few = try await deltas.changes(since: cursor, limit: 6)
      let read = try #require(few.entries)
      #expect((6...6 + ChangeTriggers.rowSize).contains(read.count))
      #expect(few.further == [TestServerLog.item: 5_004 - read.count, TestServerLog.label: 1])
    }
  }

  @Test func `a change has the values of its properties, in whatever order the log has them`()
    async throws
  {
    let test = try await TestServerLog(logging: [
      TestServerLog.item: [TestServerLog.title, TestServerLog.owner]
    ])
    let deltas = DeltaReading(test.serverLog)
    let start = try await deltas.changes(since: nil, limit: 10)
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, title) VALUES (1, 7, 'a'), (2, NULL, 'b')"#
    )
    let changes = try await deltas.changes(since: start.cursor, limit: 10)
    let values = try #require(changes.entries).sorted { $0.key.id < $1.key.id }.map(\.after)
    #expect(values.map { $0?[TestServerLog.owner] } == [.integer(7), .null])
    #expect(values.map { $0?[TestServerLog.title] } == [.bytes([97]), .bytes([98])])
    #expect(
      values.allSatisfy {
        $0?.elements.map(\.property) == [TestServerLog.owner, TestServerLog.title]
      }
    )
  }

  @Test func `a connection that has read a delta tells the same identity of its database again`()
    async throws
  {
    let test = try await TestServerLog()
    let rows = try await test.connection.run([Statement(once: test.serverLog.identityQuery)])
    let epoch = try test.serverLog.epoch(rows[0], 0)
    for _ in 0..<2 {
      let changes = try await DeltaReading(test.serverLog).changes(since: nil, limit: 1)
      #expect(changes.cursor.epoch == epoch)
    }
  }

  @Test func `a scope on a property that the log lacks is refused`() async throws {
    let test = try await TestServerLog()
    let follower = Follower(
      test,
      [Scope(entity: TestServerLog.item, property: TestServerLog.title, value: .bytes([65]))]
    )
    await #expect {
      try await follower.read()
    } throws: { error in
      guard case .notPrepared(let message) = error as? ServerLogError else { return false }
      return message.contains("'Item'") && message.contains("1004")
    }
  }

  @Test func `the ends of timelines are read from the server's file`() {
    let text = "1\t0/3000148\tno recovery target specified\n\n2\t1/A0000000\tbefore\n"
    let switches = ServerHeader.switches(text)
    #expect(
      switches == [
        ServerHistory.Switch(timeline: 1, position: 0x300_0148),
        ServerHistory.Switch(timeline: 2, position: 0x1_A000_0000),
      ]
    )
  }
}
