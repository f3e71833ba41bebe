import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// A value of each kind that conditions and orders know, and relations.
final class Sample: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Sample
  typealias EntityBindingType = SampleBinding
  static let entityInfo = EntityInfo(name: "Sample", id: 1)
  static let entityBinding = SampleBinding()

  var id: Id = 0
  var number: Int32?
  var size: UInt32 = 0
  var text: String?
  var date: Date?
  var weight: Double?
  var marks: [Int32]?
  var words: [String]?
  var key: UUID?
  var keeper: ToOne<Keeper> = nil
  /// The standalone relation, as the test knows it.
  var fanIDs: Set<Id> = []
  var _id: EntityId<Sample> { EntityId(id) }

  static var id: Property<Sample, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var number: Property<Sample, Int32?, Void> { Property(propertyId: 2) }
  static var size: Property<Sample, UInt32, Void> { Property(propertyId: 3) }
  static var text: Property<Sample, String?, Void> { Property(propertyId: 4) }
  static var date: Property<Sample, Date?, Void> { Property(propertyId: 5) }
  static var weight: Property<Sample, Double?, Void> { Property(propertyId: 6) }
  static var marks: Property<Sample, Int32ArrayPropertyType, Void> { Property(propertyId: 7) }
  static var words: Property<Sample, StringArrayPropertyType, Void> { Property(propertyId: 8) }
  static var keeper: Property<Sample, EntityId<Keeper>, Keeper> { Property(propertyId: 9) }
  static var key: Property<Sample, UUID?, Void> { Property(propertyId: 10) }
  static var fans: ToManyProperty<Keeper> { ToManyProperty(.relationId(1)) }
}

final class SampleBinding: EntityBinding, Sendable {
  typealias EntityType = Sample
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Sample, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Sample) -> Id { entity.id }
  func collect(
    fromEntity entity: Sample,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let text = propertyCollector.prepare(string: entity.text)
    let marks = propertyCollector.prepare(values: entity.marks)
    let words = propertyCollector.prepare(values: entity.words)
    let key = propertyCollector.prepare(uuid: entity.key)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: key, at: 22)
    propertyCollector.collect(entity.number, at: 6)
    propertyCollector.collect(entity.size, at: 8)
    propertyCollector.collect(dataOffset: text, at: 10)
    propertyCollector.collect(entity.date, at: 12)
    propertyCollector.collect(entity.weight, at: 14)
    propertyCollector.collect(dataOffset: marks, at: 16)
    propertyCollector.collect(dataOffset: words, at: 18)
    try propertyCollector.collect(entity.keeper, at: 20, store: store)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Sample {
    let sample = Sample()
    sample.id = entityReader.read(at: 4)
    return sample
  }
}

/// The target of the samples' relations.
final class Keeper: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Keeper
  typealias EntityBindingType = KeeperBinding
  static let entityInfo = EntityInfo(name: "Keeper", id: 2)
  static let entityBinding = KeeperBinding()

  var id: Id = 0
  var rank: Int32 = 0
  var _id: EntityId<Keeper> { EntityId(id) }

  init(rank: Int32 = 0) {
    self.rank = rank
  }

  static var rank: Property<Keeper, Int32, Void> { Property(propertyId: 2) }
  static var samples: ToManyProperty<Sample> { ToManyProperty(.valuePropertyId(9)) }
  static var liked: ToManyProperty<Sample> { ToManyProperty(.backlinkRelationId(1)) }
}

final class KeeperBinding: EntityBinding, Sendable {
  typealias EntityType = Keeper
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Keeper, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Keeper) -> Id { entity.id }
  func collect(
    fromEntity entity: Keeper,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.rank, at: 6)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Keeper {
    let keeper = Keeper()
    keeper.id = entityReader.read(at: 4)
    keeper.rank = entityReader.read(at: 6)
    return keeper
  }
}

/// A store of samples, in a fresh folder that is deleted with its owner.
final class SampleStore {
  /// The flags of the indexes that properties can have.
  struct Indexes: Sendable {
    var number: [PropertyFlags] = []
    var size: [PropertyFlags] = []
    var text: [PropertyFlags] = []
    var date: [PropertyFlags] = []
    var weight: [PropertyFlags] = []
    var key: [PropertyFlags] = []
    var keeper: [PropertyFlags] = []
    var rank: [PropertyFlags] = []

    static let all = Indexes(
      number: [.indexed],
      size: [.indexed],
      text: [.indexed],
      date: [.indexed],
      weight: [.indexed],
      key: [.indexed],
      keeper: [.indexed, .indexPartialSkipZero],
      rank: [.indexed]
    )
  }

  let folder: TemporaryDirectory
  let store: Store

  var samples: Box<Sample> { store.box() }
  var keepers: Box<Keeper> { store.box() }

  init(_ indexes: Indexes) throws {
    folder = try TemporaryDirectory()
    let builder = try ModelBuilder()
    let sample = try builder.entityBuilder(for: Sample.self, id: 1, uid: 1001)
    try sample.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    func add<E>(
      _ name: String,
      _ type: PropertyType,
      _ flags: [PropertyFlags],
      _ id: UInt32,
      to entity: EntityBuilder<E>,
      index: UInt32
    ) throws where E: EntityInspectable {
      let isIndexed = flags.contains(.indexed)
      try entity.addProperty(
        name: name,
        type: type,
        flags: flags,
        id: id,
        uid: UInt64(index) * 10,
        indexId: isIndexed ? index : 0,
        indexUid: isIndexed ? UInt64(index) * 100 : 0
      )
    }
    try add("number", .int, indexes.number, 2, to: sample, index: 1)
    try add("size", .int, indexes.size + [.unsigned], 3, to: sample, index: 2)
    try add("text", .string, indexes.text, 4, to: sample, index: 3)
    try add("date", .date, indexes.date, 5, to: sample, index: 4)
    try add("weight", .double, indexes.weight, 6, to: sample, index: 5)
    try sample.addProperty(name: "marks", type: .intVector, id: 7, uid: 7)
    try sample.addProperty(name: "words", type: .stringVector, id: 8, uid: 8)
    try sample.addToOneRelation(
      name: "keeper",
      targetEntityInfo: Keeper.entityInfo,
      flags: indexes.keeper,
      id: 9,
      uid: 9,
      indexId: indexes.keeper.isEmpty ? 0 : 6,
      indexUid: indexes.keeper.isEmpty ? 0 : 600
    )
    try add("key", .byteVector, indexes.key, 10, to: sample, index: 8)
    try sample.addToManyRelation(id: 1, uid: 901, targetId: 2, targetUid: 1002)
    try sample.lastProperty(id: 10, uid: 80)
    let keeper = try builder.entityBuilder(for: Keeper.self, id: 2, uid: 1002)
    try keeper.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try add("rank", .int, indexes.rank, 2, to: keeper, index: 7)
    try keeper.lastProperty(id: 2, uid: 70)
    builder.lastEntity(id: 2, uid: 1002)
    builder.lastIndex(id: 8, uid: 800)
    builder.lastRelation(id: 1, uid: 901)
    store = try Store(
      model: builder.finish(),
      directory: folder.path + "/store",
      maxDbSizeInKByte: 100_000
    )
  }

  /// Lets an object be liked by these keepers and no others.
  func setFans(_ ids: Set<Id>, of sample: Sample) throws {
    let relation = ToMany<Keeper>.relation(
      sourceId: sample._id,
      targetBox: keepers,
      relationId: 1
    )
    relation.replace(try keepers.get(ids.sorted()))
    try relation.applyToDb()
    sample.fanIDs = ids
  }
}
