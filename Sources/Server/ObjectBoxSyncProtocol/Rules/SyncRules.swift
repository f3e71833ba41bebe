/// The rules of all synchronized entities.
package struct SyncRules: Sendable {
  /// The rules by entity; other entities are not synchronized.
  package let entities: [EntityUID: EntityRules]
  /// The functions that resolve conflicts by entity; only the server has them.
  package let resolutions: [EntityUID: Conflict.Resolution]

  /// Creates the rules of the given entities.
  ///
  /// - Parameters:
  ///   - entities: The rules by entity.
  ///   - resolutions: The functions by entity. A function is called only for updates with a base, which devices send
  ///     for entities with ``EntityRules/sendsBase``.
  package init(
    _ entities: [EntityUID: EntityRules],
    resolutions: [EntityUID: Conflict.Resolution] = [:]
  ) {
    self.entities = entities
    self.resolutions = resolutions
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
