import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

/// Conflicts that a function resolves.
struct ResolutionTests {
  private typealias Values = PropertyList<PropertyValue>

  private struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  /// The values that the device of the tests saw before its update.
  private static let base = Values([
    (Example.title, .integer(1)), (Example.text, .integer(2)), (Example.votes, .integer(3)),
    (Example.parent, .null),
  ])

  /// The object as the server has it: others have changed the title, and have counted.
  private static let theirs: [(PropertyUID, PropertyValue)] = [
    (Example.title, .integer(50)), (Example.text, .integer(2)), (Example.votes, .integer(30)),
    (Example.parent, .null),
  ]

  private static func example(
    _ rules: EntityRules = EntityRules(),
    _ row: [(PropertyUID, PropertyValue)] = Self.theirs,
    resolution: @escaping Conflict.Resolution
  ) -> Example {
    var rules = rules
    rules.sendsBase = true
    rules.relations = [Example.parent: Example.entity]
    var example = Example(rules, resolution: resolution)
    example.source.rows[Example.key(5)] = Example.row(originID: 1, at: 300, row)
    return example
  }

  /// An update of the title and the text.
  private static func update(
    _ values: [(PropertyUID, PropertyValue)] = [
      (Example.title, .integer(7)), (Example.text, .integer(8)),
    ],
    base: PropertyList<PropertyValue>? = Self.base
  ) -> Operation {
    .update(Example.object(5, originID: 1), PropertyList(values), base: base)
  }

  /// A function that adds both titles, and takes the text of the device.
  private static let adding: Conflict.Resolution = { conflict in
    var result = conflict.theirs
    let titles = [conflict.mine, conflict.theirs].compactMap { $0[Example.title]?.integerValue }
    result[Example.title] = .integer(titles.reduce(0, +))
    result[Example.text] = conflict.mine[Example.text]
    return result
  }

  @Test func `the function gets what the device had, what it wrote, and what the server has`()
    throws
  {
    let example = Self.example { conflict in
      #expect(conflict.key == Example.key(5))
      #expect(conflict.base == Self.base)
      var mine = Self.base
      mine.merge(PropertyList([(Example.title, .integer(7)), (Example.text, .integer(8))]))
      #expect(conflict.mine == mine)
      #expect(conflict.theirs == PropertyList(Self.theirs))
      return conflict.theirs
    }
    let changes = try example.changes([Self.update()])
    #expect(changes.rows.isEmpty)
    #expect(changes.reasons == [.resolved(Example.title), .resolved(Example.text)])
  }

  @Test(arguments: [ConflictMode.arrival, .objectClock, .propertyClock], [200, 400] as [Int64])
  func `the result of the function is stored, whatever the clocks say`(
    mode: ConflictMode,
    time: Int64
  ) throws {
    let example = Self.example(EntityRules(mode: mode), resolution: Self.adding)
    let old = try #require(example.source.rows[Example.key(5)])
    let changes = try example.changes([Self.update()], at: time)
    let row = try #require(changes.row(5))
    #expect(row.values[Example.title] == .integer(57))
    #expect(row.values[Example.text] == .integer(8))
    #expect(changes.reasons == [.resolved(Example.title)])
    #expect(row.stamp >= old.stamp)
    #expect(row.stamps.elements.allSatisfy { $0.value >= old.stamp })
  }

  @Test func `the function is not called for the row that the device had`() throws {
    var same = Self.theirs
    same[0].1 = .integer(1)
    // A counter that others have changed is no conflict, and neither is a target of 0.
    same[3].1 = .integer(0)
    let example = Self.example(EntityRules(), same) { _ in throw Trouble(description: "called") }
    let changes = try example.changes([Self.update()])
    #expect(changes.row(5)?.values[Example.title] == .integer(7))
    #expect(changes.decision == .accepted)
  }

  @Test func `without a base the entity's own rule decides`() throws {
    let example = Self.example { _ in throw Trouble(description: "called") }
    let changes = try example.changes([Self.update(base: nil)])
    #expect(changes.row(5)?.values[Example.title] == .integer(7))
  }

  @Test
  func `a property that the server lacks is no conflict, and one that the device lacks neither`()
    throws
  {
    var row = Self.theirs
    row[0].1 = .integer(1)
    row.append((Example.region, .integer(9)))
    let example = Self.example(EntityRules(), row) { _ in throw Trouble(description: "called") }
    var base = Self.base
    base[Example.owner] = .integer(4)
    #expect(try example.changes([Self.update(base: base)]).decision == .accepted)
  }

