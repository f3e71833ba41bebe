internal import ObjectBox
internal import ObjectBoxJSON

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
          filter: "\(quoted(entity.name)).\(quoted(relation.title))(\(quoted(ownID)) == \(id))"
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
            filter: "\(quoted(property.name)) == \(id)"
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
            filter: "\(quoted(relation.title))(\(quoted(ownID)) == \(id))"
          )
        )
      }
    }
    return related
  }

  private static func quoted(_ name: String) -> String {
    "`" + name.replacingBytes(of: "`", with: "``") + "`"
  }
}
