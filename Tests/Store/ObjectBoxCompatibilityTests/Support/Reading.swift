import Foundation
import ObjectBox

/// Has properties of the types that conditions, parameters and property queries distinguish.
class Reading: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Reading
  typealias EntityBindingType = ReadingBinding
  static var entityInfo = EntityInfo(name: "Reading", id: 2)
  static var entityBinding = ReadingBinding()

  var id: Id = 0
  var aBool = false
  var aByte: Int8 = 0
  var anInt32: Int32 = 0
  var aLong: Int64 = 0
  var unsigned: UInt32 = 0
  var big: UInt64 = 0
  var aDouble = 0.0
  var aFloat: Float = 0
  var text = ""
  var date = Date(timeIntervalSince1970: 0)
  var data = Data()
  var maybeBool: Bool?
  var maybeInt32: Int32?
  var maybeLong: Int64?
  var maybeDouble: Double?
  var maybeFloat: Float?
  var maybeText: String?
  var maybeDate: Date?
  var maybeData: Data?
  var int32s: [Int32]?
  var int64s: [Int64]?
  var floats: [Float]?
  var strings: [String]?
  var _id: EntityId<Reading> { EntityId(id) }

  init() {}

  init(_ change: (Reading) -> Void) {
    change(self)
  }

  static var id: Property<Reading, Id, Id> { .init(propertyId: 1, isPrimaryKey: true) }
  static var aBool: Property<Reading, Bool, Void> { .init(propertyId: 2) }
  static var aByte: Property<Reading, Int8, Void> { .init(propertyId: 3) }
  static var anInt32: Property<Reading, Int32, Void> { .init(propertyId: 4) }
  static var aLong: Property<Reading, Int64, Void> { .init(propertyId: 5) }
  static var unsigned: Property<Reading, UInt32, Void> { .init(propertyId: 6) }
  static var big: Property<Reading, UInt64, Void> { .init(propertyId: 7) }
  static var aDouble: Property<Reading, Double, Void> { .init(propertyId: 8) }
  static var aFloat: Property<Reading, Float, Void> { .init(propertyId: 9) }
  static var text: Property<Reading, String, Void> { .init(propertyId: 10) }
  static var date: Property<Reading, Date, Void> { .init(propertyId: 11) }
  static var data: Property<Reading, Data, Void> { .init(propertyId: 12) }
  static var maybeBool: Property<Reading, Bool?, Void> { .init(propertyId: 13) }
  static var maybeInt32: Property<Reading, Int32?, Void> { .init(propertyId: 14) }
  static var maybeLong: Property<Reading, Int64?, Void> { .init(propertyId: 15) }
  static var maybeDouble: Property<Reading, Double?, Void> { .init(propertyId: 16) }
  static var maybeFloat: Property<Reading, Float?, Void> { .init(propertyId: 17) }
  static var maybeText: Property<Reading, String?, Void> { .init(propertyId: 18) }
  static var maybeDate: Property<Reading, Date?, Void> { .init(propertyId: 19) }
  static var maybeData: Property<Reading, Data?, Void> { .init(propertyId: 20) }
  static var int32s: Property<Reading, Int32ArrayPropertyType, Void> { .init(propertyId: 21) }
  static var int64s: Property<Reading, Int64ArrayPropertyType, Void> { .init(propertyId: 22) }
  static var floats: Property<Reading, FloatArrayPropertyType, Void> { .init(propertyId: 23) }
  static var strings: Property<Reading, StringArrayPropertyType, Void> { .init(propertyId: 24) }
}

extension Property where E == Reading {
  static var aBool: Property<Reading, Bool, Void> { .init(propertyId: 2) }
  static var anInt32: Property<Reading, Int32, Void> { .init(propertyId: 4) }
  static var aLong: Property<Reading, Int64, Void> { .init(propertyId: 5) }
  static var text: Property<Reading, String, Void> { .init(propertyId: 10) }
  static var maybeText: Property<Reading, String?, Void> { .init(propertyId: 18) }
  static var maybeDate: Property<Reading, Date?, Void> { .init(propertyId: 19) }
}

