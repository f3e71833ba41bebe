/// A set of objects that a user may see: an entity's objects whose property has a value.
package struct Scope: Hashable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The property that decides, or nil for all objects of the entity.
  package let property: PropertyUID?
  /// The value that the property must have; ignored without a property.
  package let value: PropertyValue

  /// Creates a scope.
  package init(entity: EntityUID, property: PropertyUID? = nil, value: PropertyValue = .null) {
    self.entity = entity
    self.property = property
    self.value = value
  }

  /// Returns true if an object of the entity with the given values is in the scope.
  package func matches(_ entity: EntityUID, _ values: PropertyList<PropertyValue>) -> Bool {
    guard entity == self.entity else { return false }
    guard let property else { return true }
    return (values[property] ?? .null) == value
  }
}
