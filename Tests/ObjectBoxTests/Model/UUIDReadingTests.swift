import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Bytes that are read as UUIDs, as after a property of bytes became one.
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
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Stamp {
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

  init() throws {
    folder = try TemporaryDirectory()
    let builder = try ModelBuilder()
    let stamp = try builder.entityBuilder(for: Stamp.self, id: 1, uid: 1001)
    try stamp.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try stamp.addProperty(
      name: "data",
      type: .byteVector,
      flags: [.indexed],
      id: 2,
      uid: 2,
      indexId: 1,
      indexUid: 10
    )
    try stamp.addProperty(name: "uuid", type: .byteVector, id: 3, uid: 3)
    try stamp.lastProperty(id: 3, uid: 3)
    builder.lastEntity(id: 1, uid: 1001)
    builder.lastIndex(id: 1, uid: 10)
    store = try Store(
      model: builder.finish(),
      directory: folder.path + "/store",
      maxDbSizeInKByte: 1000
    )
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
}
