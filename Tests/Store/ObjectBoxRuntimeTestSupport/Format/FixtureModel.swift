package import ObjectBox

/// Builds the models of the format tests.
package enum FixtureModel {
  /// Returns the builder of a model; `last…` are the highest IDs ever assigned.
  package static func builder(
    _ entities: [any FixtureEntity.Type],
    lastIndex: UInt32,
    lastRelation: UInt32 = 0
  ) throws -> ModelBuilder {
    let builder = try ModelBuilder()
    var last: UInt32 = 0
    for entity in entities {
      try add(entity, to: builder)
      last = max(last, entity.info.entitySchemaId)
    }
    builder.lastEntity(id: last, uid: uid(entity: last))
    if lastIndex != 0 { builder.lastIndex(id: lastIndex, uid: uid(index: lastIndex)) }
    if lastRelation != 0 {
      builder.lastRelation(id: lastRelation, uid: uid(relation: lastRelation))
    }
    return builder
  }

  private static func uid(entity: UInt32) -> UInt64 { 1000 + UInt64(entity) }
  private static func uid(index: UInt32) -> UInt64 { 10_000 + UInt64(index) }
  private static func uid(relation: UInt32) -> UInt64 { 20_000 + UInt64(relation) }
  private static func uid(property: UInt32, of entity: UInt32) -> UInt64 {
    100 * UInt64(entity) + UInt64(property)
  }

  private static func add<E: FixtureEntity>(_ type: E.Type, to builder: ModelBuilder) throws {
    let number = E.info.entitySchemaId
    let entity = try builder.entityBuilder(
      for: FixtureObject<E>.self,
      id: number,
      uid: uid(entity: number) + E.uidOffset
    )
    for property in E.properties { try add(property, to: entity, number) }
    for relation in E.relations {
      try entity.addToManyRelation(
        id: relation.id,
        uid: uid(relation: relation.id) + relation.uidOffset,
        targetId: relation.target,
        targetUid: uid(entity: relation.target) + relation.uidOffset
      )
      if let name = relation.name { try entity.relationName(name) }
      try entity.relationOnDelete(relation.onDelete)
      try entity.relationOnTargetDelete(relation.onTargetDelete)
    }
    for index in E.compoundIndexes {
      try entity.addCompoundIndex(
        id: index.id,
        uid: uid(index: index.id),
        propertyIds: index.properties,
        isUnique: index.isUnique
      )
    }
    for index in E.fullTextIndexes {
      try entity.addFullTextIndex(
        id: index.id,
        uid: uid(index: index.id),
        name: index.name,
        propertyIds: index.properties,
        weights: index.weights,
        prefixLengths: index.prefixLengths,
        keepsDiacritics: index.keepsDiacritics
      )
    }
    let last = E.lastProperty ?? E.properties.map(\.id).max() ?? 0
    try entity.lastProperty(id: last, uid: uid(property: last, of: number))
  }

  private static func add<E>(
    _ property: FixtureProperty,
    to entity: EntityBuilder<E>,
    _ number: UInt32
  ) throws {
    let indexUid = property.index == 0 ? 0 : uid(index: property.index)
    let builder: PropertyBuilder
    if let target = property.target {
      builder = try entity.addToOneRelation(
        name: property.name,
        targetEntityInfo: target,
        flags: property.flags,
        id: property.id,
        uid: uid(property: property.id, of: number) + property.uidOffset,
        indexId: property.index,
        indexUid: indexUid
      )
      try builder.onDelete(property.onDelete)
    } else {
      builder = try entity.addProperty(
        name: property.name,
        type: property.type,
        flags: property.flags,
        id: property.id,
        uid: uid(property: property.id, of: number) + property.uidOffset,
        indexId: property.index,
        indexUid: indexUid
      )
    }
    try builder.collation(property.collation)
    if let name = property.externalName { try builder.externalName(name) }
    if let type = property.externalType { try builder.externalType(UInt32(type.rawValue)) }
    if let graph = property.graph {
      try builder.hnswParams(
        dimensions: graph.dimensions,
        neighborsPerNode: graph.neighborsPerNode,
        indexingSearchCount: nil,
        flags: nil,
        distanceType: graph.distance,
        reparationBacklinkProbability: graph.repairProbability,
        vectorCacheHintSizeKB: nil
      )
    }
  }
}
