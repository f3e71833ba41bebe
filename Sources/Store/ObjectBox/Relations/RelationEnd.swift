/// One end of a relation: the path from an object, the host, to its related objects.
///
/// The numbers are the model's property and relation IDs.
package enum RelationEnd: Sendable, Hashable {
  /// A to-one property of the host.
  case toOne(property: UInt32)
  /// The backlink of a to-one property of the related objects.
  case toOneBacklink(property: UInt32)
  /// A standalone relation of the host.
  case standalone(relation: UInt32)
  /// The backlink of a standalone relation of the related objects.
  case standaloneBacklink(relation: UInt32)

  /// The other end of the same relation.
  package var reversed: RelationEnd {
    switch self {
    case .toOne(let id): .toOneBacklink(property: id)
    case .toOneBacklink(let id): .toOne(property: id)
    case .standalone(let id): .standaloneBacklink(relation: id)
    case .standaloneBacklink(let id): .standalone(relation: id)
    }
  }

  /// Returns whether the end leads from `host` to `related`.
  func leads(from host: EntityTable, to related: EntityTable, in file: StoreFile) -> Bool {
    switch self {
    case .toOne(let id):
      host.schema.properties.contains {
        $0.identity.id == id && $0.type == .relation && $0.targetEntityName == related.name
      }
    case .standalone(let id):
      file.relation(id: id).map { $0.source == host.number && $0.target == related.number } ?? false
    case .toOneBacklink, .standaloneBacklink:
      reversed.leads(from: related, to: host, in: file)
    }
  }

  /// Returns the host entity; nil for a to-one property, and when the model lacks the relation.
  func hostTable(of related: EntityTable, in file: StoreFile) -> EntityTable? {
    switch self {
    case .toOne: nil
    case .toOneBacklink(let id):
      related.schema.property(id: id).flatMap { property in
        file.tables.target(of: property)
      }
    case .standalone(let id): file.relation(id: id).map { file.tables[$0.source] }
    case .standaloneBacklink(let id): file.relation(id: id).map { file.tables[$0.target] }
    }
  }

  /// Describes the end for messages; `name` names the related entity, which the model may lack.
  package func describe(from host: EntitySchema, to related: EntitySchema?, named name: String)
    -> String
  {
    func property(_ id: UInt32, _ entity: EntitySchema?) -> String {
      entity?.propertyName(id) ?? "property \(id)"
    }
    switch self {
    case .toOne(let id): return property(id, host)
    case .toOneBacklink(let id): return "backlink of \(name).\(property(id, related))"
    case .standalone(let id): return "relation \(id)"
    case .standaloneBacklink(let id): return "backlink of relation \(id)"
    }
  }
}

extension ToManyProperty {
  /// The end at the relation's own objects.
  package var end: RelationEnd {
    switch relation {
    case .valuePropertyId(let id): .toOneBacklink(property: id)
    case .relationId(let id): .standalone(relation: id)
    case .backlinkRelationId(let id): .standaloneBacklink(relation: id)
    }
  }
}
