package import Foundation
package import ObjectBox
package import ObjectBoxTestSupport

/// An entity with a hand-written binding.
package final class Person: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Person
  package typealias EntityBindingType = PersonBinding
  package static let entityInfo = EntityInfo(name: "Person", id: 1)
  package static let entityBinding = PersonBinding()

  package var id: Id = 0
  package var name = ""
  package var email: String?
  package var age: Int32 = 0
  package var photo: Data?

  package var _id: EntityId<Person> { EntityId(id) }

  package init() {}
  package init(_ name: String, email: String? = nil, age: Int32 = 0) {
    self.name = name
    self.email = email
    self.age = age
  }

  package static var name: Property<Person, String, Void> { Property(propertyId: 2) }
  package static var email: Property<Person, String?, Void> { Property(propertyId: 3) }
  package static var age: Property<Person, Int32, Void> { Property(propertyId: 4) }
}

package final class PersonBinding: EntityBinding, Sendable {
  package typealias EntityType = Person
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Person, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Person) -> Id { entity.id }
  package func collect(
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
  package func createEntity(entityReader: RecordReader, store: Store) -> Person {
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
package struct Point: Entity, EntityInspectable, __EntityRelatable, Equatable {
  package typealias EntityType = Point
  package typealias EntityBindingType = PointBinding
  package static let entityInfo = EntityInfo(name: "Point", id: 2)
  package static let entityBinding = PointBinding()

  package var id: EntityId<Point>
  package var x: Double
  package var y: Float?

  package init(id: EntityId<Point>, x: Double, y: Float? = nil) {
    self.id = id
    self.x = x
    self.y = y
  }

  package var _id: EntityId<Point> { id }
}

package final class PointBinding: EntityBinding, Sendable {
  package typealias EntityType = Point
  package typealias IdType = EntityId<Point>
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setStructEntityId(of entity: inout Point, to entityId: Id) {
    entity.id = EntityId(entityId)
  }
  package func entityId(of entity: Point) -> Id { entity.id.value }
  package func collect(
    fromEntity entity: Point,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.x, at: 6)
    propertyCollector.collect(entity.y, at: 8)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Point {
    Point(
      id: entityReader.read(at: 4),
      x: entityReader.read(at: 6),
      y: entityReader.read(at: 8)
    )
  }
}

/// The indexes of the properties of `Person`.
package struct PersonIndexes: Sendable {
  package var name: [PropertyFlags] = [.indexHash, .indexed]
  package var email: [PropertyFlags] = [.unique, .indexHash, .indexed]
  package var age: [PropertyFlags] = [.indexed]
  /// Compound indexes: property IDs, and whether the values are unique together.
  package var together: [(properties: [UInt32], isUnique: Bool)] = []
  /// The collation of the indexed texts.
  package var collation = Collation.binary

  package init(
    name: [PropertyFlags] = [.indexHash, .indexed],
    email: [PropertyFlags] = [.unique, .indexHash, .indexed],
    age: [PropertyFlags] = [.indexed],
    together: [(properties: [UInt32], isUnique: Bool)] = [],
    collation: Collation = Collation.binary
  ) {
    self.name = name
    self.email = email
    self.age = age
    self.together = together
    self.collation = collation
  }

  package static let none = Self(name: [], email: [], age: [])
  package static let all = Self()
}

/// A store in a new folder that is deleted with its owner.
package final class TemporaryStore {
  package let folder: TemporaryDirectory
  package private(set) var store: Store

  package var path: String { folder.path + "/store" }

  package init(indexes: PersonIndexes = .all, maxDbSizeInKByte: UInt64 = 100_000) throws {
    folder = try TemporaryDirectory()
    store = try Store(
      model: try Self.model(indexes),
      directory: folder.path + "/store",
      maxDbSizeInKByte: maxDbSizeInKByte
    )
  }

  /// Closes the store and reopens it.
  package func reopen(indexes: PersonIndexes = .all) throws {
    store.close()
    store = try Store(model: try Self.model(indexes), directory: path, maxDbSizeInKByte: 100_000)
  }

  package static func model(_ indexes: PersonIndexes = .all) throws -> OpaquePointer {
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
