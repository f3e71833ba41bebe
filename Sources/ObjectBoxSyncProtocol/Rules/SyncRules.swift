/// The rules of all synchronized entities.
package struct SyncRules: Sendable {
  /// The rules by entity; other entities are not synchronized.
  package let entities: [EntityUID: EntityRules]

  /// Creates the rules of the given entities.
  package init(_ entities: [EntityUID: EntityRules]) {
    self.entities = entities
  }

  /// The rules of an entity, or nil if it is not synchronized.
  package subscript(entity: EntityUID) -> EntityRules? {
    entities[entity]
  }

  /// Returns the unique keys of a row.
  package func uniqueKeys(of row: Row, at key: ObjectKey) -> [UniqueKey] {
    guard let rules = entities[key.entity], !rules.uniques.isEmpty else { return [] }
    return rules.uniqueKeys(of: key.entity, in: row.values)
  }
}
