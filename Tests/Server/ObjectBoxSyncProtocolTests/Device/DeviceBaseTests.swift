import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

/// The bases of a device's updates: the objects before them.
struct DeviceBaseTests {
  private static func device(sendsBase: Bool = true) throws -> Device<MemoryStore> {
    let rules = SyncRules([
      Example.entity: EntityRules(
        counters: [Example.votes],
        sendsBase: sendsBase,
        relations: [Example.parent: Example.entity]
      )
    ])
    var device = Device(
      store: MemoryStore(device: Example.device(1), rules: rules),
      rules: rules
    )
    device.store.setShownRow(
      Example.row(originID: 1, [(Example.title, .integer(1)), (Example.text, .integer(2))]),
      at: Example.key(5)
    )
    return device
  }

  private static func title(_ title: Int64) -> Operation {
    .update(Example.object(5, originID: 1), PropertyList([(Example.title, .integer(title))]))
  }

  /// Returns the bases of the operations of all waiting transactions.
  private static func bases(
    _ device: Device<MemoryStore>
  ) throws -> [PropertyList<PropertyValue>?] {
    try device.upload(limit: 10).transactions.flatMap(\.operations).map { operation in
      guard case .update(_, _, let base) = operation else { return nil }
      return base
    }
  }

  @Test func `the base of an update is what the program saw, waiting writes included`() throws {
    var device = try Self.device()
    try device.write([Self.title(7)], token: Example.token(11), wall: 10)
    try device.write([Self.title(8), Self.title(9)], token: Example.token(12), wall: 10)
    let expected = [1, 7, 8].map { title in
      PropertyList<PropertyValue>([(Example.title, .integer(title)), (Example.text, .integer(2))])
    }
    #expect(try Self.bases(device) == expected)
  }

  @Test func `entities that do not ask for it send no base`() throws {
    var device = try Self.device(sendsBase: false)
    try device.write([Self.title(7)], token: Example.token(11), wall: 10)
    #expect(try Self.bases(device) == [nil])
  }

  @Test func `an update of an object that the same transaction inserts has no base`() throws {
    var device = try Self.device()
    let made = ObjectReference(Example.key(6), madeBy: Example.token(11))
    try device.write(
      [
        .insert(Example.key(6), PropertyList(), .assigned),
        .update(made, PropertyList([(Example.title, .integer(3))])),
      ],
      token: Example.token(11),
      wall: 10
    )
    #expect(try Self.bases(device) == [nil, nil])
  }

  @Test func `a write that is queued again tells what the program sees then`() throws {
    var device = try Self.device()
    var stale = PropertyList<PropertyValue>()
    stale[Example.title] = .integer(-1)
    let operation = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.title, .integer(7))]),
      base: stale
    )
    try device.write([operation], token: Example.token(11), wall: 10)
    #expect(try Self.bases(device).first??[Example.title] == .integer(1))
  }

  @Test
  func `a target that came from the server stays an ID, whatever the device has made with it`()
    throws
  {
    var device = try Self.device()
    device.store.setShownRow(
      Example.row(originID: 1, [(Example.parent, .integer(6))]),
      at: Example.key(5)
    )
    try device.write(
      [.insert(Example.key(6), PropertyList(), .assigned)],
      token: Example.token(11),
      wall: 10
    )
    try device.write([Self.title(7)], token: Example.token(12), wall: 10)
    try device.write([Self.title(8)], token: Example.token(13), wall: 10)
    #expect(try Self.bases(device).map { $0?[Example.parent] } == [nil, .integer(6), .integer(6)])
  }

  @Test func `an unconfirmed target in a base follows its decision`() throws {
    var device = try Self.device()
    try device.write(
      [.insert(Example.key(6), PropertyList(), .assigned)],
      token: Example.token(11),
      wall: 10
    )
    let target = ObjectReference(Example.key(6), madeBy: Example.token(11))
    let parent = PropertyList([(Example.parent, PropertyValue.target(target))])
    let object = Example.object(5, originID: 1)
    try device.write([.update(object, parent)], token: Example.token(12), wall: 10)
    try device.write([Self.title(7)], token: Example.token(13), wall: 10)
    #expect(try Self.bases(device).last??[Example.parent] == .target(target))
    let upload = try device.upload(limit: 1)
    let kept = ObjectIdentity(key: Example.key(60), originID: OriginID(8))
    let decision = Decision.merged(
      dropped: [],
      identities: [NewIdentity(made: Example.key(6), identity: kept)]
    )
    let delta = Delta(answering: try device.deltaRequest(), deciding: upload, decision)
    _ = try device.receive(delta, makeIdentity: { Example.device(2) })
    #expect(try Self.bases(device).last??[Example.parent] == .target(ObjectReference(kept)))
  }
}
