import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Columns that one function fills for each object as a whole.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ObjectRowsTests {
  private typealias Body = @Sendable (OldValues, inout House) throws -> Void

  private struct Refusal: Error {}

  /// Sets `address` to street and number.
  private static let setAddress: Body = { old, new in
    let street = try old.value(of: "street", as: String.self) ?? "-"
    let number = try old.value(of: "number", as: Int32.self) ?? 0
    new.address = "\(street) \(number) \(new.town ?? "-")"
  }

  private func schema(
    _ build: (EntityBuilder<House>) throws -> Void
  ) throws -> StoreSchema {
    let builder = try ModelBuilder()
    let house = try builder.entityBuilder(for: House.self, id: 1, uid: 1)
    try house.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try build(house)
    try house.lastProperty(id: 9, uid: 19)
    builder.lastEntity(id: 1, uid: 1)
    return ModelBuilder.takeSchema(builder.finish())
  }

  /// The model with `street`, `number` and `town`.
  private func earlier() throws -> StoreSchema {
    try schema { house in
      try house.addProperty(name: "street", type: .string, id: 2, uid: 12)
      try house.addProperty(name: "number", type: .int, id: 3, uid: 13)
      try house.addProperty(name: "town", type: .string, id: 4, uid: 14)
    }
  }

  /// The model with `town` under another name, and `address` from street and number.
  private func later(_ body: @escaping Body = setAddress) throws -> StoreSchema {
    try schema { house in
      try house.addProperty(name: "city", type: .string, id: 4, uid: 14)
      try house.addProperty(name: "address", type: .string, id: 5, uid: 15)
      try house.addProperty(name: "length", type: .long, id: 6, uid: 16)
        .migrated(from: 2, uid: 12, type: .string) { old, new in
          let street: String = old.read(at: 6)
          new.collect(street.count, at: 14)
        }
      try house.migrated(
        [5],
        from: [
          (name: "street", id: 2, uid: 12, type: .string),
          (name: "number", id: 3, uid: 13, type: .int),
        ],
        body
      )
    }
  }

  private func open(_ database: TestDatabase, _ schema: StoreSchema) async throws {
    let tables = ClusterTables(schema, in: database.namespace)
    try await DatabaseUpgrade(tables, mayBeOlder: false).run(on: database.connection)
  }

  private func filled() async throws -> TestDatabase {
    let database = try await TestDatabase()
    try await open(database, try earlier())
    try await database.sql(
      "INSERT INTO @\"House\" (id, street, number, town) VALUES (1, 'Main St', 7, 'Ulm'), "
        + "(2, NULL, NULL, NULL)"
    )
    return database
  }

  @Test func `a new column comes from two that are retired, and from one that stays`() async throws
  {
    let database = try await filled()
    for _ in 0..<2 {
      try await open(database, try later())
      #expect(
        try await database.sql(
          "SELECT address, length::text, city FROM @\"House\" ORDER BY id"
        ) == [["Main St 7 Ulm", "7", "Ulm"], ["- 0 -", "0", nil]]
      )
    }
  }

  @Test func `a function that throws or changes another property leaves the database as it was`()
    async throws
  {
    let database = try await filled()
    let bodies: [(Body, String)] = [
      ({ _, _ in throw Refusal() }, "object with ID 1, whose old values are street 'Main St'"),
      ({ $1.town = "Bonn" }, "it has changed 'city'"),
    ]
    for (body, words) in bodies {
      let later = try later(body)
      let text = await {
        do {
          try await open(database, later)
          return "no error"
        } catch { return "\(error)" }
      }()
      #expect(text.contains(words), "\(text)")
      #expect(text.contains("the migration of 'House' failed"), "\(text)")
    }
    try await open(database, try later())
    #expect(try await database.value("SELECT address FROM @\"House\" WHERE id = 1") != nil)
  }
}

/// The generator knows entities by the word `Entity`; by another name, it leaves `House` its own binding.
private typealias HandWritten = Entity

private struct House: HandWritten, EntityInspectable, __EntityRelatable {
  typealias EntityType = House
  typealias EntityBindingType = HouseBinding
  static let entityInfo = EntityInfo(name: "House", id: 1)
  static let entityBinding = HouseBinding()

  var id: Id = 0
  var town: String?
  var address: String?

  var _id: EntityId<House> { EntityId(id) }
}

private final class HouseBinding: EntityBinding, Sendable {
  typealias EntityType = House
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setStructEntityId(of entity: inout House, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: House) -> Id { entity.id }
  func collect(
    fromEntity entity: House,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let town = propertyCollector.prepare(string: entity.town)
    let address = propertyCollector.prepare(string: entity.address)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: town, at: 10)
    propertyCollector.collect(dataOffset: address, at: 12)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> House {
    House(
      id: entityReader.read(at: 4),
      town: entityReader.read(at: 10),
      address: entityReader.read(at: 12)
    )
  }
}
