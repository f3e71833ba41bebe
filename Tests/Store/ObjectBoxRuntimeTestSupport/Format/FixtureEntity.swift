import Foundation
package import ObjectBox

/// A property of an entity of the format tests.
package struct FixtureProperty: Sendable {
  package var id: UInt32
  package var name: String
  package var type: PropertyType
  package var flags: [PropertyFlags] = []
  /// The index ID; 0 for none.
  package var index: UInt32 = 0
  package var collation = Collation.binary
  package var externalType: ExternalPropertyType?
  package var externalName: String?
  /// The target entity of a to-one relation.
  package var target: EntityInfo?
  package var onDelete = DeleteRule.nullify
  package var graph: FixtureGraph?
  /// Added to the UID derived from the ID, for a property that reuses an ID.
  package var uidOffset: UInt64 = 0

  package init(
    id: UInt32,
    name: String,
    type: PropertyType,
    flags: [PropertyFlags] = [],
    index: UInt32 = 0,
    collation: Collation = Collation.binary,
    externalType: ExternalPropertyType? = nil,
    externalName: String? = nil,
    target: EntityInfo? = nil,
    onDelete: DeleteRule = DeleteRule.nullify,
    graph: FixtureGraph? = nil,
    uidOffset: UInt64 = 0
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.flags = flags
    self.index = index
    self.collation = collation
    self.externalType = externalType
    self.externalName = externalName
    self.target = target
    self.onDelete = onDelete
    self.graph = graph
    self.uidOffset = uidOffset
  }

  package var slot: UInt16 { UInt16(2 + 2 * id) }
  package var isUUID: Bool { externalType == .uuid }
  package var isDecimal: Bool { externalType == .decimal128 }
  package var isUnsigned: Bool { flags.contains(.unsigned) }
}

/// The parameters of a nearest-neighbour index.
package struct FixtureGraph: Sendable {
  package var dimensions: Int
  package var distance: HnswDistanceType?
  package var neighborsPerNode: UInt32?
  package var repairProbability: Float?

  package init(
    dimensions: Int,
    distance: HnswDistanceType? = nil,
    neighborsPerNode: UInt32? = nil,
    repairProbability: Float? = nil
  ) {
    self.dimensions = dimensions
    self.distance = distance
    self.neighborsPerNode = neighborsPerNode
    self.repairProbability = repairProbability
  }
}

/// A standalone relation.
package struct FixtureRelation: Sendable {
  package var id: UInt32
  package var target: UInt32
  package var onDelete = DeleteRule.nullify
  package var onTargetDelete = DeleteRule.nullify
  /// Added to the UIDs derived from the IDs of the relation and its target.
  package var uidOffset: UInt64 = 0
  /// Nil in files of versions that did not store it.
  package var name: String?

  package init(
    id: UInt32,
    target: UInt32,
    onDelete: DeleteRule = DeleteRule.nullify,
    onTargetDelete: DeleteRule = DeleteRule.nullify,
    uidOffset: UInt64 = 0,
    name: String? = nil
  ) {
    self.id = id
    self.target = target
    self.onDelete = onDelete
    self.onTargetDelete = onTargetDelete
    self.uidOffset = uidOffset
    self.name = name
  }
}

/// An index over several properties.
package struct FixtureCompoundIndex: Sendable {
  package var id: UInt32
  package var properties: [UInt32]
  package var isUnique = false

  package init(id: UInt32, properties: [UInt32], isUnique: Bool = false) {
    self.id = id
    self.properties = properties
    self.isUnique = isUnique
  }
}

/// An index of the words of properties.
package struct FixtureFullTextIndex: Sendable {
  package var id: UInt32
  /// Nil for an index of one property.
  package var name: String?
  package var properties: [UInt32]
  package var weights: [UInt8]
  package var prefixLengths: [Int]
  package var keepsDiacritics: Bool

  package init(
    id: UInt32,
    name: String? = nil,
    properties: [UInt32],
    weights: [UInt8] = [],
    prefixLengths: [Int] = [],
    keepsDiacritics: Bool = false
  ) {
    self.id = id
    self.name = name
    self.properties = properties
    self.weights = weights
    self.prefixLengths = prefixLengths
    self.keepsDiacritics = keepsDiacritics
  }
}

/// An entity of the format tests; each is a type, since types distinguish boxes.
///
/// UIDs derive from IDs: 1000 plus the ID for entities, 100 times the entity ID plus the ID for
/// properties, 10,000 plus the ID for indexes, 20,000 plus the ID for relations.
package protocol FixtureEntity: Sendable {
  static var info: EntityInfo { get }
  static var properties: [FixtureProperty] { get }
  static var relations: [FixtureRelation] { get }
  static var compoundIndexes: [FixtureCompoundIndex] { get }
  static var fullTextIndexes: [FixtureFullTextIndex] { get }
  /// The highest property ID ever assigned; nil for the last property's ID.
  static var lastProperty: UInt32? { get }
  /// Added to the UID derived from the ID, for an entity that reuses an ID.
  static var uidOffset: UInt64 { get }
}

extension FixtureEntity {
  package static var relations: [FixtureRelation] { [] }
  package static var compoundIndexes: [FixtureCompoundIndex] { [] }
  package static var fullTextIndexes: [FixtureFullTextIndex] { [] }
  package static var lastProperty: UInt32? { nil }
  package static var uidOffset: UInt64 { 0 }
}

/// An object of a ``FixtureEntity``: its non-null values by property name.
package final class FixtureObject<E: FixtureEntity>: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = FixtureObject<E>
  package typealias EntityBindingType = FixtureBinding<E>
  package static var entityInfo: EntityInfo { E.info }
  package static var entityBinding: FixtureBinding<E> { FixtureBinding() }

  package var id: Id
  package var values: [String: JSON]
  package var _id: EntityId<FixtureObject<E>> { EntityId(id) }

  package init(id: Id = 0, _ values: [String: JSON] = [:]) {
    self.id = id
    self.values = values
  }
}

package final class FixtureBinding<E: FixtureEntity>: EntityBinding, Sendable {
  package typealias EntityType = FixtureObject<E>
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id) {
    entity.id = entityId
  }
  package func entityId(of entity: EntityType) -> Id { entity.id }
  package func collect(
    fromEntity entity: EntityType,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    FixtureCoding.collect(entity.values, of: E.properties, into: propertyCollector)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> EntityType {
    let object = FixtureObject<E>(id: entityReader.read(at: 4))
    for property in E.properties where !property.flags.contains(.id) {
      object.values[property.name] = FixtureCoding.value(of: property, in: entityReader)
    }
    return object
  }
}