  @Test func `a removed object does not call the function`() throws {
    var example = Self.example { _ in throw Trouble(description: "called") }
    example.source.rows[Example.key(5)] = nil
    example.source.tombstones.insert(Example.key(5))
    #expect(try example.changes([Self.update()]).reasons == [.deleted])
  }

  @Test func `counters are added, whatever the function returns`() throws {
    let example = Self.example { conflict in
      var result = conflict.mine
      result[Example.votes] = .integer(-99)
      return result
    }
    let count = Operation.increment(Example.object(5, originID: 1), Example.votes, by: 4)
    let changes = try example.changes([count, Self.update()])
    #expect(changes.row(5)?.values[Example.votes] == .integer(34))
    #expect(changes.row(5)?.values[Example.title] == .integer(7))
    #expect(changes.decision == .accepted)
  }

  @Test func `an error of the function rejects the transaction with its text`() throws {
    let text = String(repeating: "é", count: 600)
    let example = Self.example { _ in throw Trouble(description: text) }
    let insert = Operation.insert(Example.key(6), PropertyList(), .assigned)
    let rejection = try #require(try example.rejection([insert, Self.update()]))
    #expect(rejection.reason == .resolution)
    #expect(rejection.entity == Example.entity)
    #expect(rejection.message == String(repeating: "é", count: 500))
  }

  @Test func `the result needs the right to write, and free unique values`() throws {
    let rules = EntityRules(uniques: [UniqueProperties([Example.title], rule: .reject)])
    var example = Self.example(rules, resolution: Self.adding)
    example.source.rows[Example.key(6)] = Example.row(originID: 2, [(Example.title, .integer(57))])
    #expect(try example.rejection([Self.update()])?.reason == .unique)
    let transaction = Example.transaction([Self.update()])
    let application = try Application.apply(
      transaction,
      at: transaction.time,
      to: Self.example(resolution: Self.adding).source,
      rules: example.source.rules,
      side: .server,
      mayWrite: { _, row, _ in row.values[Example.title] != .integer(57) }
    )
    guard case .rejected(let rejection) = application else {
      Issue.record("\(application)")
      return
    }
    #expect(rejection.reason == .permission)
  }

  @Test func `the origin ID and the pairs stay`() throws {
    var example = Self.example(resolution: Self.adding)
    let pair = Pair(relation: Example.links, target: Example.key(6), dot: Example.token(2))
    example.source.rows[Example.key(6)] = Example.row(originID: 2)
    example.source.rows[Example.key(5)]?.setPair(pair)
    let row = try #require(try example.changes([Self.update()]).row(5))
    #expect(row.originID == OriginID(1))
    #expect(row.pairs == [pair])
  }

  @Test func `an unconfirmed target of the base is known by its final ID`() throws {
    var row = Self.theirs
    row[0].1 = .integer(1)
    row[3].1 = .integer(9)
    var example = Self.example(EntityRules(), row) { conflict in
      #expect(conflict.base[Example.parent] == .integer(9))
      return conflict.mine
    }
    var base = Self.base
    base[Example.parent] = .target(ObjectReference(Example.key(6), madeBy: Example.token(3)))
    let kept = ObjectIdentity(key: Example.key(9), originID: OriginID(4))
    example.source.outcomes[Example.token(3)] = MakerOutcome([
      NewIdentity(made: Example.key(6), identity: kept)
    ])
    // No conflict: the object that the program saw got the ID 9.
    #expect(try example.changes([Self.update(base: base)]).decision == .accepted)
    base[Example.title] = .integer(0)
    #expect(try example.changes([Self.update(base: base)]).decision == .accepted)
  }

  @Test func `the second update of a transaction is compared with the first one`() throws {
    let example = Self.example(EntityRules(), Self.theirs) { conflict in
      #expect(conflict.base == Self.base)
      return conflict.mine
    }
    var second = Self.base
    second.merge(PropertyList([(Example.title, .integer(7)), (Example.text, .integer(8))]))
    let later = Self.update([(Example.text, .integer(9))], base: second)
    let changes = try example.changes([Self.update(), later])
    #expect(changes.row(5)?.values[Example.text] == .integer(9))
  }
}
