import Foundation
import ObjectBox

// A hand-written binding in the style of ObjectBox Swift 5.3: classes without `final`, `static
// var`, and `collect` without `throws`.

class Contact: Entity {
  var id: EntityId<Contact> = 0
  var name: String?
  var age: Int

  init(name: String?, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

extension Contact: __EntityRelatable {
  typealias EntityType = Contact
  var _id: EntityId<Contact> { id }
}

extension Contact: EntityInspectable {
  typealias EntityBindingType = ContactBinding
  static var entityInfo = EntityInfo(name: "Contact", id: 1)
  static var entityBinding = ContactBinding()

  static var id: Property<Contact, EntityId<Contact>, Void> {
    Property(propertyId: 1, isPrimaryKey: true)
  }
  // Declared without a question mark, although the text may be null.
  static var name: Property<Contact, String, Void> { Property(propertyId: 2) }
  static var age: Property<Contact, Int, Void> { Property(propertyId: 3) }
}

extension Property where E == Contact {
  static var id: Property<Contact, EntityId<Contact>, Void> { .init(propertyId: 1) }
  static var name: Property<Contact, String, Void> { .init(propertyId: 2) }
  static var age: Property<Contact, Int, Void> { .init(propertyId: 3) }
}

class ContactBinding: EntityBinding {
  typealias EntityType = Contact
  typealias IdType = EntityId<Contact>

  required init() {}

  func generatorBindingVersion() -> Int { 1 }

  func setEntityIdUnlessStruct(of entity: Contact, to entityId: Id) {
    entity.id = EntityId(entityId)
  }

  func entityId(of entity: Contact) -> Id { entity.id.value }

  func collect(
    fromEntity entity: Contact,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let nameOffset = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 2 + 2 * 1)
    propertyCollector.collect(entity.age, at: 2 + 2 * 3)
    propertyCollector.collect(dataOffset: nameOffset, at: 2 + 2 * 2)
  }

  func createEntity(entityReader: RecordReader, store: Store) -> Contact {
    let contact = Contact(name: entityReader.read(at: 6), age: entityReader.read(at: 8))
    contact.id = EntityId(entityReader.read(at: 4))
    return contact
  }
}
