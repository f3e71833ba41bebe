import Foundation
import ObjectBox

/// Has a property of each number type and of its optional.
class Numbers: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Numbers
  typealias EntityBindingType = NumbersBinding
  static var entityInfo = EntityInfo(name: "Numbers", id: 1)
  static var entityBinding = NumbersBinding()

  var id: Id = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var int: Int = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var uint: UInt = 0
  var float: Float = 0
  var double: Double = 0
  var maybeInt8: Int8?
  var maybeInt16: Int16?
  var maybeInt32: Int32?
  var maybeInt64: Int64?
  var maybeInt: Int?
  var maybeUint8: UInt8?
  var maybeUint16: UInt16?
  var maybeUint32: UInt32?
  var maybeUint64: UInt64?
  var maybeUint: UInt?
  var maybeFloat: Float?
  var maybeDouble: Double?
  var _id: EntityId<Numbers> { EntityId(id) }

  init() {}

  static var id: Property<Numbers, Id, Id> { .init(propertyId: 1, isPrimaryKey: true) }
  static var int8: Property<Numbers, Int8, Void> { .init(propertyId: 2) }
  static var int16: Property<Numbers, Int16, Void> { .init(propertyId: 3) }
  static var int32: Property<Numbers, Int32, Void> { .init(propertyId: 4) }
  static var int64: Property<Numbers, Int64, Void> { .init(propertyId: 5) }
  static var int: Property<Numbers, Int, Void> { .init(propertyId: 6) }
  static var uint8: Property<Numbers, UInt8, Void> { .init(propertyId: 7) }
  static var uint16: Property<Numbers, UInt16, Void> { .init(propertyId: 8) }
  static var uint32: Property<Numbers, UInt32, Void> { .init(propertyId: 9) }
  static var uint64: Property<Numbers, UInt64, Void> { .init(propertyId: 10) }
  static var uint: Property<Numbers, UInt, Void> { .init(propertyId: 11) }
  static var float: Property<Numbers, Float, Void> { .init(propertyId: 12) }
  static var double: Property<Numbers, Double, Void> { .init(propertyId: 13) }
  static var maybeInt8: Property<Numbers, Int8?, Void> { .init(propertyId: 14) }
  static var maybeInt16: Property<Numbers, Int16?, Void> { .init(propertyId: 15) }
  static var maybeInt32: Property<Numbers, Int32?, Void> { .init(propertyId: 16) }
  static var maybeInt64: Property<Numbers, Int64?, Void> { .init(propertyId: 17) }
  static var maybeInt: Property<Numbers, Int?, Void> { .init(propertyId: 18) }
  static var maybeUint8: Property<Numbers, UInt8?, Void> { .init(propertyId: 19) }
  static var maybeUint16: Property<Numbers, UInt16?, Void> { .init(propertyId: 20) }
  static var maybeUint32: Property<Numbers, UInt32?, Void> { .init(propertyId: 21) }
  static var maybeUint64: Property<Numbers, UInt64?, Void> { .init(propertyId: 22) }
  static var maybeUint: Property<Numbers, UInt?, Void> { .init(propertyId: 23) }
  static var maybeFloat: Property<Numbers, Float?, Void> { .init(propertyId: 24) }
  static var maybeDouble: Property<Numbers, Double?, Void> { .init(propertyId: 25) }
}

class NumbersBinding: EntityBinding {
  typealias EntityType = Numbers
  typealias IdType = Id

