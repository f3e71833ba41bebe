package import ObjectBox

// Entities of a model that loses some of them, and reuses their IDs.

package enum RoomEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Room", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "name", type: .string, flags: [.indexHash], index: 1),
    FixtureProperty(id: 3, name: "area", type: .double),
  ]
}

package enum ShelfEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Shelf", id: 2)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "label", type: .string),
  ]
  package static let relations = [
    FixtureRelation(id: 1, target: 1), FixtureRelation(id: 2, target: 1),
  ]
}

package enum ToolEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Tool", id: 3)
  package static let id = FixtureProperty(id: 1, name: "id", type: .long, flags: [.id])
  package static let name = FixtureProperty(id: 2, name: "name", type: .string)
  package static let properties = [id, name, FixtureProperty(id: 3, name: "weight", type: .long)]
}

/// The tool entity without its weight.
package enum PlainToolEntity: FixtureEntity {
  package static let info = ToolEntity.info
  package static let properties = [ToolEntity.id, ToolEntity.name]
  package static let lastProperty: UInt32? = 3
}

/// Reuses the ID of the rooms.
package enum CrateEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Crate", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "code", type: .long),
  ]
  package static let uidOffset: UInt64 = 500_000
}

/// The tool entity, with a relation that reuses a shelf relation's ID, and a property that reuses
/// the weight's ID.
package enum LaterToolEntity: FixtureEntity {
  package static let info = ToolEntity.info
  package static let properties = [
    ToolEntity.id, ToolEntity.name,
    FixtureProperty(id: 3, name: "price", type: .long, uidOffset: 500_000),
  ]
  package static let relations = [FixtureRelation(id: 1, target: 1, uidOffset: 500_000)]
}
