import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// The graph of the index: links in both directions, connected levels, counts.
struct VectorGraphTests {
  @Test(arguments: [2, 5], [0, 64])
  func `puts, changes and removals in any order keep all nodes connected`(
    links: UInt32,
    cacheInKilobytes: Int
  ) throws {
    var random = SplitMix(seed: Int(links))
    let sights = try SightStore(
      SightIndex(dimensions: 3, neighborsPerNode: links, cacheInKilobytes: cacheInKilobytes)
    )
    var living: [Id: [Float]?] = [:]
    for round in 0..<25 {
      try sights.store.runInTransaction {
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          let vector = Int.random(in: 0..<10, using: &random) == 0 ? nil : random.vector(3)
          let known = living.keys.sorted()
          switch Int.random(in: 0..<5, using: &random) {
          case 0 where !known.isEmpty:
            let id = random.pick(known)
            try sights.box.remove(id)
            living[id] = nil
          case 1 where !known.isEmpty:
            let sight = Sight(vector)
            sight.id = random.pick(known)
            try sights.box.put(sight)
            living[sight.id] = .some(vector)
          default:
            let sight = Sight(vector)
            try sights.box.put(sight)
            living[sight.id] = .some(vector)
          }
        }
      }
      #expect(try sights.box.vectorIndexFaults() == [], "round \(round)")
    }
    try sights.reopen(
      SightIndex(dimensions: 3, neighborsPerNode: links, cacheInKilobytes: cacheInKilobytes)
    )
    #expect(try sights.box.vectorIndexFaults() == [])
    #expect(
      try Set(sights.nearest(to: [0, 0, 0], 1000))
        == Set(living.filter { $0.value != nil }.keys)
    )
    for id in living.keys.sorted() {
      try sights.box.remove(id)
      if id % 16 == 0 { #expect(try sights.box.vectorIndexFaults() == []) }
    }
    #expect(try sights.box.vectorIndexFaults() == [])
    try sights.box.put(Sight([1, 2, 3]))
    #expect(try sights.nearest(to: [0, 0, 0], 5).count == 1)
  }

  @Test func `a transaction sees its own changes, and its rollback leaves the index as before`()
    throws
  {
    struct Stop: Error {}
    let sights = try SightStore()
    try sights.box.put((1...40).map { Sight([Float($0), 0]) })
    #expect(throws: Stop.self) {
      try sights.store.runInTransaction {
        try sights.box.put(Sight([7.1, 0]))
        try sights.box.remove([Id](6...8))
        let moved = Sight([7.2, 0])
        moved.id = 30
        try sights.box.put(moved)
        #expect(try sights.nearest(to: [7, 0], 3) == [41, 30, 5])
        #expect(try sights.box.vectorIndexFaults() == [])
        throw Stop()
      }
    }
    #expect(try sights.nearest(to: [7, 0], 3) == [7, 6, 8])
    #expect(try sights.nearest(to: [30, 0], 1) == [30])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `a read transaction keeps its view while others write`() throws {
    let sights = try SightStore()
    let store = sights.store
    try sights.box.put((1...20).map { Sight([Float($0), 0]) })
    try store.runInReadOnlyTransaction { () throws in
      #expect(try sights.nearest(to: [7, 0], 1) == [7])
      let hasWritten = DispatchSemaphore(value: 0)
      Thread {
        _ = try? store.box(for: Sight.self).remove(7 as Id)
        hasWritten.signal()
      }.start()
      hasWritten.wait()
      #expect(try sights.nearest(to: [7, 0], 1) == [7])
      #expect(try sights.box.vectorIndexFaults() == [])
    }
    #expect(try sights.nearest(to: [7, 0], 2) == [6, 8])
  }

  @Test func `after removeAll the index is empty, in the same transaction too`() throws {
    let sights = try SightStore()
    try sights.box.put((1...20).map { Sight([Float($0), 0]) })
    try sights.store.runInTransaction {
      try sights.box.put(Sight([3, 3]))
      try sights.box.removeAll()
      #expect(try sights.nearest(to: [3, 3], 5) == [])
      try sights.box.put(Sight([4, 4]))
    }
    #expect(try sights.nearest(to: [3, 3], 5) == [22])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `an ID that is put again after its removal has the new vector only`() throws {
    let sights = try SightStore()
    try sights.box.put((1...30).map { Sight([Float($0), 0]) })
    try sights.box.remove(5 as Id)
    let again = Sight([100, 0])
    again.id = 5
    try sights.box.put(again)
    #expect(try sights.nearest(to: [99, 0], 1) == [5])
    #expect(try sights.nearest(to: [5, 0], 2).contains(5) == false)
    again.vector = nil
    try sights.box.put(again)
    #expect(try sights.nearest(to: [99, 0], 100).contains(5) == false)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  /// Returns the size of all nodes in bytes, most of it links.
  private func graphSize(afterRemovalsWith probability: Float?) throws -> Int {
    var random = SplitMix(seed: 6)
    let index = SightIndex(
      dimensions: 8,
      neighborsPerNode: 8,
      repairProbability: probability
    )
    let sights = try SightStore(index)
    try sights.box.put((0..<300).map { _ in Sight(random.vector(8)) })
    try sights.box.remove([Id](1...150))
    #expect(try sights.box.vectorIndexFaults() == [])
    var size = 0
    try sights.reopen(index) {
      let environment = try StorageEnvironment(
        directory: sights.path,
        options: StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 8)
      )
      defer { environment.close() }
      let reading = try environment.beginRead()
      defer { reading.abort() }
      let table = try #require(try reading.openTable("v1", .objects, create: false))
      for id in 151...300 as ClosedRange<UInt64> {
        size += try #require(try reading.get(table, id: id)).count
      }
    }
    return size
  }

  @Test(.onPlainFiles("reads the tables of a closed store"))
  func `the repair after removals adds as many links as its probability says`() throws {
    let none = try graphSize(afterRemovalsWith: 0)
    let half = try graphSize(afterRemovalsWith: 0.5)
    let all = try graphSize(afterRemovalsWith: 1)
    #expect(none < half && half < all)
    #expect(try graphSize(afterRemovalsWith: nil) == all)
  }

  @Test func `many equal vectors and a vector that is nearest to all keep the graph whole`() throws
  {
    let sights = try SightStore(SightIndex(distance: .dotProductNonNormalized, neighborsPerNode: 4))
    var random = SplitMix(seed: 4)
    try sights.box.put(Sight([1000, 1000]))
    try sights.box.put((0..<300).map { _ in Sight(random.vector(2)) })
    #expect(try sights.box.vectorIndexFaults() == [])
    try sights.box.remove(1 as Id)
    #expect(try sights.box.vectorIndexFaults() == [])
    let equal = try SightStore(SightIndex(neighborsPerNode: 4))
    try equal.box.put((0..<300).map { _ in Sight([1, 1]) })
    #expect(try equal.box.vectorIndexFaults() == [])
    try equal.box.remove([Id](1...150))
    #expect(try equal.box.vectorIndexFaults() == [])
    #expect(try equal.nearest(to: [1, 1], 200).count == 150)
  }

  @Test(arguments: [HnswDistanceType.euclidean, .cosine, .dotProductNonNormalized])
  func `equal vectors share their links, so that no node has many`(_ distance: HnswDistanceType)
    throws
  {
    func size(_ vectors: [[Float]]) throws -> Int {
      let sights = try SightStore(SightIndex(distance: distance, neighborsPerNode: 8))
      try sights.box.put(vectors.map { Sight($0) })
      #expect(try sights.box.vectorIndexFaults() == [])
      #expect(try sights.nearest(to: [1, 1], 20).count == 20)
      return try #require(try sights.box.largestLinkCount())
    }
    for vector in [[1, 1], [0, 0]] as [[Float]] {
      #expect(try size([[Float]](repeating: vector, count: 900)) <= 2 * 8)
    }
    // Half of them equal, and in one direction.
    #expect(
      try size((0..<900).map { $0.isMultiple(of: 2) ? [1, 1] : [Float($0), Float($0)] }) <= 2 * 8
    )
  }
}
