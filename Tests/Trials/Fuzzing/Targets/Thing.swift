import Foundation
import ObjectBox

/// An entity with a property of each type, an index of each kind and a relation of each kind to itself.
final class Thing: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Thing
  typealias EntityBindingType = ThingBinding
  static let entityInfo = EntityInfo(name: "Thing", id: 1)
  static let entityBinding = ThingBinding()

  /// The number of dimensions of `place`.
  static let dimensions = 2

  var id: Id = 0
  /// Unique.
  var key = ""
  var number: Int32 = 0
  /// Has a nearest-neighbour index.
  var place: [Float]?
  var next: Id = 0
  /// The values of the other properties, as one text.
  var others = ""

  var _id: EntityId<Thing> { EntityId(id) }

  init() {}
  init(key: String, number: Int32, place: [Float]?, next: Id = 0) {
    self.key = key
    self.number = number
    self.place = place
    self.next = next
  }

  static var key: Property<Thing, String, Void> { Property(propertyId: 2) }
  static var number: Property<Thing, Int32, Void> { Property(propertyId: 3) }
  static var place: Property<Thing, HnswIndexPropertyType, Void> { Property(propertyId: 4) }

  /// The types of the properties, from ID 6.
  static let otherTypes = PropertyType.allCases.filter { ![.unknown, .relation].contains($0) }

  /// Returns the ID of the property of a type.
  static func propertyID(_ type: PropertyType) -> UInt32 {
    6 + UInt32(otherTypes.firstIndex(of: type) ?? 0)
  }

  static func property<V>(_ type: PropertyType, as: V.Type) -> Property<Thing, V, Void> {
    Property(propertyId: propertyID(type))
  }

  /// The UID of the entity.
  static let uid: UInt64 = 1001

  /// Makes the model, with a full-text index of the keys if wanted.
  static func model(hasWords: Bool = false) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let thing = try builder.entityBuilder(for: Thing.self, id: 1, uid: uid)
    try thing.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try thing.addProperty(
      name: "key",
      type: .string,
      flags: [.unique, .indexHash, .indexed],
      id: 2,
      uid: 2,
      indexId: 1,
      indexUid: 101
    )
    try thing.addProperty(
      name: "number",
      type: .int,
      flags: [.indexed],
      id: 3,
      uid: 3,
      indexId: 2,
      indexUid: 102
    )
    try thing.addProperty(
      name: "place",
      type: .floatVector,
      flags: [.indexed],
      id: 4,
      uid: 4,
      indexId: 3,
      indexUid: 103
    ).hnswParams(
      dimensions: dimensions,
      neighborsPerNode: 4,
      indexingSearchCount: nil,
      flags: nil,
      distanceType: nil,
      reparationBacklinkProbability: nil,
      vectorCacheHintSizeKB: nil
    )
    try thing.addToOneRelation(
      name: "next",
      targetEntityInfo: Thing.entityInfo,
      flags: [.indexed, .indexPartialSkipZero],
      id: 5,
      uid: 5,
      indexId: 4,
      indexUid: 104
    )
    for type in otherTypes {
      let id = propertyID(type)
      try thing.addProperty(name: "\(type)", type: type, id: id, uid: UInt64(id))
    }
    try thing.addToManyRelation(id: 1, uid: 9001, targetId: 1, targetUid: 1001)
    try thing.addCompoundIndex(id: 5, uid: 105, propertyIds: [3, 2])
    let last = 5 + UInt32(otherTypes.count)
    try thing.lastProperty(id: last, uid: UInt64(last))
    builder.lastEntity(id: 1, uid: 1001)
    if hasWords {
      try thing.addFullTextIndex(id: 6, uid: 106, propertyIds: [2], prefixLengths: [2])
    }
    builder.lastIndex(id: hasWords ? 6 : 5, uid: hasWords ? 106 : 105)
    builder.lastRelation(id: 1, uid: 9001)
    return builder.finish()
  }
}

final class ThingBinding: EntityBinding, Sendable {
  typealias EntityType = Thing
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Thing, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Thing) -> Id { entity.id }
  func collect(
    fromEntity entity: Thing,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let key = propertyCollector.prepare(string: entity.key)
    let place = propertyCollector.prepare(values: entity.place)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.number, at: 8)
    propertyCollector.collect(entity.next, at: 12)
    propertyCollector.collect(dataOffset: key, at: 6)
    propertyCollector.collect(dataOffset: place, at: 10)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Thing {
    let thing = Thing(
      key: entityReader.read(at: 6),
      number: entityReader.read(at: 8),
      place: entityReader.read(at: 10),
      next: entityReader.read(at: 12)
    )
    thing.id = entityReader.read(at: 4)
    // Reads each property as each type: a record does not state its types.
    for number in 0..<UInt16(Thing.otherTypes.count + 2) {
      let slot = 2 + 2 * (5 + number)
      let texts: [String]? = entityReader.read(at: slot)
      let bytes: [UInt8]? = entityReader.read(at: slot)
      let longs: [Int64]? = entityReader.read(at: slot)
      let floats: [Float]? = entityReader.read(at: slot)
      let date: Date? = entityReader.read(at: slot)
      let double: Double? = entityReader.read(at: slot)
      let uuid: UUID? = entityReader.read(at: slot)
      let decimal: Decimal? = entityReader.read(at: slot)
      thing.others += "\(texts?.count ?? 0) \(bytes?.count ?? 0) \(longs?.count ?? 0) "
      thing.others +=
        "\(floats?.count ?? 0) \(date != nil) \(double ?? 0) \(uuid != nil) \(decimal != nil) "
      thing.others += "\(entityReader.readNanos(at: slot) as Date)"
    }
    return thing
  }
}
