import Foundation
import ObjectBox

/// Opens the stores of trials.
enum TrialStore {
  /// The ID of the property of a generation that a function of single values fills.
  static func extraID(generation: Int) -> UInt32 { 10 + 2 * UInt32(generation) }

  /// The ID of the last property of a generation, which a function of whole objects fills.
  static func totalID(generation: Int) -> UInt32 { extraID(generation: generation) + 1 }

  /// The generation of a model.
  static func generation(of schema: StoreSchema) -> Int {
    Int(schema.entities[0].lastProperty.id - totalID(generation: 0)) / 2
  }

  /// The first property's value in an object: migrations count the generations.
  static func extra(of item: Item, generation: Int) -> Int64 {
    item.step * 1000 + Int64(generation)
  }

  /// The last property's value in an object.
  static func total(of item: Item, generation: Int) -> Int64 {
    extra(of: item, generation: generation) + Int64(item.slot)
  }

  /// Makes a generation's model: generations differ in the index of the texts and in the last two
  /// properties, whose values come from those of the generation before.
  static func model(generation: Int = 0) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let item = try builder.entityBuilder(for: Item.self, id: 1, uid: 1001)
    try item.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try item.addProperty(
      name: "key",
      type: .string,
      flags: [.unique, .indexHash, .indexed],
      id: 2,
      uid: 2,
      indexId: 1,
      indexUid: 101
    )
    try item.addProperty(name: "worker", type: .int, id: 3, uid: 3)
    try item.addProperty(name: "slot", type: .int, id: 4, uid: 4)
    try item.addProperty(
      name: "step",
      type: .long,
      flags: [.indexed],
      id: 5,
      uid: 5,
      indexId: 2,
      indexUid: 102
    )
    let changing = extraID(generation: generation)
    try item.addProperty(
      name: "text",
      type: .string,
      flags: [.indexed],
      id: 6,
      uid: 6,
      indexId: changing,
      indexUid: 100 + UInt64(changing)
    )
    try item.addProperty(name: "payload", type: .byteVector, id: 7, uid: 7)
    try item.addProperty(
      name: "place",
      type: .floatVector,
      flags: [.indexed],
      id: 8,
      uid: 8,
      indexId: 4,
      indexUid: 104
    ).hnswParams(
      dimensions: Item.dimensions,
      neighborsPerNode: 6,
      indexingSearchCount: nil,
      flags: nil,
      distanceType: nil,
      reparationBacklinkProbability: nil,
      vectorCacheHintSizeKB: nil
    )
    let extra = try item.addProperty(
      name: "extra",
      type: .long,
      id: changing,
      uid: UInt64(changing)
    )
    if generation > 0 {
      let before = extraID(generation: generation - 1)
      try extra.migrated(from: before, uid: UInt64(before), type: .long) { old, new in
        let value: Int64 = old.read(at: UInt16(2 + 2 * before))
        new.collect(value + 1, at: UInt16(2 + 2 * changing))
      }
    }
    try addTotal(to: item, generation: generation)
    try item.addCompoundIndex(id: 3, uid: 103, propertyIds: [3, 5])
    try item.addFullTextIndex(id: 5, uid: 105, propertyIds: [6])
    let last = totalID(generation: generation)
    try item.lastProperty(id: last, uid: UInt64(last))
    let register = try builder.entityBuilder(for: Register.self, id: 2, uid: 1002)
    try register.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 2001)
    try register.addProperty(name: "value", type: .long, id: 2, uid: 2002)
    try register.lastProperty(id: 2, uid: 2002)
    builder.lastEntity(id: 2, uid: 1002)
    builder.lastIndex(id: changing, uid: 100 + UInt64(changing))
    return builder.finish()
  }

  /// Adds the last property, which comes from the last two of the generation before.
  private static func addTotal(to item: EntityBuilder<Item>, generation: Int) throws {
    let total = totalID(generation: generation)
    try item.addProperty(name: "total", type: .long, id: total, uid: UInt64(total))
    guard generation > 0 else { return }
    let (before, extra) = (totalID(generation: generation - 1), extraID(generation: generation - 1))
    try item.migrated(
      [total],
      from: [
        (name: "extra", id: extra, uid: UInt64(extra), type: .long),
        (name: "total", id: before, uid: UInt64(before), type: .long),
      ]
    ) { old, new in
      let extra = try old.value(of: "extra", as: Int64.self)
      let total = try old.value(of: "total", as: Int64.self)
      guard let extra, total == extra + Int64(new.slot) else {
        throw ObjectBoxError.illegalState(
          message: "\(String(describing: total)) is no total of \(String(describing: extra))"
        )
      }
      new.migratedTotal = extra + 1 + Int64(new.slot)
    }
  }

  /// Opens a store under a generation's model.
  static func open(
    _ directory: String,
    generation: Int = 0,
    _ change: (inout Store.Configuration) -> Void = { _ in }
  ) throws -> Store {
    var configuration = configuration(directory)
    change(&configuration)
    return try Store(model: try model(generation: generation), configuration: configuration)
  }
}
