/// The relations from and to one entity; computed once, when the store opens.
package struct EntityLinks: Sendable {
  /// A to-one relation whose target is the entity.
  struct Incoming: Sendable {
    /// The number of the entity that has the relation.
    var source: Int
    var propertyID: UInt32
    var onDelete = DeleteRule.nullify
  }

  /// The to-one relations whose target is the entity, including its own.
  var incomingToOnes: [Incoming]
  /// The standalone relations with the entity at one end or both.
  var relations: [RelationTable]
  /// True if objects of the entity can refer to other objects or be referred to.
  var isLinked: Bool
  /// True if removing an object can remove other objects, or be refused because of them.
  var hasDeleteRules: Bool

  /// Finds the links of an entity.
  ///
  /// - Parameters:
  ///   - number: The entity's index in the schema.
  ///   - schema: All entities.
  ///   - relations: All standalone relations of the store.
  init(of number: Int, in schema: StoreSchema, relations: [RelationTable]) {
    let entity = schema.entities[number]
    // By index: this visits each property of the schema, and copying a property counts references.
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