  required init() {}

  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Numbers, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Numbers) -> Id { entity.id }

  func collect(
    fromEntity entity: Numbers,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 2 + 2 * 1)
    propertyCollector.collect(entity.int8, at: 2 + 2 * 2)
    propertyCollector.collect(entity.int16, at: 2 + 2 * 3)
    propertyCollector.collect(entity.int32, at: 2 + 2 * 4)
    propertyCollector.collect(entity.int64, at: 2 + 2 * 5)
    propertyCollector.collect(entity.int, at: 2 + 2 * 6)
    propertyCollector.collect(entity.uint8, at: 2 + 2 * 7)
    propertyCollector.collect(entity.uint16, at: 2 + 2 * 8)
    propertyCollector.collect(entity.uint32, at: 2 + 2 * 9)
    propertyCollector.collect(entity.uint64, at: 2 + 2 * 10)
    propertyCollector.collect(entity.uint, at: 2 + 2 * 11)
    propertyCollector.collect(entity.float, at: 2 + 2 * 12)
    propertyCollector.collect(entity.double, at: 2 + 2 * 13)
    propertyCollector.collect(entity.maybeInt8, at: 2 + 2 * 14)
    propertyCollector.collect(entity.maybeInt16, at: 2 + 2 * 15)
    propertyCollector.collect(entity.maybeInt32, at: 2 + 2 * 16)
    propertyCollector.collect(entity.maybeInt64, at: 2 + 2 * 17)
    propertyCollector.collect(entity.maybeInt, at: 2 + 2 * 18)
    propertyCollector.collect(entity.maybeUint8, at: 2 + 2 * 19)
    propertyCollector.collect(entity.maybeUint16, at: 2 + 2 * 20)
    propertyCollector.collect(entity.maybeUint32, at: 2 + 2 * 21)
    propertyCollector.collect(entity.maybeUint64, at: 2 + 2 * 22)
    propertyCollector.collect(entity.maybeUint, at: 2 + 2 * 23)
    propertyCollector.collect(entity.maybeFloat, at: 2 + 2 * 24)
    propertyCollector.collect(entity.maybeDouble, at: 2 + 2 * 25)
  }

  func createEntity(entityReader: RecordReader, store: Store) -> Numbers {
    let numbers = Numbers()
    numbers.id = entityReader.read(at: 4)
    numbers.int8 = entityReader.read(at: 6)
    numbers.int16 = entityReader.read(at: 8)
    numbers.int32 = entityReader.read(at: 10)
    numbers.int64 = entityReader.read(at: 12)
    numbers.int = entityReader.read(at: 14)
    numbers.uint8 = entityReader.read(at: 16)
    numbers.uint16 = entityReader.read(at: 18)
    numbers.uint32 = entityReader.read(at: 20)
    numbers.uint64 = entityReader.read(at: 22)
    numbers.uint = entityReader.read(at: 24)
    numbers.float = entityReader.read(at: 26)
    numbers.double = entityReader.read(at: 28)
    numbers.maybeInt8 = entityReader.read(at: 30)
    numbers.maybeInt16 = entityReader.read(at: 32)
    numbers.maybeInt32 = entityReader.read(at: 34)
    numbers.maybeInt64 = entityReader.read(at: 36)
    numbers.maybeInt = entityReader.read(at: 38)
    numbers.maybeUint8 = entityReader.read(at: 40)
    numbers.maybeUint16 = entityReader.read(at: 42)
    numbers.maybeUint32 = entityReader.read(at: 44)
    numbers.maybeUint64 = entityReader.read(at: 46)
    numbers.maybeUint = entityReader.read(at: 48)
    numbers.maybeFloat = entityReader.read(at: 50)
    numbers.maybeDouble = entityReader.read(at: 52)
    return numbers
  }
}

/// A store of numbers; closes on deinit.
final class NumbersStore {
  private let store: Store
  var box: Box<Numbers> { store.box(for: Numbers.self) }

  init() throws {
    let modelBuilder = try ModelBuilder()
    let numbers = try modelBuilder.entityBuilder(for: Numbers.self, id: 1, uid: 1)
    try numbers.addProperty(name: "id", type: .long, flags: .id, id: 1, uid: 1)
    let types: [(any FixedWidthInteger.Type, PropertyType)] = [
      (Int8.self, .byte), (Int16.self, .short), (Int32.self, .int), (Int64.self, .long),
      (Int.self, .long), (UInt8.self, .byte), (UInt16.self, .short), (UInt32.self, .int),
      (UInt64.self, .long), (UInt.self, .long),
    ]
    let integers = types.map { type in
      (type.1, type.0.isSigned ? [] : [PropertyFlags.unsigned])
    }
    let all = integers + [(.float, []), (.double, [])]
    for (place, property) in (all + all).enumerated() {
      let id = UInt32(place + 2)
      try numbers.addProperty(
        name: "property\(id)",
        type: property.0,
        flags: property.1,
        id: id,
        uid: UInt64(id)
      )
    }
    try numbers.lastProperty(id: 25, uid: 25)
    modelBuilder.lastEntity(id: 1, uid: 1)
    store = try Store(
      model: modelBuilder.finish(),
      directory: Store.inMemoryPrefix + UUID().uuidString
    )
  }

  deinit {
    store.close()
  }
}
