import Foundation
import ObjectBox

/// The object that workloads store; worker, slot and step determine its values.
final class Item: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Item
  typealias EntityBindingType = ItemBinding
  static let entityInfo = EntityInfo(name: "Item", id: 1)
  static let entityBinding = ItemBinding()

  /// The number of dimensions of `place`.
  static let dimensions = 3

  var id: Id = 0
  /// The worker and the slot; unique.
  var key = ""
  var worker: Int32 = 0
  var slot: Int32 = 0
  /// The step that wrote the object last.
  var step: Int64 = 0
  var text = ""
  var payload = Data()
  /// Has a nearest-neighbour index; nil for some objects.
  var place: [Float]?
  /// The total that a migration of whole objects makes; nil outside of its function.
  var migratedTotal: Int64?

  var _id: EntityId<Item> { EntityId(id) }

  static var key: Property<Item, String, Void> { Property(propertyId: 2) }
  static var worker: Property<Item, Int32, Void> { Property(propertyId: 3) }
  static var step: Property<Item, Int64, Void> { Property(propertyId: 5) }
  static var text: Property<Item, String, Void> { Property(propertyId: 6) }
  static var place: Property<Item, HnswIndexPropertyType, Void> { Property(propertyId: 8) }

  /// Returns whether two objects have equal values, apart from the ID.
  func hasValues(of other: Item) -> Bool {
    key == other.key && worker == other.worker && slot == other.slot && step == other.step
      && text == other.text && payload == other.payload && place == other.place
  }
}

final class ItemBinding: EntityBinding, Sendable {
  typealias EntityType = Item
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Item, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Item) -> Id { entity.id }
  func collect(
    fromEntity entity: Item,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let key = propertyCollector.prepare(string: entity.key)
    let text = propertyCollector.prepare(string: entity.text)
    let payload = propertyCollector.prepare(bytes: entity.payload)
    let place = propertyCollector.prepare(values: entity.place)
    let generation = TrialStore.generation(of: store.file.schema)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.worker, at: 8)
    propertyCollector.collect(entity.slot, at: 10)
    propertyCollector.collect(entity.step, at: 12)
    propertyCollector.collect(
      TrialStore.extra(of: entity, generation: generation),
      at: UInt16(2 + 2 * TrialStore.extraID(generation: generation))
    )
    propertyCollector.collect(
      entity.migratedTotal ?? TrialStore.total(of: entity, generation: generation),
      at: UInt16(2 + 2 * TrialStore.totalID(generation: generation))
    )
    propertyCollector.collect(dataOffset: key, at: 6)
    propertyCollector.collect(dataOffset: text, at: 14)
    propertyCollector.collect(dataOffset: payload, at: 16)
    propertyCollector.collect(dataOffset: place, at: 18)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Item {
    let item = Item()
    item.id = entityReader.read(at: 4)
    item.key = entityReader.read(at: 6)
    item.worker = entityReader.read(at: 8)
    item.slot = entityReader.read(at: 10)
    item.step = entityReader.read(at: 12)
    item.text = entityReader.read(at: 14)
    item.payload = entityReader.read(at: 16)
    item.place = entityReader.read(at: 18)
    return item
  }
}
