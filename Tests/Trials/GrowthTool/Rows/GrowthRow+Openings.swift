import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport

/// Large models.
extension GrowthRow {
  static var openings: [GrowthRow] {
    [
      opening("store of many entities", size: 30) { count, builder in
        for number in 1...count { try entity(number, builder) }
      },
      opening("store of many to-one relations", size: 30) { count, builder in
        for number in 1...count {
          let entity = try entity(number, builder)
          try entity.addToOneRelation(
            name: "target",
            targetEntityInfo: EntityInfo(name: "Entity1", id: 1),
            flags: [.indexed, .indexPartialSkipZero],
            id: 2,
            uid: 2_000_000 + UInt64(number),
            indexId: UInt32(number),
            indexUid: 3_000_000 + UInt64(number)
          )
        }
        builder.lastIndex(id: UInt32(count), uid: 3_000_000 + UInt64(count))
      },
      opening("entity of many properties", size: 60) { count, builder in
        let entity = try entity(1, builder)
        for number in 2...count {
          try entity.addProperty(
            name: "property\(number)",
            type: .long,
            id: UInt32(number),
            uid: 2_000_000 + UInt64(number)
          )
        }
        try entity.lastProperty(id: UInt32(count), uid: 2_000_000 + UInt64(count))
      },
      opening("entity of many indexes", size: 60) { count, builder in
        let entity = try entity(1, builder)
        for number in 2...count {
          try entity.addProperty(
            name: "property\(number)",
            type: .long,
            flags: [.indexed],
            id: UInt32(number),
            uid: 2_000_000 + UInt64(number),
            indexId: UInt32(number),
            indexUid: 3_000_000 + UInt64(number)
          )
        }
        try entity.lastProperty(id: UInt32(count), uid: 2_000_000 + UInt64(count))
        builder.lastIndex(id: UInt32(count), uid: 3_000_000 + UInt64(count))
      },
    ].flatMap(\.self)
  }

  /// Rows that make a store of a model, and that open it again.
  private static func opening(
    _ name: String,
    size: Int,
    _ build: @escaping (Int, ModelBuilder) throws -> Void
  ) -> [GrowthRow] {
    func open(_ count: Int, in folder: TemporaryDirectory) throws {
      let builder = try ModelBuilder()
      try build(count, builder)
      let store = try Store(model: builder.finish(), directory: folder.path + "/store")
      store.close()
    }
    return [
      GrowthRow("new \(name)", .linear, size: size) { count, measure in
        let folder = try TemporaryDirectory()
        try measure { try open(count, in: folder) }
      },
      GrowthRow("opened \(name)", .linear, size: size) { count, measure in
        let folder = try TemporaryDirectory()
        try open(count, in: folder)
        try measure { try open(count, in: folder) }
      },
    ]
  }

  @discardableResult
  private static func entity(
    _ number: Int,
    _ builder: ModelBuilder
  ) throws -> EntityBuilder<Sample> {
    let entity: EntityBuilder<Sample> = try builder.entityBuilder(
      named: "Entity\(number)",
      id: UInt32(number),
      uid: 1_000_000 + UInt64(number)
    )
    try entity.addProperty(
      name: "id",
      type: .long,
      flags: [.id],
      id: 1,
      uid: 4_000_000 + UInt64(number)
    )
    try entity.lastProperty(id: 2, uid: 2_000_000 + UInt64(number))
    builder.lastEntity(id: UInt32(number), uid: 1_000_000 + UInt64(number))
    return entity
  }
}
