import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// An entity with a hand-written binding, as users of the reference have them.
final class Person: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Person
  typealias EntityBindingType = PersonBinding
  static let entityInfo = EntityInfo(name: "Person", id: 1)
  static let entityBinding = PersonBinding()

  var id: Id = 0
  var name = ""
  var email: String?
  var age: Int32 = 0
  var photo: Data?

  var _id: EntityId<Person> { EntityId(id) }

  init() {}
  init(_ name: String, email: String? = nil, age: Int32 = 0) {
    self.name = name
    self.email = email
    self.age = age
  }

  static var name: Property<Person, String, Void> { Property(propertyId: 2) }
  static var email: Property<Person, String?, Void> { Property(propertyId: 3) }
  static var age: Property<Person, Int32, Void> { Property(propertyId: 4) }
}

final class PersonBinding: EntityBinding, Sendable {
  typealias EntityType = Person
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Person, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Person) -> Id { entity.id }
  func collect(
    fromEntity entity: Person,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let name = propertyCollector.prepare(string: entity.name)
    let email = propertyCollector.prepare(string: entity.email)
    let photo = propertyCollector.prepare(bytes: entity.photo)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.age, at: 10)
    propertyCollector.collect(dataOffset: name, at: 6)
    propertyCollector.collect(dataOffset: email, at: 8)
    propertyCollector.collect(dataOffset: photo, at: 12)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Person {
    let person = Person()
    person.id = entityReader.read(at: 4)
    person.name = entityReader.read(at: 6)
    person.email = entityReader.read(at: 8)
    person.age = entityReader.read(at: 10)
    person.photo = entityReader.read(at: 12)
    return person
  }
}

/// A struct entity whose ID the user may choose.
struct Point: Entity, EntityInspectable, __EntityRelatable, Equatable {
  typealias EntityType = Point
  typealias EntityBindingType = PointBinding
  static let entityInfo = EntityInfo(name: "Point", id: 2)
  static let entityBinding = PointBinding()

  var id: EntityId<Point>
  var x: Double
  var y: Float?

  var _id: EntityId<Point> { id }
}

final class PointBinding: EntityBinding, Sendable {
  typealias EntityType = Point
  typealias IdType = EntityId<Point>
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setStructEntityId(of entity: inout Point, to entityId: Id) { entity.id = EntityId(entityId) }
  func entityId(of entity: Point) -> Id { entity.id.value }
  func collect(
    fromEntity entity: Point,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.x, at: 6)
    propertyCollector.collect(entity.y, at: 8)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Point {
    Point(
      id: entityReader.read(at: 4),
      x: entityReader.read(at: 6),
      y: entityReader.read(at: 8)
    )
  }
}

/// Indexes that a test gives the properties of `Person`.
struct PersonIndexes: Sendable {
  var name: [PropertyFlags] = [.indexHash, .indexed]
  var email: [PropertyFlags] = [.unique, .indexHash, .indexed]
  var age: [PropertyFlags] = [.indexed]
  /// Of several properties, by their IDs, and whether they are unique together.
  var together: [(properties: [UInt32], isUnique: Bool)] = []
  /// Of the texts that have an index.
  var collation = Collation.binary

  static let none = Self(name: [], email: [], age: [])
  static let all = Self()
}

/// A store in a fresh folder that is deleted with its owner.
final class TemporaryStore {
  let folder: TemporaryDirectory
  private(set) var store: Store

  var path: String { folder.path + "/store" }

  init(indexes: PersonIndexes = .all, maxDbSizeInKByte: UInt64 = 100_000) throws {
    folder = try TemporaryDirectory()
    store = try Store(
      model: try Self.model(indexes),
      directory: folder.path + "/store",
      maxDbSizeInKByte: maxDbSizeInKByte
    )
  }

  /// Closes the store and opens it anew.
  func reopen(indexes: PersonIndexes = .all) throws {
    store.close()
    store = try Store(model: try Self.model(indexes), directory: path, maxDbSizeInKByte: 100_000)
  }

  static func model(_ indexes: PersonIndexes = .all) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let person = try builder.entityBuilder(for: Person.self, id: 1, uid: 1001)
    try person.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    func add(
      _ name: String,
      _ type: PropertyType,
      _ flags: [PropertyFlags],
      id: UInt32,
      index: UInt32
    ) throws {
      let number = flags.isEmpty ? 0 : index
      try person.addProperty(
        name: name,
        type: type,
        flags: flags,
        id: id,
        uid: UInt64(id),
        indexId: number,
        indexUid: UInt64(number) * 100
      )
      .collation(type == .string && number != 0 ? indexes.collation : .binary)
    }
    try add("name", .string, indexes.name, id: 2, index: 1)
    try add("email", .string, indexes.email, id: 3, index: 2)
    try add("age", .int, indexes.age, id: 4, index: 3)
    try person.addProperty(name: "photo", type: .byteVector, id: 5, uid: 5)
    for (place, index) in indexes.together.enumerated() {
      let id = UInt32(10 + place)
      try person.addCompoundIndex(
        id: id,
        uid: UInt64(id) * 100,
        propertyIds: index.properties,
        isUnique: index.isUnique
      )
    }
    try person.lastProperty(id: 5, uid: 5)
    let point = try builder.entityBuilder(for: Point.self, id: 2, uid: 1002)
    try point.addProperty(
      name: "id",
      type: .long,
      flags: [.id, .idSelfAssignable],
      id: 1,
      uid: 11
    )
    try point.addProperty(name: "x", type: .double, id: 2, uid: 12)
    try point.addProperty(name: "y", type: .float, id: 3, uid: 13)
    try point.lastProperty(id: 3, uid: 13)
    builder.lastEntity(id: 2, uid: 1002)
    builder.lastIndex(id: 20, uid: 2000)
    return builder.finish()
  }
}
