/// The relations of one entity, its own and those that lead to it; computed once, when the store opens.
package struct EntityLinks: Sendable {
  /// A to-one relation that leads to the entity.
  struct Incoming: Sendable {
    /// The number of the entity that has the relation.
    var source: Int
    var propertyID: UInt32
    var onDelete = DeleteRule.nullify
  }

  /// The to-one relations that lead to the entity, also from itself.
  var incomingToOnes: [Incoming]
  /// The standalone relations of which the entity is one end, or both.
  var relations: [RelationTable]
  /// True when objects of the entity can refer to others or be referred to.
  var isLinked: Bool
  /// True when the removal of an object can remove others, or be restricted by others.
  var hasDeleteRules: Bool

  /// Finds the links of an entity.
  ///
  /// - Parameters:
  ///   - number: The entity's index in the schema.
  ///   - schema: All entities.
  ///   - relations: All standalone relations of the store.
  init(of number: Int, in schema: StoreSchema, relations: [RelationTable]) {
    let entity = schema.entities[number]
    // By their places, since this looks at each property of the schema, and a copy counts references.
    var incoming: [Incoming] = []
    for source in schema.entities.indices {
      for place in schema.entities[source].properties.indices
      where schema.entities[source].properties[place].type == .relation {
        let property = schema.entities[source].properties[place]
        guard property.targetEntityName == entity.name else { continue }
        incoming.append(
          Incoming(
            source: source,
            propertyID: property.identity.id,
            onDelete: property.onDelete
          )
        )
      }
    }
    incomingToOnes = incoming
    self.relations = relations.filter { $0.source == number || $0.target == number }
    isLinked =
      !incomingToOnes.isEmpty || !self.relations.isEmpty
      || entity.properties.contains { $0.type == .relation }
    hasDeleteRules =
      incomingToOnes.contains { $0.onDelete != .nullify }
      || self.relations.contains { relation in
        (relation.source == number && relation.schema.onDelete != .nullify)
          || (relation.target == number && relation.schema.onTargetDelete != .nullify)
      }
  }
}
