import ObjectBox

/// A number that the transactions of histories and of the load trial read and write.
final class Register: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Register
  typealias EntityBindingType = RegisterBinding
  static let entityInfo = EntityInfo(name: "Register", id: 2)
  static let entityBinding = RegisterBinding()

  var id: Id = 0
  var value: Int64 = 0

  var _id: EntityId<Register> { EntityId(id) }

  init(_ value: Int64 = 0) { self.value = value }

  static var value: Property<Register, Int64, Void> { Property(propertyId: 2) }
}

final class RegisterBinding: EntityBinding, Sendable {
  typealias EntityType = Register
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Register, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Register) -> Id { entity.id }
  func collect(
    fromEntity entity: Register,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.value, at: 6)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Register {
    let register = Register()
    register.id = entityReader.read(at: 4)
    register.value = entityReader.read(at: 6)
    return register
  }
}
