import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct IdentityConflictTests {
  private let values = PropertyList<PropertyValue>([(Example.title, .integer(9))])

  private var example: Example {
    var example = Example()
    example.source.rows[Example.key(5)] = Example.row(originID: 1, [(Example.title, .integer(1))])
    return example
  }

  @Test func `an assigned ID that is taken is renumbered and told`() throws {
    let changes = try example.changes([.insert(Example.key(5), values, .assigned)])
    #expect(changes.row(900)?.values[Example.title] == .integer(9))
    #expect(changes.row(5) == nil)
    let identity = ObjectIdentity(key: Example.key(900), originID: OriginID(7))
    #expect(changes.identities == [NewIdentity(made: Example.key(5), identity: identity)])
  }

  @Test func `the ID of a removed object stays taken`() throws {
    var example = Example()
    example.source.tombstones.insert(Example.key(5))
    #expect(try example.changes([.insert(Example.key(5), values, .assigned)]).row(900) != nil)
    #expect(try example.changes([.insert(Example.key(5), values, .chosen)]).row(5) != nil)
  }

  @Test func `a fresh ID that an object or a tombstone has is passed over`() throws {
    var example = example
    example.source.rows[Example.key(900)] = Example.row(originID: 2)
    example.source.tombstones.insert(Example.key(901))
    #expect(try example.changes([.insert(Example.key(5), values, .assigned)]).row(902) != nil)
  }

  @Test func `a chosen ID that is taken updates the object and tells its identity`() throws {
    let changes = try example.changes([.insert(Example.key(5), values, .chosen)])
    #expect(changes.row(5)?.values[Example.title] == .integer(9))
    let identity = ObjectIdentity(key: Example.key(5), originID: OriginID(1))
    #expect(changes.identities == [NewIdentity(made: Example.key(5), identity: identity)])
  }

  @Test func `a device shows its own object over another one until the server has answered`() throws
  {
    let changes = try example.changes(
      [.insert(Example.key(5), values, .assigned)],
      side: .device
    )
    #expect(changes.row(5)?.originID == OriginID(7))
    #expect(changes.identities.isEmpty)
  }

  @Test func `an operation never meets another object with the same ID`() throws {
    let other = Example.object(5, originID: 2)
    let changes = try example.changes([
      .update(other, values), .increment(other, Example.votes, by: 1), .delete(other),
    ])
    #expect(changes.rows.isEmpty)
    #expect(changes.reasons == [.otherObject, .otherObject])
  }

  @Test func `a reference follows the object that its maker's decision tells`() throws {
    var example = example
    let identity = ObjectIdentity(key: Example.key(5), originID: OriginID(1))
    example.source.outcomes[Example.token(3)] = MakerOutcome([
      NewIdentity(made: Example.key(40), identity: identity)
    ])
    let reference = ObjectReference(Example.key(40), madeBy: Example.token(3))
    #expect(try example.changes([.update(reference, values)]).row(5) != nil)
  }

  @Test func `a reference to an object of a rejected transaction is dropped`() throws {
    let reference = ObjectReference(Example.key(5), madeBy: Example.token(3))
    #expect(try example.changes([.update(reference, values)]).reasons == [.deleted])
  }

  @Test func `a reference within a transaction follows a renumbered insert`() throws {
    let reference = ObjectReference(Example.key(5), madeBy: Example.token(7))
    let changes = try example.changes([
      .insert(Example.key(5), values, .assigned),
      .increment(reference, Example.votes, by: 2),
    ])
    #expect(changes.row(900)?.values[Example.votes] == .integer(2))
  }

  @Test func `a to-one relation leads to the object that was meant, or to none`() throws {
    var example = example
    example.source.rows[Example.key(6)] = Example.row(originID: 2)
    let made = ObjectReference(Example.key(5), madeBy: Example.token(7))
    func link(_ target: ObjectReference) -> Operation {
      .update(Example.object(6, originID: 2), PropertyList([(Example.parent, .target(target))]))
    }
    let renumbered = try example.changes([
      .insert(Example.key(5), values, .assigned), link(made),
    ])
    #expect(renumbered.row(6)?.values[Example.parent] == .integer(900))
    let other = try example.changes([link(Example.object(5, originID: 99))])
    #expect(other.row(6)?.values[Example.parent] == .integer(0))
    #expect(other.reasons == [.targetMissing])
  }
}
