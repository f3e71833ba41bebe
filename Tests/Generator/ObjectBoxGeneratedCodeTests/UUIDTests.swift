import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// UUIDs as properties, through generated code.
struct UUIDTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let devices: Box<Device>
  private let visits: Box<Visit>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    devices = store.box()
    visits = store.box()
  }

  /// Returns a UUID that sorts like the number.
  private static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 255 - number))
  }

  private func owned(by numbers: [UInt8?]) throws {
    try devices.put(
      numbers.map { number in
        let uuid = number.map(Self.uuid)
        return Device(owner: uuid, plain: uuid)
      }
    )
  }

  // MARK: Values

  @Test func `UUIDs come back from a store that was opened anew`() throws {
    let device = Device(key: UUID(), owner: UUID(), session: UUID(), plain: UUID())
    device.batch = Batch(rawValue: UUID())
    let bare = Device()
    try devices.put([device, bare])
    store.close()
    let store = try Store(directoryPath: folder.path + "/store")
    let read = try store.box(for: Device.self).all()
    #expect(read.map(\.key) == [device.key, bare.key])
    #expect(read.map(\.owner) == [device.owner, nil])
    #expect(read.map(\.session) == [device.session, nil])
    #expect(read.map(\.plain) == [device.plain, nil])
    #expect(read.map(\.batch) == [device.batch, nil])
    #expect(read.map(\.old) == [device.old, bare.old])
    store.close()
  }

  @Test func `a changed or removed object is found by its new UUID only`() throws {
    let device = Device(owner: Self.uuid(1))
    try devices.put(device)
    let old = device.key
    device.key = UUID()
    device.owner = Self.uuid(2)
    try devices.put(device)
    #expect(try devices.get(where: Device.key, equals: old) == nil)
    #expect(try devices.get(where: Device.key, equals: device.key)?.id == device.id)
    #expect(try devices.query { Device.owner == Self.uuid(1) }.build().count() == 0)
    #expect(try devices.query { Device.owner == Self.uuid(2) }.build().count() == 1)
    try devices.remove(device)
    #expect(try devices.get(where: Device.key, equals: device.key) == nil)
    #expect(try devices.query { Device.owner.isNotNil() }.build().count() == 0)
  }

  // MARK: Unique values

  @Test func `a second object with a unique UUID is refused, and the message names it`() throws {
    let key = UUID()
    try devices.put(Device(key: key))
    let error = #expect(throws: ObjectBoxError.self) { try devices.put(Device(key: key)) }
    guard case .uniqueViolation(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Device.key'"))
    #expect(message.contains("already holds \(key.uuidString);"))
    #expect(try devices.count() == 1)
  }

  @Test func `with onConflict the new object takes the place of the old one, and nil is free`()
    throws
  {
    let session = UUID()
    try devices.put([Device(session: session, label: "old"), Device(), Device()])
    try devices.put(Device(session: session, label: "new"))
    #expect(try devices.get(where: Device.session, equals: session)?.label == "new")
    #expect(try devices.count() == 3)
  }

  @Test func `a UUID is part of values that are unique together`() throws {
    let (a, b) = (Self.uuid(0), Self.uuid(1))
    try devices.put([Device(owner: a, label: "x"), Device(owner: b, label: "x")])
    try devices.put([Device(owner: nil, label: "x"), Device(owner: nil, label: "x")])
    #expect(throws: ObjectBoxError.self) { try devices.put(Device(owner: a, label: "x")) }
    let query = try devices.query { Device.owner == a && Device.label == "x" }.build()
    #expect(try query.explain().contains("index on 'owner, label'"))
    #expect(try query.find().map(\.id) == [1])
  }

  // MARK: Conditions

  @Test func `properties that are not optional, and converted ones, take conditions as well`()
    throws
  {
    let device = Device()
    device.batch = Batch(rawValue: UUID())
    try devices.put([Device(), device])
    let key = device.key
    #expect(try devices.query { .key == key }.build().find().map(\.id) == [2])
    #expect(try devices.query { .key != key }.build().find().map(\.id) == [1])
    let batch = try #require(device.batch?.rawValue)
    #expect(try devices.query { Device.batch == batch }.build().find().map(\.id) == [2])
  }

  @Test func `an index on UUIDs is used, and counts without records`() throws {
    try owned(by: (0..<200).map { UInt8($0 / 2) })
    let (a, b) = (Self.uuid(7), Self.uuid(8))
    let one = try devices.query { Device.owner == a }.build()
    #expect(
      try one.explain()
        == "index on 'owner' (value), 1 key: owner == \"\(a)\"; about 2 of 200 objects"
    )
    let some = try devices.query { Device.owner ∈ [a, b] }.build()
    #expect(
      try some.explain()
        == "index on 'owner' (value), 2 keys: owner in [\"\(a)\", \"\(b)\"]; about 4 of 200 objects"
    )
    #expect(try some.count() == 4)
    let plain = try devices.query { Device.plain == a }.build()
    #expect(try plain.explain().hasPrefix("scan of all objects"))
    let walk = try devices.query().ordered(by: Device.owner).build()
    #expect(try walk.explain().contains("walk of the index on 'owner'"))
  }

  @Test func `parameters are set by property and by alias`() throws {
    try owned(by: [1, 2, 3])
    let query = try devices.query { Device.owner == Self.uuid(1) || "p" .= Device.plain == UUID() }
      .build()
    #expect(try query.findIds().map(\.value) == [1])
    query.setParameter(Device.owner, to: Self.uuid(2))
    query.setParameter("p", to: Self.uuid(3))
    #expect(try query.findIds().map(\.value) == [2, 3])
    let set = try devices.query { Device.owner ∈ [UUID()] && "p" .= Device.plain ∉ [] }.build()
    set.setParameters(Device.owner, to: [Self.uuid(1), Self.uuid(3)])
    #expect(try set.findIds().map(\.value) == [1, 3])
    set.setParameters("p", to: [Self.uuid(1)])
    #expect(try set.findIds().map(\.value) == [3])
  }

  // MARK: Orders and property queries

  @Test func `a property query gives UUIDs, all, different or the only one`() throws {
    let (a, b) = (Self.uuid(2), Self.uuid(1))
    try devices.put([Device(owner: a), Device(), Device(owner: b), Device(owner: a)])
    let query = try devices.query().build()
    #expect(try query.property(Device.owner).findUUIDs() == [a, b, a])
    #expect(try query.property(Device.owner).findUUID() == a)
    #expect(try query.property(Device.owner).count() == 3)
    #expect(try query.property(Device.owner).distinct().findUUIDs() == [a, b])
    #expect(try query.property(Device.owner).distinct().count() == 2)
    #expect(throws: ObjectBoxError.self) { try query.property(Device.owner).findUniqueUUID() }
    let one = try devices.query { Device.owner == b }.build()
    #expect(try one.property(Device.owner).findUniqueUUID() == b)
    #expect(try one.property(Device.plain).findUniqueUUID() == nil)
    #expect(try query.property(Device.key).findUUIDs() == devices.all().map(\.key))
  }

  // MARK: Objects by unique values

  @Test func `objects are found by unique UUIDs, dates, Booleans and targets`() throws {
    let (one, two) = (Device(), Device())
    try devices.put([one, two])
    let date = Date(timeIntervalSince1970: 1_700_000_000.123)
    let id = UUID()
    func visit(_ id: UUID, _ date: Date?, _ isLast: Bool?, _ device: Device?) -> Visit {
      Visit(number: 0, id: id, date: date, isLast: isLast, device: ToOne(device))
    }
    try visits.put([
      visit(id, nil, false, one), visit(UUID(), date, nil, nil), visit(UUID(), nil, true, two),
    ])
    #expect(try devices.get(where: .key, equals: two.key)?.id == 2)
    #expect(try devices.get(where: Device.session, equals: two.key) == nil)
    #expect(try visits.get(where: Visit.id, equals: id)?.number == 1)
    #expect(try visits.get(where: Visit.date, equals: date)?.number == 2)
    #expect(try visits.get(where: Visit.date, equals: Date()) == nil)
    #expect(try visits.get(where: Visit.isLast, equals: true)?.number == 3)
    #expect(try visits.get(where: Visit.isLast, equals: false)?.number == 1)
    #expect(try visits.get(where: Visit.device, equals: EntityId(2))?.number == 3)
    #expect(try visits.get(where: Visit.device, equals: 0) == nil)
    #expect(try visits.get(where: Visit.device, equals: 7) == nil)
    let error = #expect(throws: ObjectBoxError.self) {
      try devices.get(where: Device.owner, equals: id)
    }
    #expect(error?.message.contains("'Device.owner', which is not unique") == true)
  }
}
