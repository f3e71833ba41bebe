/// The relations from and to one entity; computed once, when the store opens.
package struct EntityLinks: Sendable {
  /// A to-one relation with the entity as its target.
  struct Incoming: Sendable {
    /// The number of the entity that has the relation.
    var source: Int
    var propertyID: UInt32
    var onDelete = DeleteRule.nullify
  }

  /// The to-one relations with the entity as their target, including its own.
  var incomingToOnes: [Incoming]
  /// The standalone relations with the entity at one end or both.
  var relations: [RelationTable]
  /// True if objects of the entity can refer to other objects or be referred to.
  var isLinked: Bool
  /// True if removing an object can remove other objects, or be rejected because of them.
  var hasDeleteRules: Bool

  /// Finds the links of each entity of a schema.
  ///
  /// - Parameters:
  ///   - schema: All entities.
  ///   - relations: All standalone relations of the store.
  /// - Returns: The links, in the order of the entities.
  static func all(in schema: StoreSchema, relations: [RelationTable]) -> [EntityLinks] {
    // By index: this visits each property of the schema, and copying a property counts references.
    var incoming: [String: [Incoming]] = [:]
    for source in schema.entities.indices {
      for place in schema.entities[source].properties.indices
      where schema.entities[source].properties[place].type == .relation {
        let property = schema.entities[source].properties[place]
        guard let target = property.targetEntityName else { continue }
        incoming[target, default: []].append(
          Incoming(
            source: source,
            propertyID: property.identity.id,
            onDelete: property.onDelete
          )
        )
      }
    }
    var own = Array(repeating: [RelationTable](), count: schema.entities.count)
    for relation in relations {
      for end in Set([relation.source, relation.target]) { own[end].append(relation) }
    }
    return schema.entities.enumerated().map { number, entity in
      EntityLinks(
        of: number,
        entity,
        incomingToOnes: incoming[entity.name] ?? [],
        relations: own[number]
      )
    }
  }

  private init(
    of number: Int,
    _ entity: EntitySchema,
    incomingToOnes: [Incoming],
    relations: [RelationTable]
  ) {
    self.incomingToOnes = incomingToOnes
    self.relations = relations
    isLinked =
      !incomingToOnes.isEmpty || !relations.isEmpty
      || entity.properties.contains { $0.type == .relation }
    hasDeleteRules =
      incomingToOnes.contains { $0.onDelete != .nullify }
      || relations.contains { relation in
        (relation.source == number && relation.schema.onDelete != .nullify)
          || (relation.target == number && relation.schema.onTargetDelete != .nullify)
      }
  }
}
