package import Foundation
package import ObjectBox
package import ObjectBoxTestSupport

/// Has a property of each kind that conditions and orders distinguish, and relations.
package final class Sample: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Sample
  package typealias EntityBindingType = SampleBinding
  package static let entityInfo = EntityInfo(name: "Sample", id: 1)
  package static let entityBinding = SampleBinding()

  package var id: Id = 0
  package var number: Int32?
  package var size: UInt32 = 0
  package var text: String?
  package var date: Date?
  package var weight: Double?
  package var marks: [Int32]?
  package var words: [String]?
  package var key: UUID?
  package var price: Decimal?
  package var keeper: ToOne<Keeper> = nil
  /// The expected targets of the standalone relation.
  package var fanIDs: Set<Id> = []
  package var _id: EntityId<Sample> { EntityId(id) }

  package static var id: Property<Sample, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  package static var number: Property<Sample, Int32?, Void> { Property(propertyId: 2) }
  package static var size: Property<Sample, UInt32, Void> { Property(propertyId: 3) }
  package static var text: Property<Sample, String?, Void> { Property(propertyId: 4) }
  package static var date: Property<Sample, Date?, Void> { Property(propertyId: 5) }
  package static var weight: Property<Sample, Double?, Void> { Property(propertyId: 6) }
  package static var marks: Property<Sample, Int32ArrayPropertyType, Void> {
    Property(propertyId: 7)
  }
  package static var words: Property<Sample, StringArrayPropertyType, Void> {
    Property(propertyId: 8)
  }
  package static var keeper: Property<Sample, EntityId<Keeper>, Keeper> { Property(propertyId: 9) }
  package static var key: Property<Sample, UUID?, Void> { Property(propertyId: 10) }
  package static var price: Property<Sample, Decimal?, Void> { Property(propertyId: 11) }
  package static var fans: ToManyProperty<Keeper> { ToManyProperty(.relationId(1)) }
  package init() {}
}

package final class SampleBinding: EntityBinding, Sendable {
  package typealias EntityType = Sample
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Sample, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Sample) -> Id { entity.id }
  package func collect(
    fromEntity entity: Sample,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let text = propertyCollector.prepare(string: entity.text)
    let marks = propertyCollector.prepare(values: entity.marks)
    let words = propertyCollector.prepare(values: entity.words)
    let key = propertyCollector.prepare(uuid: entity.key)
    let price = propertyCollector.prepare(encoded: entity.price)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: key, at: 22)
    propertyCollector.collect(dataOffset: price, at: 24)
    propertyCollector.collect(entity.number, at: 6)
    propertyCollector.collect(entity.size, at: 8)
    propertyCollector.collect(dataOffset: text, at: 10)
    propertyCollector.collect(entity.date, at: 12)
    propertyCollector.collect(entity.weight, at: 14)
    propertyCollector.collect(dataOffset: marks, at: 16)
    propertyCollector.collect(dataOffset: words, at: 18)
    try propertyCollector.collect(entity.keeper, at: 20, store: store)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Sample {
    let sample = Sample()
    sample.id = entityReader.read(at: 4)
    return sample
  }
}

/// The target of the samples' relations.
package final class Keeper: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Keeper
  package typealias EntityBindingType = KeeperBinding
  package static let entityInfo = EntityInfo(name: "Keeper", id: 2)
  package static let entityBinding = KeeperBinding()

  package var id: Id = 0
  package var rank: Int32 = 0
  package var _id: EntityId<Keeper> { EntityId(id) }

  package init(rank: Int32 = 0) {
    self.rank = rank
  }

  package static var rank: Property<Keeper, Int32, Void> { Property(propertyId: 2) }
  package static var samples: ToManyProperty<Sample> { ToManyProperty(.valuePropertyId(9)) }
  package static var liked: ToManyProperty<Sample> { ToManyProperty(.backlinkRelationId(1)) }
}

package final class KeeperBinding: EntityBinding, Sendable {
  package typealias EntityType = Keeper
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Keeper, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Keeper) -> Id { entity.id }
  package func collect(
    fromEntity entity: Keeper,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.rank, at: 6)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Keeper {
    let keeper = Keeper()
    keeper.id = entityReader.read(at: 4)
    keeper.rank = entityReader.read(at: 6)
    return keeper
  }
}

/// A store of samples, in a new folder that is deleted with its owner.
package final class SampleStore {
  /// The flags of the properties' indexes.
  package struct Indexes: Sendable {
    package var number: [PropertyFlags] = []
    package var size: [PropertyFlags] = []
    package var text: [PropertyFlags] = []
    package var date: [PropertyFlags] = []
    package var weight: [PropertyFlags] = []
    package var key: [PropertyFlags] = []
    package var price: [PropertyFlags] = []
    package var keeper: [PropertyFlags] = []
    package var rank: [PropertyFlags] = []

    package init(
      number: [PropertyFlags] = [],
      size: [PropertyFlags] = [],
      text: [PropertyFlags] = [],
      date: [PropertyFlags] = [],
      weight: [PropertyFlags] = [],
      key: [PropertyFlags] = [],
      price: [PropertyFlags] = [],
      keeper: [PropertyFlags] = [],
      rank: [PropertyFlags] = []
    ) {
      self.number = number
      self.size = size
      self.text = text
      self.date = date
      self.weight = weight
      self.key = key
      self.price = price
      self.keeper = keeper
      self.rank = rank
    }

    package static let all = Indexes(
      number: [.indexed],
      size: [.indexed],
      text: [.indexed],
      date: [.indexed],
      weight: [.indexed],
      key: [.indexed],
      price: [.indexed],
      keeper: [.indexed, .indexPartialSkipZero],
      rank: [.indexed]
    )
  }

  package let folder: TemporaryDirectory
  package let store: Store

  package var samples: Box<Sample> { store.box() }
  package var keepers: Box<Keeper> { store.box() }

  package init(_ indexes: Indexes) throws {
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
      index: UInt32,
      external: UInt32 = 0
    ) throws where E: EntityInspectable {
      let isIndexed = flags.contains(.indexed)
      let property = try entity.addProperty(
        name: name,
        type: type,
        flags: flags,
        id: id,
        uid: UInt64(index) * 10,
        indexId: isIndexed ? index : 0,
        indexUid: isIndexed ? UInt64(index) * 100 : 0
      )
      if external != 0 { _ = try property.externalType(external) }
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
    try add("price", .string, indexes.price, 11, to: sample, index: 9, external: 103)
    try sample.addToManyRelation(id: 1, uid: 901, targetId: 2, targetUid: 1002)
    try sample.lastProperty(id: 11, uid: 90)
    let keeper = try builder.entityBuilder(for: Keeper.self, id: 2, uid: 1002)
    try keeper.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try add("rank", .int, indexes.rank, 2, to: keeper, index: 7)
    try keeper.lastProperty(id: 2, uid: 70)
    builder.lastEntity(id: 2, uid: 1002)
    builder.lastIndex(id: 9, uid: 900)
    builder.lastRelation(id: 1, uid: 901)
    store = try Store(
      model: builder.finish(),
      directory: folder.path + "/store",
      maxDbSizeInKByte: 100_000
    )
  }

  /// Sets the keepers that like an object.
  package func setFans(_ ids: Set<Id>, of sample: Sample) throws {
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
