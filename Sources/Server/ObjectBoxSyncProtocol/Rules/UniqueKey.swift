/// The values of one object in one unique constraint.
package struct UniqueKey: Hashable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The position of the constraint in the entity's rules.
  package let constraint: Int
  /// The values in the order of the constraint's properties, none of them null.
  package let values: [PropertyValue]

  /// Returns the key of the given values, or nil if one of them is null.
  package init?(
    entity: EntityUID,
    constraint: Int,
    of rule: UniqueProperties,
    in values: PropertyList<PropertyValue>
  ) {
    var own: [PropertyValue] = []
    for property in rule.properties {
      guard let value = values[property], value != .null else { return nil }
      own.append(value)
    }
    self.entity = entity
    self.constraint = constraint
    self.values = own
  }
}
