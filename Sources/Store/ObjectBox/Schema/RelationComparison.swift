/// A standalone relation of the file that is not in the model.
struct RemovedRelation {
  var source: EntitySchema
  var relation: RelationSchema
}

/// Compares the relations in a store file with the relations of the model.
struct RelationComparison {
  let stored: StoreSchema
  let model: StoreSchema
  let checks: SchemaChecks

  /// Returns the standalone relations to retire: relations that are not in the model, and relations
  /// with another entity at one end.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the model has another relation in its
  ///   place.
  func removed() throws -> [RemovedRelation] {
    var old: [UInt32: RemovedRelation] = [:]
    for entity in stored.entities {
      for relation in entity.relations {
        old[relation.identity.id] = RemovedRelation(source: entity, relation: relation)
      }
    }
    var removed: [RemovedRelation] = []
    for entity in model.entities {
      for relation in entity.relations {
        let id = relation.identity.id
        guard let before = old.removeValue(forKey: id) else {
          try checkNotMoved(relation, of: entity)
          continue
        }
        guard before.relation.identity.uid == relation.identity.uid else {
          throw checks.fault(
            "its schema has UID \(before.relation.identity.uid) for relation \(id) of "
              + "'\(before.source.name)', the model says \(relation.identity.uid) for one of "
              + "'\(entity.name)'; \(checks.restore)"
          )
        }
        let hasOtherEnds =
          before.source.identity.uid != entity.identity.uid
          || before.relation.target.uid != relation.target.uid
        guard hasOtherEnds else { continue }
        // Rejected while both ends are in the model: the pairs of their objects would be lost.
        if isInModel(before.source.identity), isInModel(before.relation.target) {
          throw checks.fault(
            "relation \(id) leads from '\(before.source.name)' to "
              + "\(name(before.relation.target, in: stored)) in the store, in the model from "
              + "'\(entity.name)' to \(name(relation.target, in: model)); to start anew without the "
              + "stored relation, annotate it with `objectbox: uid` and follow what the generator says"
          )
        }
        removed.append(before)
      }
    }
    return removed + old.values.sorted { $0.relation.identity.id < $1.relation.identity.id }
  }

  private func checkNotMoved(_ relation: RelationSchema, of entity: EntitySchema) throws {
    let moved = stored.entities.flatMap(\.relations)
      .first { $0.identity.uid == relation.identity.uid }
    if let moved {
      throw checks.fault(
        "a relation of '\(entity.name)' has ID \(relation.identity.id) in the model and ID "
          + "\(moved.identity.id) in the store, with the same UID \(moved.identity.uid); "
          + checks.restore
      )
    }
  }

  /// Checks that the to-one relations of an entity still have the same target entities.
  ///
  /// Otherwise the IDs in its records would refer to other objects.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when a relation has another target.
  func compareToOnes(of entity: EntitySchema, with old: EntitySchema) throws {
    for property in entity.properties where property.type == .relation {
      guard
        let before = old.properties.first(where: { $0.identity == property.identity }),
        let from = target(before, in: stored), let to = target(property, in: model),
        from.identity.uid != to.identity.uid
      else { continue }
      throw checks.fault(
        "'\(entity.name).\(property.name)' leads to '\(from.name)' in the store and to '\(to.name)' "
          + "in the model; to start anew without the stored relation, annotate the property with "
          + "`objectbox: uid` and follow what the generator says"
      )
    }
  }

  private func target(_ property: PropertySchema, in schema: StoreSchema) -> EntitySchema? {
    schema.entities.first { $0.name == property.targetEntityName }
  }

  private func isInModel(_ identity: SchemaIdentity) -> Bool {
    model.entities.contains { $0.identity.uid == identity.uid }
  }

  private func name(_ identity: SchemaIdentity, in schema: StoreSchema) -> String {
    schema.entities.first { $0.identity.uid == identity.uid }.map { "'\($0.name)'" }
      ?? "entity \(identity.id)"
  }
}
