import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Deltas of rules over to-one relations.
///
/// A user sees the codes of items with an owner, and tallies whose parent's parent has a title.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct LinkedDeltaTests {
  private static let tallyTitle = PropertyUID(6004)
  private static let tallyParent = PropertyUID(6005)

  private static let logged = [
    TestServerLog.item: [TestServerLog.owner], TestServerLog.code: [TestServerLog.codeItem],
    TestServerLog.tally: [tallyTitle, tallyParent],
  ]

  private static func rules(_ owner: Int64) -> [LinkedScope] {
    let items = Scope(
      entity: TestServerLog.item,
      property: TestServerLog.owner,
      value: .integer(owner)
    )
    let named = Scope(
      entity: TestServerLog.tally,
      property: tallyTitle,
      value: .bytes(Array("t\(owner)".utf8))
    )
    func child(of targets: [LinkedScope]) -> LinkedScope {
      LinkedScope(
        Scope(entity: TestServerLog.tally),
        links: [ScopeLink(tallyParent, to: TestServerLog.tally, in: targets)]
      )
    }
    return [
      LinkedScope(items),
      LinkedScope(
        Scope(entity: TestServerLog.code),
        links: [ScopeLink(TestServerLog.codeItem, to: TestServerLog.item, in: [LinkedScope(items)])]
      ),
      child(of: [child(of: [LinkedScope(named)])]),
    ]
  }

  /// A device with the connection's resolved links.
  private struct Reader {
    let owner: Int64
    var device: TestDevice
    var grants: Grants

    init(_ number: UInt64, _ owner: Int64, _ test: TestServerLog) {
      self.owner = owner
      device = TestDevice(number, test)
      grants = Grants(LinkedDeltaTests.rules(owner))
    }

    mutating func take(_ delta: Delta) throws {
      let result = try device.device.receive(delta) {
        DeviceIdentity(Identifier128(high: 998, low: 998))
      }
      #expect(result == .taken)
    }

    /// Takes a delta, and compares the device with the database at the delta's snapshot.
    ///
    /// - Returns: False for a reset.
    mutating func follow(fillLimit: Int? = nil) async throws -> Bool {
      let serverLog = device.test.serverLog
      let reading = DeltaReading(serverLog, fillLimit: fillLimit)
      let deltaRequest = try device.device.deltaRequest()
      let test = device.test
      let owner = owner
      let (answer, lines) = try await serverLog.transaction(reading.statements(deltaRequest)) {
        connection,
        rows in
        var end: [Statement] = []
        let answer = try await reading.answer(
          deltaRequest,
          granted: &grants,
          rows,
          connection,
          ending: &end
        )
        let lines = try await test.sql(
          """
          SELECT 'Item ' || id FROM @"Item" WHERE owner = \(owner) UNION ALL
          SELECT 'Code ' || c.id || ' ' || c.text FROM @"Code" AS c JOIN @"Item" AS i ON i.id = c.item
            WHERE i.owner = \(owner) UNION ALL
          SELECT 'Tally ' || a.id || ' ' || a.parent FROM @"Tally" AS a JOIN @"Tally" AS b ON b.id = a.parent
            JOIN @"Tally" AS c ON c.id = b.parent WHERE c.title = 't\(owner)' ORDER BY 1
          """,
          on: connection
        )
        return (answer, lines.compactMap { $0[0] })
      }
      guard case .delta(let delta) = answer else { return false }
      try take(delta)
      if delta.scopes.isComplete { #expect(shown == lines.sorted(), "user \(owner)") }
      // Nothing that the user may not see, also while a first fill goes on.
      #expect(Set(shown).isSubset(of: lines), "user \(owner)")
      return true
    }

    /// The objects that the device shows, in the form of the database's lines.
    private var shown: [String] {
      device.device.store.rows.rows.map { key, row in
        switch key.entity {
        case TestServerLog.item: return "Item \(key.id)"
        case TestServerLog.code:
          guard case .bytes(let text) = row.values[TestServerLog.text] else {
            return "Code \(key.id)"
          }
          return "Code \(key.id) \(String(decoding: text, as: UTF8.self))"
        case TestServerLog.tally:
          return "Tally \(key.id) \(row.values[tallyParent]?.integerValue ?? 0)"
        default: return "\(key)"
        }
      }.sorted()
    }

    /// Compares all objects with the server; `between` runs before each further step.
    mutating func reset(between: () async throws -> Void) async throws {
      var limits = ResetBuilder.Limits()
      limits.directCount = 0
      limits.partSize = 200
      let reading = ResetReading(device.test.serverLog, pageSize: 7, limits: limits)
      let deltaRequest = try device.device.deltaRequest()
      guard let epoch = deltaRequest.cursor?.epoch else { return }
      var next = try device.device.receive(Reset(state: deltaRequest.state, epoch: epoch), size: 20)
      while let digests = next {
        switch try await reading.read(digests, granted: &grants) {
        case .delta(let delta):
          try take(delta)
          next = nil
        case .refine(let refine):
          try device.device.stagingArea(refine)
          next = try device.device.receive(refine)
          try await between()
        case .reset, .forked:
          Issue.record("the comparison was not answered")
          next = nil
        }
      }
    }
  }

  /// A random change by plain SQL.
  private func statement(_ random: inout SplitMix) -> String {
    let (id, owner, other) = (
      random.number(1...40), random.number(1...4), random.number(1...40)
    )
    switch random.number(0...9) {
    case 0:
      return #"INSERT INTO @"Item" (id, owner) VALUES (\#(id), \#(owner)) ON CONFLICT DO NOTHING"#
    case 1: return #"UPDATE @"Item" SET owner = \#(owner) WHERE id = \#(id)"#
    case 2: return #"UPDATE @"Item" SET owner = owner % 4 + 1 WHERE id % 5 = \#(id % 5)"#
    case 3: return #"DELETE FROM @"Code" WHERE id = \#(id)"#
    case 4:
      return
        #"INSERT INTO @"Code" (id, text, item) SELECT \#(id), 'c\#(id)', id FROM @"Item" WHERE id = \#(other) ON CONFLICT DO NOTHING"#
    case 5:
      return
        #"UPDATE @"Code" SET item = (SELECT id FROM @"Item" WHERE id = \#(other)) WHERE id = \#(id)"#
    case 6:
      return
        #"WITH gone AS (UPDATE @"Code" SET item = NULL WHERE item = \#(id)) SELECT 1"#
    case 7:
      return
        #"INSERT INTO @"Tally" (id, code, title, parent) SELECT \#(id), 'k\#(id)', 't\#(owner)', (SELECT id FROM @"Tally" WHERE id = \#(other)) ON CONFLICT DO NOTHING"#
    case 8: return #"UPDATE @"Tally" SET title = 't\#(owner)' WHERE id = \#(id)"#
    default:
      return
        #"UPDATE @"Tally" SET parent = (SELECT id FROM @"Tally" WHERE id = \#(other)) WHERE id = \#(id)"#
    }
  }

  @Test(arguments: [1, 2, 3])
  func `a device equals the database at each delta while targets change`(seed: Int) async throws {
    let test = try await TestServerLog(hasTallies: true, logging: Self.logged)
    var random = SplitMix(seed: seed)
    var readers = (1...3).map { Reader(UInt64($0), Int64($0), test) }
    // A transaction that stays open beside the others.
    let slow = try await TestServer.connect()
    try await test.sql("SET lock_timeout = '5s'")
    var isOpen = false
    func change(on other: Connection? = nil) async throws {
      do {
        try await test.sql(statement(&random), on: other)
      } catch let failure as ServerFailure {
        // A lock of the open transaction, or an object that it has removed.
        guard ["55P03", "40001", "40P01", "23503", "23505"].contains(failure.state) else {
          throw failure
        }
        if other != nil {
          try await test.sql("ROLLBACK", on: slow)
          isOpen = false
        }
      }
    }
    for _ in 0..<60 { try await change() }
    for step in 0..<(TestServer.isLong ? 2_000 : 250) {
      switch random.number(0...9) {
      case 0...3:
        if isOpen {
          try await test.sql("COMMIT", on: slow)
          isOpen = false
        }
        try await change()
      case 4:
        if !isOpen { try await test.sql("BEGIN", on: slow) }
        isOpen = true
        try await change(on: slow)
      case 5 where !isOpen:
        // A device gives an item away, and makes a code.
        let index = random.number(0...2)
        let id = UInt64(1_000 + step)
        try readers[index].device.insert(
          TestServerLog.item,
          id,
          [(TestServerLog.owner, .integer(2))]
        )
        let item = try readers[index].device.reference(TestServerLog.item, id)
        try readers[index].device.insert(
          TestServerLog.code,
          id,
          [
            (TestServerLog.text, .bytes(Array("c\(id)".utf8))),
            (TestServerLog.codeItem, .target(item)),
          ]
        )
        try await readers[index].device.upload()
        _ = try await readers[index].follow()
      case 6:
        // A new connection.
        let index = random.number(0...2)
        readers[index].grants = Grants(Self.rules(readers[index].owner))
      case 7 where !isOpen && random.happens(0.3):
        let index = random.number(0...2)
        try await readers[index].reset { try await change() }
      default:
        let index = random.number(0...2)
        let limit = random.happens(0.3) ? 3 : nil
        #expect(try await readers[index].follow(fillLimit: limit))
      }
    }
    if isOpen { try await test.sql("COMMIT", on: slow) }
    for index in readers.indices {
      repeat {
        #expect(try await readers[index].follow())
      } while !readers[index].device.device.store.state.scopes.isComplete
    }
  }

  @Test func `a device that names a later state or foreign scopes sees nothing of them`()
    async throws
  {
    let test = try await TestServerLog(hasTallies: true, logging: Self.logged)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2)"#)
    try await test.sql(#"INSERT INTO @"Code" (id, text, item) VALUES (1, 'a', 1), (2, 'b', 2)"#)
    var reader = Reader(1, 1, test)
    #expect(try await reader.follow())
    try await test.sql(#"UPDATE @"Item" SET owner = 2 WHERE id = 1"#)
    // Another device's cursor, behind the change that takes the item away.
    var other = Reader(2, 2, test)
    #expect(try await other.follow())
    try await test.sql(#"UPDATE @"Code" SET text = text || ' secret'"#)
    let own = try reader.device.device.deltaRequest()
    var scopes = own.scopes
    scopes[
      Scope(entity: TestServerLog.code, property: TestServerLog.codeItem, value: .integer(2))
    ] = .complete
    let deltaRequest = DeltaRequest(
      state: own.state,
      cursor: try other.device.device.deltaRequest().cursor,
      scopes: scopes,
      confirmed: 0
    )
    let answer = try await DeltaReading(test.serverLog).read(deltaRequest, granted: &reader.grants)
    guard case .delta(let delta) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(delta.rows.isEmpty)
    #expect(delta.scopes.elements.map(\.scope.entity) == [TestServerLog.item])
  }

  @Test func `a relation that the log lacks is refused`() async throws {
    let test = try await TestServerLog(
      hasTallies: true,
      logging: [
        TestServerLog.item: [TestServerLog.owner],
        TestServerLog.tally: [Self.tallyTitle, Self.tallyParent],
      ]
    )
    await #expect {
      try await DeltaReading(test.serverLog).read(
        TestDevice(1, test).device.deltaRequest(),
        granted: Self.rules(1)
      )
    } throws: { error in
      guard case .notPrepared(let message) = error as? ServerLogError else { return false }
      return message.contains("'Code'") && message.contains("5103")
    }
  }
}
