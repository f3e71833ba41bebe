internal import ObjectBox
package import ObjectBoxSyncProtocol

extension SyncedStore {
  /// The synchronized entities of a store, for the server to compare with its own.
  package struct ModelDescription: Hashable, Sendable {
    /// One entity.
    package struct Entity: Hashable, Sendable {
      /// The entity.
      package let uid: EntityUID
      /// The synchronized properties with the raw values of their types.
      package let properties: [Property]
      /// The synchronized standalone relations.
      package let relations: [PropertyUID]
    }

    /// One property.
    package struct Property: Hashable, Sendable {
      /// The property.
      package let uid: PropertyUID
      /// The raw value of the property type.
      package let type: UInt16
    }

    /// The entities by UID.
    package let entities: [Entity]

    init(_ model: SyncedModel) {
      entities = model.entities.values.sorted { $0.uid < $1.uid }.map { entity in
        Entity(
          uid: entity.uid,
          properties: entity.properties.map { property in
            Property(
              uid: property.uid,
              type: UInt16(truncatingIfNeeded: property.schema.type.rawValue)
            )
          },
          relations: entity.relations.map(\.uid)
        )
      }
    }
  }
}
