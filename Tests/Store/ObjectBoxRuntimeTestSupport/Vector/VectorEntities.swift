import Foundation
package import ObjectBox
package import ObjectBoxTestSupport

/// An entity with a nearest-neighbour index and a hand-written binding.
package final class Sight: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Sight
  package typealias EntityBindingType = SightBinding
  package static let entityInfo = EntityInfo(name: "Sight", id: 1)
  package static let entityBinding = SightBinding()

  package var id: Id = 0
  package var vector: [Float]?
  package var kind: Int32 = 0

  package var _id: EntityId<Sight> { EntityId(id) }

  package init(_ vector: [Float]? = nil, kind: Int32 = 0) {
    self.vector = vector
    self.kind = kind
  }

  /// Returns places from (1, 1) to (`count`, `count`); the even ones are of kind 1.
  package static func row(_ count: Int) -> [Sight] {
    (1...count).map { (place: Int) -> Sight in
      let coordinate = Float(place)
      return Sight([coordinate, coordinate], kind: place % 2 == 0 ? 1 : 0)
    }
  }

  package static var id: Property<Sight, Id, Void> { Property(propertyId: 1, isPrimaryKey: true) }
  package static var vector: Property<Sight, HnswIndexPropertyType, Void> {
    Property(propertyId: 2)
  }
  package static var kind: Property<Sight, Int32, Void> { Property(propertyId: 3) }
}

package final class SightBinding: EntityBinding, Sendable {
  package typealias EntityType = Sight
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Sight, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Sight) -> Id { entity.id }
  package func collect(
    fromEntity entity: Sight,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let vector = propertyCollector.prepare(values: entity.vector)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.kind, at: 8)
    propertyCollector.collect(dataOffset: vector, at: 6)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Sight {
    let sight = Sight(entityReader.read(at: 6), kind: entityReader.read(at: 8))
    sight.id = entityReader.read(at: 4)
    return sight
  }
}

/// The index of ``Sight``; nil properties take the reference's defaults.
package struct SightIndex {
  package var dimensions = 2
  package var distance: HnswDistanceType?
  package var neighborsPerNode: UInt32?
  package var cacheInKilobytes: Int?
  package var repairProbability: Float?
  /// Whether the kind has an index too.
  package var indexesKind: Bool

  package init(
    dimensions: Int = 2,
    distance: HnswDistanceType? = nil,
    neighborsPerNode: UInt32? = nil,
    cacheInKilobytes: Int? = nil,
    repairProbability: Float? = nil,
    indexesKind: Bool = false
  ) {
    self.dimensions = dimensions
    self.distance = distance
    self.neighborsPerNode = neighborsPerNode
    self.cacheInKilobytes = cacheInKilobytes
    self.repairProbability = repairProbability
    self.indexesKind = indexesKind
  }
}

/// A folder with a store of ``Sight``, which can be reopened under another index.
package final class SightStore {
  private let folder: TemporaryDirectory
  package private(set) var store: Store
  private let sizeInKilobytes: UInt64

  /// Opens a new store; without an index if `index` is nil.
  package init(_ index: SightIndex? = SightIndex(), sizeInKilobytes: UInt64 = 200_000) throws {
    folder = try TemporaryDirectory()
    self.sizeInKilobytes = sizeInKilobytes
    store = try Self.open(folder.path + "/store", index, sizeInKilobytes)
  }

  deinit { store.close() }

  package var path: String { folder.path + "/store" }
  package var box: Box<Sight> { store.box(for: Sight.self) }

  /// Closes the store, runs a body, and opens the store again.
  package func reopen(_ index: SightIndex?, after body: () throws -> Void = {}) throws {
    store.close()
    try body()
    store = try Self.open(path, index, sizeInKilobytes)
  }

  private static func open(
    _ path: String,
    _ index: SightIndex?,
    _ sizeInKilobytes: UInt64
  ) throws -> Store {
    let builder = try ModelBuilder()
    let entity = try builder.entityBuilder(for: Sight.self, id: 1, uid: 1001)
    try entity.addProperty(
      name: "id",
      type: .long,
      flags: [.id, .idSelfAssignable],
      id: 1,
      uid: 1
    )
    if let index {
      try entity.addProperty(
        name: "vector",
        type: .floatVector,
        flags: [.indexed],
        id: 2,
        uid: 2,
        indexId: 1,
        indexUid: 100
      ).hnswParams(
        dimensions: index.dimensions,
        neighborsPerNode: index.neighborsPerNode,
        indexingSearchCount: nil,
        flags: nil,
        distanceType: index.distance,
        reparationBacklinkProbability: index.repairProbability,
        vectorCacheHintSizeKB: index.cacheInKilobytes
      )
    } else {
      try entity.addProperty(name: "vector", type: .floatVector, id: 2, uid: 2)
    }
    if index?.indexesKind ?? false {
      try entity.addProperty(
        name: "kind",
        type: .int,
        flags: [.indexed],
        id: 3,
        uid: 3,
        indexId: 2,
        indexUid: 101
      )
      builder.lastIndex(id: 2, uid: 101)
    } else {
      try entity.addProperty(name: "kind", type: .int, id: 3, uid: 3)
      builder.lastIndex(id: 1, uid: 100)
    }
    try entity.lastProperty(id: 3, uid: 3)
    builder.lastEntity(id: 1, uid: 1001)
    return try Store(model: builder.finish(), directory: path, maxDbSizeInKByte: sizeInKilobytes)
  }

  package func nearest(to vector: [Float], _ maxCount: Int) throws -> [Id] {
    try box.query { Sight.vector.nearestNeighbors(queryVector: vector, maxCount: maxCount) }
      .build().findIdsWithScores().map(\.id)
  }
}

extension SplitMix {
  /// Returns a number between -1 and 1; numbers near 0 are more likely.
  package mutating func offset() -> Float {
    (Float.random(in: -1...1, using: &self) + Float.random(in: -1...1, using: &self)) / 2
  }

  package mutating func vector(
    _ dimensions: Int,
    around center: [Float]? = nil,
    by spread: Float = 1
  )
    -> [Float]
  {
    (0..<dimensions).map { (center?[$0] ?? 0) + spread * offset() }
  }
}
