import ObjectBox

/// The binding of an entity that a store refuses to give a box for.
class OddBinding<Odd: Entity & EntityInspectable>: EntityBinding {
  typealias EntityType = Odd
  typealias IdType = Id

  required init() {}

  func generatorBindingVersion() -> Int { Odd.self == OtherVersion.self ? 2 : 1 }
  func entityId(of entity: Odd) -> Id { 0 }
  func collect(
    fromEntity entity: Odd,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {}
  func createEntity(entityReader: RecordReader, store: Store) -> Odd {
    fatalError("no object of '\(Odd.self)' is ever stored")
  }
}

struct Numberless: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Numberless
  static var entityInfo = EntityInfo(name: "Numberless", id: 0)
  static var entityBinding = OddBinding<Numberless>()
  var _id: EntityId<Numberless> { 0 }
}

struct OtherVersion: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = OtherVersion
  static var entityInfo = EntityInfo(name: "OtherVersion", id: 1)
  static var entityBinding = OddBinding<OtherVersion>()
  var _id: EntityId<OtherVersion> { 0 }
}
