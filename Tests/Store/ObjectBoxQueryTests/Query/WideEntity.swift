import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport

/// Has a property of each type that is a single value, and relations to its own entity.
final class Wide: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Wide
  typealias EntityBindingType = WideBinding
  static let entityInfo = EntityInfo(name: "Wide", id: 1)
  static let entityBinding = WideBinding()

  var id: Id = 0
  var int8: Int8?
  var uint8: UInt8?
  var int16: Int16?
  var uint16: UInt16?
  var int32: Int32?
  var uint32: UInt32?
  var int64: Int64?
  var uint64: UInt64?
  var flag: Bool?
  var float: Float?
  var double: Double?
  var date: Date?
  var nano: Date?
  var text: String?
  var folded: String?
  var data: Data?
  var uuid: UUID?
  var decimal: Decimal?
  var longs: [Int64]?
  var floats: [Float]?
  var parent: ToOne<Wide> = nil
  /// The expected targets of the standalone relation.
  var friendIDs: Set<Id> = []
  var _id: EntityId<Wide> { EntityId(id) }

  static var id: Property<Wide, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var int8: Property<Wide, Int8?, Void> { Property(propertyId: 2) }
  static var uint8: Property<Wide, UInt8?, Void> { Property(propertyId: 3) }
  static var int16: Property<Wide, Int16?, Void> { Property(propertyId: 4) }
  static var uint16: Property<Wide, UInt16?, Void> { Property(propertyId: 5) }
  static var int32: Property<Wide, Int32?, Void> { Property(propertyId: 6) }
  static var uint32: Property<Wide, UInt32?, Void> { Property(propertyId: 7) }
  static var int64: Property<Wide, Int64?, Void> { Property(propertyId: 8) }
  static var uint64: Property<Wide, UInt64?, Void> { Property(propertyId: 9) }
  static var flag: Property<Wide, Bool?, Void> { Property(propertyId: 10) }
  static var float: Property<Wide, Float?, Void> { Property(propertyId: 11) }
  static var double: Property<Wide, Double?, Void> { Property(propertyId: 12) }
  static var date: Property<Wide, Date?, Void> { Property(propertyId: 13) }
  static var nano: Property<Wide, Date?, Void> { Property(propertyId: 14) }
  static var text: Property<Wide, String?, Void> { Property(propertyId: 15) }
  static var folded: Property<Wide, String?, Void> { Property(propertyId: 16) }
  static var data: Property<Wide, Data?, Void> { Property(propertyId: 17) }
  static var uuid: Property<Wide, UUID?, Void> { Property(propertyId: 18) }
  static var decimal: Property<Wide, Decimal?, Void> { Property(propertyId: 19) }
  static var parent: Property<Wide, EntityId<Wide>, Wide> { Property(propertyId: 20) }
  static var longs: Property<Wide, Int64ArrayPropertyType, Void> { Property(propertyId: 21) }
  static var floats: Property<Wide, FloatArrayPropertyType, Void> { Property(propertyId: 22) }
  static var children: ToManyProperty<Wide> { ToManyProperty(.valuePropertyId(20)) }
  static var friends: ToManyProperty<Wide> { ToManyProperty(.relationId(1)) }
  static var fans: ToManyProperty<Wide> { ToManyProperty(.backlinkRelationId(1)) }
  init() {}
}

final class WideBinding: EntityBinding, Sendable {
  typealias EntityType = Wide
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Wide, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Wide) -> Id { entity.id }
  func collect(
    fromEntity entity: Wide,
    id: Id,
    propertyCollector builder: FlatBufferBuilder,
    store: Store
  ) throws {
    let text = builder.prepare(string: entity.text)
    let folded = builder.prepare(string: entity.folded)
    let data = builder.prepare(bytes: entity.data)
    let uuid = builder.prepare(uuid: entity.uuid)
    let decimal = builder.prepare(encoded: entity.decimal)
    let longs = builder.prepare(values: entity.longs)
    let floats = builder.prepare(values: entity.floats)
    builder.collect(id, at: 4)
    builder.collect(entity.int8, at: 6)
    builder.collect(entity.uint8, at: 8)
    builder.collect(entity.int16, at: 10)
    builder.collect(entity.uint16, at: 12)
    builder.collect(entity.int32, at: 14)
    builder.collect(entity.uint32, at: 16)
    builder.collect(entity.int64, at: 18)
    builder.collect(entity.uint64, at: 20)
    builder.collect(entity.flag, at: 22)
    builder.collect(entity.float, at: 24)
    builder.collect(entity.double, at: 26)
    builder.collect(entity.date, at: 28)
    builder.collectNanos(entity.nano, at: 30)
    builder.collect(dataOffset: text, at: 32)
    builder.collect(dataOffset: folded, at: 34)
    builder.collect(dataOffset: data, at: 36)
    builder.collect(dataOffset: uuid, at: 38)
    builder.collect(dataOffset: decimal, at: 40)
    try builder.collect(entity.parent, at: 42, store: store)
    builder.collect(dataOffset: longs, at: 44)
    builder.collect(dataOffset: floats, at: 46)
  }
  func createEntity(entityReader reader: RecordReader, store: Store) -> Wide {
    let wide = Wide()
    wide.id = reader.read(at: 4)
    wide.int8 = reader.read(at: 6)
    wide.uint64 = reader.read(at: 20)
    wide.text = reader.read(at: 32)
    return wide
  }
}

