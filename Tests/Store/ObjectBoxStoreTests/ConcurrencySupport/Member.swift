import Foundation
import ObjectBox

/// An entity whose model may lack any of its properties: only values that are not nil are stored.
final class Member: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Member
  typealias EntityBindingType = MemberBinding
  static let entityInfo = EntityInfo(name: "Member", id: 1)
  static let entityBinding = MemberBinding()

  var id: Id = 0
  var name: String?
  var email: String?
  var age: Int32?
  var photo: Data?

  var _id: EntityId<Member> { EntityId(id) }

  init(name: String? = nil, email: String? = nil, age: Int32? = nil, photo: Data? = nil) {
    self.name = name
    self.email = email
    self.age = age
    self.photo = photo
  }

  static var name: Property<Member, String?, Void> { Property(propertyId: 2) }
  static var email: Property<Member, String?, Void> { Property(propertyId: 3) }
  static var age: Property<Member, Int32?, Void> { Property(propertyId: 4) }
}

final class MemberBinding: EntityBinding, Sendable {
  typealias EntityType = Member
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Member, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Member) -> Id { entity.id }
  func collect(
    fromEntity entity: Member,
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
  func createEntity(entityReader: RecordReader, store: Store) -> Member {
    let member = Member(
      name: entityReader.read(at: 6),
      email: entityReader.read(at: 8),
      age: entityReader.read(at: 10),
      photo: entityReader.read(at: 12)
    )
    member.id = entityReader.read(at: 4)
    return member
  }
}
