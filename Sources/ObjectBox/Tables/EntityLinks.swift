/// How one entity hangs together with the others; found once, when the store opens.
struct EntityLinks: Sendable {
  /// A to-one relation that leads to the entity.
  struct Incoming: Sendable {
    /// The entity that has the relation: its place among the tables of the store.
    var source: Int
    var propertyID: UInt32
    var onDelete = DeleteRule.nullify
  }

  /// The to-one relations that lead to the entity; its own ones to itself are among them.
  var incomingToOnes: [Incoming]
  /// The standalone relations of which the entity is one end, or both.
  var relations: [RelationTable]
  /// True when objects of the entity can refer to others or be referred to.
  var isLinked: Bool
  /// True when the removal of an object can remove others, or be refused for their sake.
  var hasDeleteRules: Bool

  /// Finds the links of an entity.
  ///
  /// - Parameters:
  ///   - number: Its place among the entities of the schema.
  ///   - schema: All entities.
  ///   - relations: All standalone relations of the store.
  init(of number: Int, in schema: StoreSchema, relations: [RelationTable]) {
    let entity = schema.entities[number]
    incomingToOnes = schema.entities.enumerated().flatMap { index, source in
      source.properties.filter { $0.type == .relation && $0.targetEntityName == entity.name }
        .map { Incoming(source: index, propertyID: $0.identity.id, onDelete: $0.onDelete) }
    }
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
