import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Reads bytes as UUIDs, as after a property of bytes became one of UUIDs.
final class Stamp: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Stamp
  typealias EntityBindingType = StampBinding
  static let entityInfo = EntityInfo(name: "Stamp", id: 1)
  static let entityBinding = StampBinding()

  var id: Id = 0
  var data: Data?
  var uuid: UUID?
  var present = UUID()
  var _id: EntityId<Stamp> { EntityId(id) }

  static var uuid: Property<Stamp, UUID?, Void> { Property(propertyId: 2) }
}

final class StampBinding: EntityBinding, Sendable {
  typealias EntityType = Stamp
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Stamp, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Stamp) -> Id { entity.id }
  func collect(
    fromEntity entity: Stamp,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let data = propertyCollector.prepare(bytes: entity.data)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: data, at: 6)
    propertyCollector.collect(entity.uuid, at: 8)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Stamp {
    let stamp = Stamp()
    stamp.id = entityReader.read(at: 4)
    stamp.data = entityReader.read(at: 6)
    stamp.uuid = entityReader.read(at: 6)
    stamp.present = entityReader.read(at: 6)
    return stamp
  }
}

struct UUIDReadingTests {
  private let folder: TemporaryDirectory
  private let store: Store

  private static func model(
    flags: [PropertyFlags] = [.indexed],
    isUUID: Bool = false
  ) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let stamp = try builder.entityBuilder(for: Stamp.self, id: 1, uid: 1001)
    try stamp.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    let data = try stamp.addProperty(
      name: "data",
      type: .byteVector,
      flags: flags,
      id: 2,
      uid: 2,
      indexId: flags.isEmpty ? 0 : 1,
      indexUid: flags.isEmpty ? 0 : 10
    )
    if isUUID { try data.externalType(UInt32(ExternalPropertyType.uuid.rawValue)) }
    try stamp.addProperty(name: "uuid", type: .byteVector, id: 3, uid: 3)
    try stamp.lastProperty(id: 3, uid: 3)
    builder.lastEntity(id: 1, uid: 1001)
    builder.lastIndex(id: 1, uid: 10)
    return builder.finish()
  }

  private static func open(_ folder: TemporaryDirectory, _ model: OpaquePointer) throws -> Store {
    try Store(model: model, directory: folder.path + "/store", maxDbSizeInKByte: 1000)
  }

  init() throws {
    folder = try TemporaryDirectory()
    store = try Self.open(folder, try Self.model())
  }

  private func read(_ data: Data?) throws -> Stamp {
    let box: Box<Stamp> = store.box()
    let stamp = Stamp()
    stamp.data = data
    stamp.uuid = UUID()
    return try #require(try box.get(try box.put(stamp) as Id))
  }

  @Test func `16 bytes are a UUID in the order of its text`() throws {
    let stamp = try read(Data(0..<16))
    let text = "00010203-0405-0607-0809-0A0B0C0D0E0F"
    #expect(stamp.uuid?.uuidString == text)
    #expect(stamp.present.uuidString == text)
  }

  @Test(arguments: [nil, 0, 1, 15, 17, 32] as [Int?])
  func `no value and bytes of another number read as none, or as all zero`(_ count: Int?) throws {
    let stamp = try read(count.map { Data(repeating: 7, count: $0) })
    #expect(stamp.uuid == nil)
    #expect(stamp.present.uuidString == "00000000-0000-0000-0000-000000000000")
  }

  @Test func `bytes that only begin as a UUID do are another value, in indexes too`() throws {
    let uuid = Data(0..<16)
    for data in [uuid + [0], uuid, uuid.dropLast(), uuid] { _ = try read(Data(data)) }
    let wanted = try #require(try store.box(for: Stamp.self).get(2)?.uuid)
    let query = try store.box(for: Stamp.self).query { Stamp.uuid == wanted }.build()
    #expect(try query.explain().hasPrefix("index on 'data' (value), 1 key"))
    #expect(try query.count() == 2)
    #expect(try query.findIds().map(\.value) == [2, 4])
    #expect(
      try store.box(for: Stamp.self).query().build().property(Stamp.uuid).findUUIDs()
        == [wanted, wanted]
    )
  }

  @Test func `bytes that become a unique UUID are indexed, unless two are the same`() throws {
    store.close()
    let other = try TemporaryDirectory()
    var bytes = try Self.open(other, try Self.model(flags: []))
    var stamps = (0..<3).map { _ in Stamp() }
    for (place, data) in [Data(0..<16), Data(1..<17), Data(0..<16)].enumerated() {
      stamps[place].data = data
    }
    try bytes.box(for: Stamp.self).put(stamps)
    bytes.close()
    let unique: [PropertyFlags] = [.indexed, .unique]
    let error = #expect(throws: ObjectBoxError.self) {
      _ = try Self.open(other, try Self.model(flags: unique, isUUID: true))
    }
    #expect(error?.message.contains("both hold 00010203-0405-0607-0809-0A0B0C0D0E0F") == true)
    bytes = try Self.open(other, try Self.model(flags: []))
    try bytes.box(for: Stamp.self).remove(3)
    bytes.close()
    let uuids = try Self.open(other, try Self.model(flags: unique, isUUID: true))
    stamps = try uuids.box(for: Stamp.self).all()
    let wanted = try #require(stamps[1].uuid)
    #expect(try uuids.box(for: Stamp.self).get(where: Stamp.uuid, equals: wanted)?.id == 2)
    uuids.close()
  }
}
