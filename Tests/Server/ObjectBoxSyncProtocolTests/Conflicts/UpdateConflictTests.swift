import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct UpdateConflictTests {
  private let update = Operation.update(
    Example.object(5, originID: 1),
    PropertyList([(Example.title, .integer(9))])
  )

  private func example(
    _ mode: ConflictMode,
    precedence: PropertyUID? = nil
  ) -> Example {
    var example = Example(EntityRules(mode: mode, precedence: precedence))
    example.source.rows[Example.key(5)] = Example.row(
      originID: 1,
      at: 300,
      [(Example.title, .integer(1)), (Example.text, .integer(2)), (Example.rank, .integer(0))]
    )
    return example
  }

  @Test func `by arrival the last update wins by property, whatever its time`() throws {
    let changes = try example(.arrival).changes([update], at: 200)
    #expect(changes.row(5)?.values[Example.title] == .integer(9))
    #expect(changes.row(5)?.values[Example.text] == .integer(2))
    #expect(changes.decision == .accepted)
  }

  @Test(arguments: [ConflictMode.objectClock, .propertyClock])
  func `by clocks an earlier update is dropped and told`(mode: ConflictMode) throws {
    let changes = try example(mode).changes([update], at: 200)
    #expect(changes.row(5) == nil)
    let winner = Stamp(time: Example.time(300), token: Example.token(1))
    #expect(changes.reasons == [.older(than: winner)])
  }

  @Test(arguments: [ConflictMode.objectClock, .propertyClock])
  func `by clocks a later update wins`(mode: ConflictMode) throws {
    let changes = try example(mode).changes([update], at: 400)
    #expect(changes.row(5)?.values[Example.title] == .integer(9))
    #expect(changes.decision == .accepted)
  }

  @Test func `the property clock decides each property alone`() throws {
    var example = example(.propertyClock)
    let later = Stamp(time: Example.time(500), token: Example.token(2))
    example.source.rows[Example.key(5)]?.stamps[Example.title] = later
    let both = PropertyList<PropertyValue>([
      (Example.title, .integer(8)), (Example.text, .integer(9)),
    ])
    let changes = try example.changes([.update(Example.object(5, originID: 1), both)], at: 400)
    #expect(changes.row(5)?.values[Example.title] == .integer(1))
    #expect(changes.row(5)?.values[Example.text] == .integer(9))
    #expect(changes.reasons == [.older(than: later)])
  }

  @Test func `the greater precedence wins before the clock`() throws {
    let example = example(.objectClock, precedence: Example.rank)
    let values = PropertyList<PropertyValue>([
      (Example.title, .integer(9)), (Example.rank, .integer(1)),
    ])
    let changes = try example.changes([.update(Example.object(5, originID: 1), values)], at: 200)
    #expect(changes.row(5)?.values[Example.title] == .integer(9))
  }

  @Test(arguments: [ConflictMode.arrival, .objectClock, .propertyClock])
  func `an update of a deleted object is dropped`(mode: ConflictMode) throws {
    let changes = try deleted(mode).changes([update], at: 400)
    #expect(changes.rows.isEmpty)
    #expect(changes.reasons == [.deleted])
  }

  private func deleted(_ mode: ConflictMode) -> Example {
    var example = example(mode)
    example.source.rows[Example.key(5)] = nil
    example.source.tombstones.insert(Example.key(5))
    return example
  }

  @Test func `a deletion wins over a later row`() throws {
    let changes = try example(.objectClock).changes([.delete(Example.object(5, originID: 1))])
    #expect(changes.removes(5))
    #expect(changes.tombstones == [Example.key(5)])
  }

  @Test(arguments: [ConflictMode.arrival, .objectClock, .propertyClock])
  func `differences of counters are added, whatever their time`(mode: ConflictMode) throws {
    var example = example(mode)
    example.source.rows[Example.key(5)]?.values[Example.votes] = .integer(10)
    let operation = Operation.increment(Example.object(5, originID: 1), Example.votes, by: -3)
    #expect(try example.changes([operation]).row(5)?.values[Example.votes] == .integer(7))
  }

  @Test func `an increment of a deleted object is dropped and told`() throws {
    let operation = Operation.increment(Example.object(5, originID: 1), Example.votes, by: 1)
    #expect(try deleted(.arrival).changes([operation]).reasons == [.deleted])
  }

  @Test func `a counter is never set and nothing else is incremented`() throws {
    let set = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.votes, .integer(1))])
    )
    let increment = Operation.increment(Example.object(5, originID: 1), Example.title, by: 1)
    #expect(try example(.arrival).rejection([set])?.reason == .counter)
    #expect(try example(.arrival).rejection([increment])?.property == Example.title)
  }

  @Test func `a write without the right to it rejects the whole transaction`() throws {
    var example = example(.arrival)
    example.forbidden = [Example.key(5)]
    let insert = Operation.insert(Example.key(6), PropertyList(), .assigned)
    #expect(try example.rejection([insert, update])?.reason == .permission)
    #expect(try example.rejection([.delete(Example.object(5, originID: 1))]) != nil)
  }

  @Test func `an entity that the server does not know rejects the transaction`() throws {
    let key = ObjectKey(entity: EntityUID(99), id: 1)
    let insert = Operation.insert(key, PropertyList(), .assigned)
    #expect(try Example().rejection([insert])?.reason == .unknownEntity)
  }
}
