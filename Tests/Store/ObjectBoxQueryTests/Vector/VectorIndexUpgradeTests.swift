import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Models that add, change and remove a nearest-neighbour index.
struct VectorIndexUpgradeTests {
  private func filled(_ index: SightIndex?) throws -> SightStore {
    var random = SplitMix(seed: 9)
    let sights = try SightStore(index)
    try sights.box.put((0..<50).map { _ in Sight(random.vector(2)) } + [Sight(nil)])
    return sights
  }

  @Test(arguments: [nil, 0]) func `an index that is added holds the objects that are there`(
    cacheInKilobytes: Int?
  ) throws {
    let sights = try filled(nil)
    try sights.reopen(SightIndex(cacheInKilobytes: cacheInKilobytes))
    #expect(try sights.nearest(to: [0, 0], 100).count == 50)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `vectors of another length are left out of an index that is added`() throws {
    let sights = try filled(nil)
    try sights.box.put([Sight([1, 2, 3]), Sight([1]), Sight([])])
    try sights.reopen(SightIndex())
    #expect(try sights.nearest(to: [0, 0], 100).count == 50)
    let long = try #require(try sights.box.get(52 as Id))
    #expect(long.vector == [1, 2, 3])
    long.vector = [1, 2]
    try sights.box.put(long)
    #expect(try sights.nearest(to: [1, 2], 1) == [52])
    try sights.box.remove(53 as Id)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `an index that is removed is dropped and can come again`() throws {
    let sights = try filled(SightIndex())
    try sights.reopen(nil)
    #expect(throws: ObjectBoxError.self) { try sights.nearest(to: [0, 0], 1) }
    try sights.box.put(Sight([0, 0]))
    try sights.box.remove(1 as Id)
    try sights.reopen(SightIndex())
    #expect(try sights.nearest(to: [0, 0], 1) == [52])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `another distance or number of links builds the index anew`() throws {
    let sights = try filled(SightIndex())
    try sights.box.put([Sight([2, 2]), Sight([900, 0])])
    #expect(try sights.nearest(to: [1, 0], 1) != [53])
    try sights.reopen(SightIndex(distance: .dotProductNonNormalized))
    #expect(try sights.nearest(to: [1, 0], 1) == [53])
    #expect(try sights.box.vectorIndexFaults() == [])
    try sights.reopen(SightIndex(distance: .cosine, neighborsPerNode: 3))
    #expect(try sights.nearest(to: [1, 1], 1) == [52])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `other dimensions leave the index to vectors of the new length`() throws {
    let sights = try filled(SightIndex())
    try sights.reopen(SightIndex(dimensions: 3))
    #expect(try sights.nearest(to: [0, 0, 0], 100) == [])
    try sights.box.put(Sight([1, 2, 3]))
    #expect(try sights.nearest(to: [0, 0, 0], 100) == [52])
    try sights.reopen(SightIndex())
    #expect(try sights.nearest(to: [0, 0], 100).count == 50)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  /// Changes the bytes of a node in the closed file; node 0 is the graph's header.
  private func damage(_ path: String, node: UInt64, _ bytes: [UInt8]) throws {
    let environment = try StorageEnvironment(
      directory: path,
      options: StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 8)
    )
    defer { environment.close() }
    let writing = try environment.beginWrite()
    let table = try #require(try writing.openTable("v1", .objects, create: false))
    try bytes.withUnsafeBytes { try writing.put(table, id: node, record: $0) }
    try writing.commit()
  }

  private static let damages: [(node: UInt64, bytes: [UInt8])] = [
    (0, []), (0, [1, 2, 3]), (0, [UInt8](repeating: 9, count: 18)), (7, []), (7, [0]), (7, [1, 9]),
    (7, [1, 200, 0, 0, 0, 1]), (7, [1, 255, 255, 255, 255]),
  ]

  @Test(.onPlainFiles("changes the tables of a closed store"), arguments: damages)
  func `a damaged graph is an error that names the index, and a model without it opens the store`(
    node: UInt64,
    bytes: [UInt8]
  ) throws {
    let sights = try filled(SightIndex())
    try sights.reopen(SightIndex()) { try damage(sights.path, node: node, bytes) }
    #expect {
      try sights.box.remove(7 as Id)
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
      return message.contains("'Sight.vector'")
    }
    try sights.reopen(nil)
    try sights.reopen(SightIndex())
    #expect(try sights.box.vectorIndexFaults() == [])
    #expect(try sights.nearest(to: [0, 0], 100).count == 50)
  }
}
