import ObjectBox

// Entities of a model that loses some of them, and gives their IDs to others.

enum RoomEntity: FixtureEntity {
  static let info = EntityInfo(name: "Room", id: 1)
  static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "name", type: .string, flags: [.indexHash], index: 1),
    FixtureProperty(id: 3, name: "area", type: .double),
  ]
}

enum ShelfEntity: FixtureEntity {
  static let info = EntityInfo(name: "Shelf", id: 2)
  static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "label", type: .string),
  ]
  static let relations = [FixtureRelation(id: 1, target: 1), FixtureRelation(id: 2, target: 1)]
}

enum ToolEntity: FixtureEntity {
  static let info = EntityInfo(name: "Tool", id: 3)
  static let id = FixtureProperty(id: 1, name: "id", type: .long, flags: [.id])
  static let name = FixtureProperty(id: 2, name: "name", type: .string)
  static let properties = [id, name, FixtureProperty(id: 3, name: "weight", type: .long)]
}

/// The tools without their weight.
enum PlainToolEntity: FixtureEntity {
  static let info = ToolEntity.info
  static let properties = [ToolEntity.id, ToolEntity.name]
  static let lastProperty: UInt32? = 3
}

/// Takes the ID of the rooms.
enum CrateEntity: FixtureEntity {
  static let info = EntityInfo(name: "Crate", id: 1)
  static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "code", type: .long),
  ]
  static let uidOffset: UInt64 = 500_000
}

/// The tools, with a relation that takes the ID of one of the shelves', and a property that takes the ID of
/// the weight.
enum LaterToolEntity: FixtureEntity {
  static let info = ToolEntity.info
  static let properties = [
    ToolEntity.id, ToolEntity.name,
    FixtureProperty(id: 3, name: "price", type: .long, uidOffset: 500_000),
  ]
  static let relations = [FixtureRelation(id: 1, target: 1, uidOffset: 500_000)]
}
