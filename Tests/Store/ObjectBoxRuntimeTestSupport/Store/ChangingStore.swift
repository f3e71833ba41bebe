package import ObjectBox
package import ObjectBoxTestSupport

/// A folder with one store, which opens under varying models of ``Person``, ``Point`` and others.
package struct ChangingStore {
  package let folder: TemporaryDirectory
  package var path: String { folder.path + "/store" }

  package init() throws {
    folder = try TemporaryDirectory()
  }

  /// A property of a model; by default its UID equals its ID.
  package struct Prop {
    package var name: String
    package var type: PropertyType
    package var id: UInt32
    package var uid: UInt64?
    package var flags: [PropertyFlags] = []
    package var index: UInt32 = 0
    /// ID, UID and type of the old property, and the function of a migration.
    package var migration: (id: UInt32, uid: UInt64, type: PropertyType, body: Migration)?

    package typealias Migration = @Sendable (FlatBufferReader, FlatBufferBuilder) throws -> Void

    /// Returns the property with a migration from another one.
    package func migrated(from old: Prop, _ body: @escaping Migration) -> Prop {
      var copy = self
      copy.migration = (old.id, old.uid ?? UInt64(old.id), old.type, body)
      return copy
    }

    package init(
      name: String,
      type: PropertyType,
      id: UInt32,
      uid: UInt64? = nil,
      flags: [PropertyFlags] = [],
      index: UInt32 = 0
    ) {
      self.name = name
      self.type = type
      self.id = id
      self.uid = uid
      self.flags = flags
      self.index = index
    }
  }

  package static let name = Prop(name: "name", type: .string, id: 2)
  package static let email = Prop(
    name: "email",
    type: .string,
    id: 3,
    flags: [.unique, .indexHash, .indexed],
    index: 1
  )
  package static let age = Prop(name: "age", type: .int, id: 4, flags: [.indexed], index: 2)
  package static let all = [name, email, age]
  package static let point = [
    Prop(name: "x", type: .double, id: 2), Prop(name: "y", type: .float, id: 3),
  ]

  /// A model that is built entity by entity.
  package struct Model {
    package let builder: ModelBuilder
    package var lastEntity: (id: UInt32, uid: UInt64) = (0, 0)

    package init() throws { builder = try ModelBuilder() }

    package mutating func add<E: EntityInspectable>(
      _ type: E.Type,
      uid: UInt64,
      _ properties: [Prop],
      last: UInt32 = 5,
      indexes: (EntityBuilder<E>) throws -> Void = { _ in }
    ) throws {
      let id = E.entityInfo.entitySchemaId
      let entity = try builder.entityBuilder(for: type, id: id, uid: uid)
      try entity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: uid * 1000 + 1)
      for property in properties {
        let builder = try entity.addProperty(
          name: property.name,
          type: property.type,
          flags: property.flags,
          id: property.id,
          uid: property.uid ?? UInt64(property.id),
          indexId: property.index,
          indexUid: UInt64(property.index) * 100
        )
        if let (id, uid, type, body) = property.migration {
          try builder.migrated(from: id, uid: uid, type: type, body)
        }
      }
      try indexes(entity)
      try entity.lastProperty(id: last, uid: UInt64(last))
      if id > lastEntity.id { lastEntity = (id, uid) }
    }
  }

  package func open(
    last: (id: UInt32, uid: UInt64)? = nil,
    lastIndex: UInt32 = 2,
    readOnly: Bool = false,
    _ build: (inout Model) throws -> Void
  ) throws -> Store {
    var model = try Model()
    try build(&model)
    let (id, uid) = last ?? model.lastEntity
    model.builder.lastEntity(id: id, uid: uid)
    model.builder.lastIndex(id: lastIndex, uid: UInt64(lastIndex) * 100)
    return try Store(model: model.builder.finish(), directory: path, readOnly: readOnly)
  }

  /// Opens a store of ``Person`` alone.
  package func openPeople(_ properties: [Prop] = all, last: UInt32 = 5) throws -> Store {
    try open(last: (2, 1002)) { try $0.add(Person.self, uid: 1001, properties, last: last) }
  }

  /// Opens a store of ``Point`` alone, whose model has lost ``Person``.
  package func openPoints() throws -> Store {
    try open(last: (2, 1002)) { try $0.add(Point.self, uid: 1002, Self.point) }
  }

  package func fill(_ store: Store) throws {
    try store.box(for: Person.self).put([
      Person("Jane", email: "jane", age: 30), Person("John", email: "john", age: 40),
      Person("Jim", email: "jim", age: 50),
    ])
    try store.box(for: Person.self).remove(UInt64(3))
    store.close()
  }
}
