public import Foundation

extension Query {
  /// Sets the UUID of the first condition on a property.
  public func setParameter<V: UUIDPropertyType>(_ property: Property<E, V, Void>, to uuid: UUID) {
    set(property: property.propertyId, to: .uuids([uuid]))
  }

  /// Sets the UUID of the condition with the given alias.
  public func setParameter(_ alias: String, to uuid: UUID) {
    set(alias: alias, to: .uuids([uuid]))
  }

  /// Sets the UUIDs of the first condition on a property.
  public func setParameters<V: UUIDPropertyType>(
    _ property: Property<E, V, Void>,
    to uuids: [UUID]
  ) {
    set(property: property.propertyId, to: .uuids(uuids))
  }

  /// Sets the UUIDs of the condition with the given alias.
  public func setParameters(_ alias: String, to uuids: [UUID]) {
    set(alias: alias, to: .uuids(uuids))
  }
}