class ReadingBinding: EntityBinding {
  typealias EntityType = Reading
  typealias IdType = Id

  required init() {}

  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Reading, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Reading) -> Id { entity.id }

  func collect(
    fromEntity entity: Reading,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let offsets: [(UInt16, OBXDataOffset)] = [
      (10, propertyCollector.prepare(string: entity.text)),
      (12, propertyCollector.prepare(bytes: entity.data)),
      (18, propertyCollector.prepare(string: entity.maybeText)),
      (20, propertyCollector.prepare(bytes: entity.maybeData)),
      (21, propertyCollector.prepare(values: entity.int32s)),
      (22, propertyCollector.prepare(values: entity.int64s)),
      (23, propertyCollector.prepare(values: entity.floats)),
      (24, propertyCollector.prepare(values: entity.strings)),
    ]
    propertyCollector.collect(id, at: 2 + 2 * 1)
    propertyCollector.collect(entity.aBool, at: 2 + 2 * 2)
    propertyCollector.collect(entity.aByte, at: 2 + 2 * 3)
    propertyCollector.collect(entity.anInt32, at: 2 + 2 * 4)
    propertyCollector.collect(entity.aLong, at: 2 + 2 * 5)
    propertyCollector.collect(entity.unsigned, at: 2 + 2 * 6)
    propertyCollector.collect(entity.big, at: 2 + 2 * 7)
    propertyCollector.collect(entity.aDouble, at: 2 + 2 * 8)
    propertyCollector.collect(entity.aFloat, at: 2 + 2 * 9)
    propertyCollector.collect(entity.date, at: 2 + 2 * 11)
    propertyCollector.collect(entity.maybeBool, at: 2 + 2 * 13)
    propertyCollector.collect(entity.maybeInt32, at: 2 + 2 * 14)
    propertyCollector.collect(entity.maybeLong, at: 2 + 2 * 15)
    propertyCollector.collect(entity.maybeDouble, at: 2 + 2 * 16)
    propertyCollector.collect(entity.maybeFloat, at: 2 + 2 * 17)
    propertyCollector.collect(entity.maybeDate, at: 2 + 2 * 19)
    for (property, offset) in offsets {
      propertyCollector.collect(dataOffset: offset, at: 2 + 2 * property)
    }
  }

  func createEntity(entityReader: RecordReader, store: Store) -> Reading {
    let reading = Reading()
    reading.id = entityReader.read(at: 4)
    reading.aBool = entityReader.read(at: 6)
    reading.aByte = entityReader.read(at: 8)
    reading.anInt32 = entityReader.read(at: 10)
    reading.aLong = entityReader.read(at: 12)
    reading.unsigned = entityReader.read(at: 14)
    reading.big = entityReader.read(at: 16)
    reading.aDouble = entityReader.read(at: 18)
    reading.aFloat = entityReader.read(at: 20)
    reading.text = entityReader.read(at: 22)
    reading.date = entityReader.read(at: 24)
    reading.data = entityReader.read(at: 26)
    reading.maybeBool = entityReader.read(at: 28)
    reading.maybeInt32 = entityReader.read(at: 30)
    reading.maybeLong = entityReader.read(at: 32)
    reading.maybeDouble = entityReader.read(at: 34)
    reading.maybeFloat = entityReader.read(at: 36)
    reading.maybeText = entityReader.read(at: 38)
    reading.maybeDate = entityReader.read(at: 40)
    reading.maybeData = entityReader.read(at: 42)
    reading.int32s = entityReader.read(at: 44)
    reading.int64s = entityReader.read(at: 46)
    reading.floats = entityReader.read(at: 48)
    reading.strings = entityReader.read(at: 50)
    return reading
  }
}