/// A store of wide objects with random indexes.
final class WideStore {
  let folder: TemporaryDirectory
  let store: Store
  var box: Box<Wide> { store.box() }

  init(_ random: inout SplitMix) throws {
    folder = try TemporaryDirectory()
    let builder = try ModelBuilder()
    let wide = try builder.entityBuilder(for: Wide.self, id: 1, uid: 1001)
    try wide.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    let properties: [(String, PropertyType, Bool)] = [
      ("int8", .byte, false), ("uint8", .byte, true), ("int16", .short, false),
      ("uint16", .short, true), ("int32", .int, false), ("uint32", .int, true),
      ("int64", .long, false), ("uint64", .long, true), ("flag", .bool, false),
      ("float", .float, false), ("double", .double, false), ("date", .date, false),
      ("nano", .dateNano, false), ("text", .string, false), ("folded", .string, false),
      ("data", .byteVector, false), ("uuid", .byteVector, false), ("decimal", .string, false),
    ]
    for (place, (name, type, isUnsigned)) in properties.enumerated() {
      let id = UInt32(place + 2)
      var flags: [PropertyFlags] = []
      switch Int.random(in: 0..<6, using: &random) {
      case 0: flags = [.indexed, .indexPartialSkipNull]
      case 1 where type != .string && type != .byteVector:
        flags = [.indexed, .indexPartialSkipZero]
      case 1 where name != "decimal": flags = [.indexed, .indexHash]
      case 2, 3: flags = [.indexed]
      default: break
      }
      let index = flags.isEmpty ? 0 : id
      let property = try wide.addProperty(
        name: name,
        type: type,
        flags: flags + (isUnsigned ? [.unsigned] : []),
        id: id,
        uid: UInt64(id),
        indexId: index,
        indexUid: UInt64(index) * 100
      )
      if name == "decimal" { _ = try property.externalType(103) }
      if name == "folded", index != 0 { _ = try property.collation(.nocase) }
    }
    let isIndexed = Int.random(in: 0..<3, using: &random) > 0
    try wide.addToOneRelation(
      name: "parent",
      targetEntityInfo: Wide.entityInfo,
      flags: isIndexed ? [.indexed, .indexPartialSkipZero] : [],
      id: 20,
      uid: 20,
      indexId: isIndexed ? 20 : 0,
      indexUid: isIndexed ? 2000 : 0
    )
    try wide.addProperty(name: "longs", type: .longVector, id: 21, uid: 21)
    try wide.addProperty(name: "floats", type: .floatVector, id: 22, uid: 22)
    try wide.addToManyRelation(id: 1, uid: 901, targetId: 1, targetUid: 1001)
    for place in 0..<Int.random(in: 0..<4, using: &random) {
      let id = UInt32(30 + place)
      let parts = (UInt32(2)...20).shuffled(using: &random).prefix(random.pick([2, 3]))
      try wide.addCompoundIndex(
        id: id,
        uid: UInt64(id) * 100,
        propertyIds: Array(parts),
        isUnique: false
      )
    }
    try wide.lastProperty(id: 22, uid: 22)
    builder.lastEntity(id: 1, uid: 1001)
    builder.lastIndex(id: 40, uid: 4000)
    builder.lastRelation(id: 1, uid: 901)
    store = try Store(
      model: builder.finish(),
      directory: folder.path + "/store",
      maxDbSizeInKByte: 100_000
    )
  }
}
