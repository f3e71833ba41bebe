import Foundation
import ObjectBox

/// A property of an entity of the format's tests.
struct FixtureProperty: Sendable {
  var id: UInt32
  var name: String
  var type: PropertyType
  var flags: [PropertyFlags] = []
  /// The number of the index; 0 for none.
  var index: UInt32 = 0
  var collation = Collation.binary
  var externalType: ExternalPropertyType?
  var externalName: String?
  /// The target entity of a to-one relation.
  var target: EntityInfo?
  var onDelete = DeleteRule.nullify
  var graph: FixtureGraph?
  /// Added to the UID that follows from the ID, for a property that takes the ID of another one.
  var uidOffset: UInt64 = 0

  var slot: UInt16 { UInt16(2 + 2 * id) }
  var isUUID: Bool { externalType == .uuid }
  var isDecimal: Bool { externalType == .decimal128 }
  var isUnsigned: Bool { flags.contains(.unsigned) }
}

/// The parameters of a nearest-neighbour index.
struct FixtureGraph: Sendable {
  var dimensions: Int
  var distance: HnswDistanceType?
  var neighborsPerNode: UInt32?
  var repairProbability: Float?
}

/// A standalone relation.
struct FixtureRelation: Sendable {
  var id: UInt32
  var target: UInt32
  var onDelete = DeleteRule.nullify
  var onTargetDelete = DeleteRule.nullify
  /// Added to the UIDs that follow from the IDs of the relation and of its target.
  var uidOffset: UInt64 = 0
  /// Nil as in files of versions that did not keep it.
  var name: String?
}

/// An index over several properties.
struct FixtureCompoundIndex: Sendable {
  var id: UInt32
  var properties: [UInt32]
  var isUnique = false
}

/// An entity of the format's tests: a type for each, since boxes are told apart by type.
///
/// UIDs follow from IDs: 1000 and the ID for entities, 100 times the entity's and the ID for properties,
/// 10,000 and the ID for indexes, 20,000 and the ID for relations.
protocol FixtureEntity: Sendable {
  static var info: EntityInfo { get }
  static var properties: [FixtureProperty] { get }
  static var relations: [FixtureRelation] { get }
  static var compoundIndexes: [FixtureCompoundIndex] { get }
  /// The highest property ID that was ever given; nil for that of the last property.
  static var lastProperty: UInt32? { get }
  /// Added to the UID that follows from the ID, for an entity that takes the ID of another one.
  static var uidOffset: UInt64 { get }
}

extension FixtureEntity {
  static var relations: [FixtureRelation] { [] }
  static var compoundIndexes: [FixtureCompoundIndex] { [] }
  static var lastProperty: UInt32? { nil }
  static var uidOffset: UInt64 { 0 }
}

/// An object of a ``FixtureEntity``: its values by the names of their properties, without those that are
/// null.
final class FixtureObject<E: FixtureEntity>: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = FixtureObject<E>
  typealias EntityBindingType = FixtureBinding<E>
  static var entityInfo: EntityInfo { E.info }
  static var entityBinding: FixtureBinding<E> { FixtureBinding() }

  var id: Id
  var values: [String: JSON]
  var _id: EntityId<FixtureObject<E>> { EntityId(id) }

  init(id: Id = 0, _ values: [String: JSON] = [:]) {
    self.id = id
    self.values = values
  }
}

final class FixtureBinding<E: FixtureEntity>: EntityBinding, Sendable {
  typealias EntityType = FixtureObject<E>
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: EntityType) -> Id { entity.id }
  func collect(
    fromEntity entity: EntityType,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    FixtureCoding.collect(entity.values, of: E.properties, into: propertyCollector)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> EntityType {
    let object = FixtureObject<E>(id: entityReader.read(at: 4))
    for property in E.properties where !property.flags.contains(.id) {
      object.values[property.name] = FixtureCoding.value(of: property, in: entityReader)
    }
    return object
  }
}
