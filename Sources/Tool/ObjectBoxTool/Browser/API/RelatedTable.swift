internal import ObjectBox

/// The objects related to an object, as a table of their entity with a condition.
struct RelatedTable {
  /// The name of the relation.
  var name: String
  /// The entity of the related objects.
  var entity: String
  /// True when the relation belongs to the other entity.
  var isBacklink: Bool
  var isToMany: Bool
  /// The condition that matches the related objects.
  var filter: String

  private static let name = ConditionText.name

  /// Returns the relations of an object in both directions; its own come first.
  static func all(of entity: EntitySchema, _ id: UInt64, in schema: StoreSchema) -> [Self] {
    guard let ownID = entity.idProperty?.name else { return [] }
    var related: [Self] = entity.relations.compactMap { relation in
      schema.index(ofEntity: relation.target.id).map { index in
        Self(
          name: relation.title,
          entity: schema.entities[index].name,
          isBacklink: false,
          isToMany: true,
          filter: "\(name(entity.name)).\(name(relation.title))(\(name(ownID)) == \(id))"
        )
      }
    }
    for source in schema.entities {
      for property in source.properties
      where property.type == .relation && property.targetEntityName == entity.name {
        related.append(
          Self(
            name: property.name,
            entity: source.name,
            isBacklink: true,
            isToMany: false,
            filter: "\(name(property.name)) == \(id)"
          )
        )
      }
      for relation in source.relations where relation.target.id == entity.identity.id {
        related.append(
          Self(
            name: relation.title,
            entity: source.name,
            isBacklink: true,
            isToMany: true,
            filter: "\(name(relation.title))(\(name(ownID)) == \(id))"
          )
        )
      }
    }
    return related
  }
}
