public import ObjectBox

/// A property of an entity, of any type; only `Property` conforms.
public protocol ObservedProperty<EntityType>: Sendable {
  /// The entity.
  associatedtype EntityType
  /// The ID of the property in its entity.
  var propertyId: UInt32 { get }
}

extension Property: ObservedProperty {}

extension PropertySet {
  /// Makes the set of properties of an entity; nil means all.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a property that the model lacks.
  init<E>(_ properties: [any ObservedProperty<E>]?, in entity: EntitySchema) throws {
    guard let properties else {
      self = .all
      return
    }
    self = try properties.reduce(into: PropertySet()) { set, property in
      let id = property.propertyId
      guard let index = entity.properties.firstIndex(where: { $0.identity.id == id }) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "an observer names property \(id) of '\(entity.name)', which the model of the store "
            + "lacks; run the generator again"
        )
      }
      set.formUnion(PropertySet(index: index))
    }
  }
}
