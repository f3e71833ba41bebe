/// The conflict rules of one entity, equal on the server and all devices.
package struct EntityRules: Hashable, Sendable {
  /// The rule for concurrent updates.
  package var mode: ConflictMode
  /// The unique constraints, in the order of the model.
  package var uniques: [UniqueProperties]
  /// Integer properties whose changes are added up.
  package var counters: Set<PropertyUID>
  /// The property whose greater value wins, whatever the clocks.
  package var precedence: PropertyUID?
  /// True if the updates of devices contain what their programs saw before, for a function of the server that resolves
  /// conflicts.
  package var sendsBase: Bool
  /// The to-one relations to synchronized entities, with their targets.
  package var relations: [PropertyUID: EntityUID]

  /// Creates the rules of an entity.
  package init(
    mode: ConflictMode = .arrival,
    uniques: [UniqueProperties] = [],
    counters: Set<PropertyUID> = [],
    precedence: PropertyUID? = nil,
    sendsBase: Bool = false,
    relations: [PropertyUID: EntityUID] = [:]
  ) {
    self.mode = mode
    self.uniques = uniques
    self.counters = counters
    self.precedence = precedence
    self.sendsBase = sendsBase
    self.relations = relations
  }

  /// Returns the unique keys of a row with the given values.
  package func uniqueKeys(
    of entity: EntityUID,
    in values: PropertyList<PropertyValue>
  ) -> [UniqueKey] {
    var keys: [UniqueKey] = []
    for (index, constraint) in uniques.enumerated() {
      if let key = UniqueKey(entity: entity, constraint: index, of: constraint, in: values) {
        keys.append(key)
      }
    }
    return keys
  }
}
