import Foundation
import ObjectBox

/// Has a unique text; its entity ID follows a gap.
class Ticket: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Ticket
  typealias EntityBindingType = TicketBinding
  static var entityInfo = EntityInfo(name: "Ticket", id: 7)
  static var entityBinding = TicketBinding()
  static var id: Property<Ticket, Id, Id> { .init(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Ticket, String, Void> { .init(propertyId: 2) }

  var id: Id = 0
  var name: String
  var _id: EntityId<Ticket> { EntityId(id) }
  /// Called by `postPut`.
  var onPostPut: ((_ own: Id, _ given: Id, _ stored: Ticket?) throws -> Void)?

  init(_ name: String) {
    self.name = name
  }
}

class TicketBinding: EntityBinding {
  typealias EntityType = Ticket
  typealias IdType = Id

  required init() {}

  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Ticket, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Ticket) -> Id { entity.id }

  func collect(
    fromEntity entity: Ticket,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }

  func postPut(fromEntity entity: Ticket, id: Id, store: Store) throws {
    guard let onPostPut = entity.onPostPut else { return }
    try onPostPut(entity.id, id, try store.box(for: Ticket.self).get(id))
  }

  func createEntity(entityReader: RecordReader, store: Store) -> Ticket {
    let ticket = Ticket(entityReader.read(at: 6))
    ticket.id = entityReader.read(at: 4)
    return ticket
  }
}

/// A struct whose ID the user assigns.
struct Marker: Entity, EntityInspectable, __EntityRelatable, Hashable {
  typealias EntityType = Marker
  typealias EntityBindingType = MarkerBinding
  static var entityInfo = EntityInfo(name: "Marker", id: 3)
  static var entityBinding = MarkerBinding()
  static var vector: Property<Marker, HnswIndexPropertyType, Void> { .init(propertyId: 2) }
  static var kind: Property<Marker, Int16, Void> { .init(propertyId: 3) }

  var id: Int64 = 0
  var vector: [Float]?
  var kind: Int16 = 0
  var _id: EntityId<Marker> { EntityId(id.value) }
}

class MarkerBinding: EntityBinding {
  typealias EntityType = Marker
  typealias IdType = Int64

  required init() {}

  func generatorBindingVersion() -> Int { 1 }
  func setStructEntityId(of entity: inout Marker, to entityId: Id) {
    entity.id = Int64(bitPattern: entityId)
  }
  func entityId(of entity: Marker) -> Id { entity.id.value }

  func collect(
    fromEntity entity: Marker,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let vector = propertyCollector.prepare(values: entity.vector)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.kind, at: 8)
    propertyCollector.collect(dataOffset: vector, at: 6)
  }

  func createEntity(entityReader: RecordReader, store: Store) -> Marker {
    Marker(
      id: entityReader.read(at: 4),
      vector: entityReader.read(at: 6),
      kind: entityReader.read(at: 8)
    )
  }
}
