import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Nearest neighbours under other conditions beside a comparison of all vectors, among so many
/// vectors that searches use the graph.
struct FilteredRecallTests {
  private static let dimensions = 16
  private static let clusterCount = 20

  /// A store of vectors in clusters, and a copy of its objects in memory.
  private final class Trial {
    let sights: SightStore
    var random: SplitMix
    let centers: [[Float]]
    /// Vector and kind by ID; the kind is a random number below 1,000 plus 1,000 for each cluster.
    var stored: [Id: (vector: [Float], kind: Int32)] = [:]
    private(set) var recall = 0.0
    private(set) var searches = 0

    init(_ seed: Int, indexesKind: Bool) throws {
      var random = SplitMix(seed: seed)
      centers = (0..<clusterCount).map { _ in random.vector(dimensions) }
      self.random = random
      sights = try SightStore(SightIndex(dimensions: dimensions, indexesKind: indexesKind))
    }

    func newSight() -> Sight {
      let cluster = Int.random(in: centers.indices, using: &random)
      let vector = random.vector(dimensions, around: centers[cluster], by: 0.3)
      return Sight(vector, kind: Int32(1000 * cluster + Int.random(in: 0..<1000, using: &random)))
    }

    func put(_ sights: [Sight]) throws {
      try self.sights.box.put(sights)
      for sight in sights { stored[sight.id] = (sight.vector ?? [], sight.kind) }
    }

    /// Searches with a condition; expects the wanted count, and notes the recall.
    func search(
      _ condition: QueryCondition<Sight>,
      _ maxCount: Int = 10,
      matching matches: (Int32) -> Bool
    ) throws {
      let center = random.pick(centers)
      let vector = random.vector(dimensions, around: center, by: 0.3)
      let near = Sight.vector.nearestNeighbors(queryVector: vector, maxCount: maxCount)
      let query = try sights.box.query { near && condition }.build()
      let found = try query.findIdsWithScores()
      let candidates = stored.filter { matches($0.value.kind) }
      #expect(found.count == min(maxCount, candidates.count))
      #expect(found.allSatisfy { candidates[$0.id] != nil })
      #expect(found.map(\.score) == found.map(\.score).sorted())
      let nearest = candidates.map { id, object in (distance(object.vector, vector), id) }
        .sorted { $0 < $1 }.prefix(maxCount).map(\.1)
      if nearest.isEmpty { return }
      searches += 1
      recall += Double(Set(nearest).intersection(found.map(\.id)).count) / Double(nearest.count)
    }

    private func distance(_ a: [Float], _ b: [Float]) -> Float {
      var sum: Float = 0
      a.withUnsafeBufferPointer { a in
        b.withUnsafeBufferPointer { b in
          for index in 0..<dimensions {
            let difference = a[index] - b[index]
            sum += difference * difference
          }
        }
      }
      return sum
    }
  }

  /// Random kinds of all clusters, by a share in thousandths.
  private func share(_ thousandths: Int32) -> QueryCondition<Sight> {
    let parts = (0..<Int32(Self.clusterCount)).map { cluster in
      Sight.kind.isBetween(1000 * cluster, and: 1000 * cluster + thousandths - 1)
        as QueryCondition<Sight>
    }
    return parts.dropFirst().reduce(parts[0]) { $0 || $1 }
  }

  @Test(.tags(.slow), arguments: [true, false])
  func `all that are asked for are found, and 99 of 100 are the nearest`(
    indexesKind: Bool
  ) throws {
    let trial = try Trial(5, indexesKind: indexesKind)
    try trial.put((0..<4000).map { _ in trial.newSight() })
    let last = TestLength.choose(short: 1, long: 3)
    for round in 0...last {
      for thousandths in [1, 10, 30, 100, 500] as [Int32] {
        for _ in 0..<2 {
          try trial.search(share(thousandths)) { $0 % 1000 < thousandths }
        }
      }
      // Whole clusters, which most queries are outside of.
      for limit in [1, 2, 10] as [Int32] {
        for _ in 0..<2 {
          try trial.search(Sight.kind < 1000 * limit) { $0 < 1000 * limit }
        }
      }
      try trial.search(share(500), 1) { $0 % 1000 < 500 }
      try trial.search(share(500), 60) { $0 % 1000 < 500 }
      if round == last { break }
      let removed = trial.stored.keys.sorted().filter { _ in
        Int.random(in: 0..<20, using: &trial.random) == 0
      }
      try trial.sights.box.remove(removed)
      for id in removed { trial.stored[id] = nil }
      let changed = trial.stored.keys.sorted().prefix(100).map { id in
        let sight = trial.newSight()
        sight.id = id
        return sight
      }
      try trial.put(changed + (0..<100).map { _ in trial.newSight() })
    }
    #expect(trial.recall / Double(trial.searches) >= 0.99)
    #expect(try trial.sights.box.vectorIndexFaults() == [])
  }

  @Test func `the index is used for half of the objects, and not for a cluster elsewhere`() throws {
    let trial = try Trial(6, indexesKind: false)
    try trial.put((0..<4000).map { _ in trial.newSight() })
    let near = Sight.vector.nearestNeighbors(queryVector: trial.centers[3], maxCount: 10)
    let half = try trial.sights.box.query { near && share(500) }.build()
    #expect(try half.explain().contains("the nearest 100 of the index"))
    let elsewhere = try trial.sights.box.query { near && Sight.kind >= 4000 }.build()
    #expect(try elsewhere.explain().contains("compared with all"))
    #expect(try elsewhere.findIds().count == 10)
    let own = try trial.sights.box.query { near && Sight.kind < 4000 }.build()
    #expect(try own.explain().contains("the nearest 100 of the index"))
  }

  @Test func `few vectors among many objects are compared before the conditions are tested`() throws
  {
    let sights = try SightStore()
    try sights.box.put((0..<3000).map { Sight(nil, kind: Int32($0 % 3)) })
    try sights.box.put((0..<50).map { Sight([Float($0), 0], kind: Int32($0 % 3)) })
    let near = Sight.vector.nearestNeighbors(queryVector: [20, 0], maxCount: 3)
    let query = try sights.box.query { near && Sight.kind == 1 }.build()
    #expect(try query.findIdsWithScores().map(\.score) == [1, 4, 16])
    #expect(try query.explain().contains("the nearest 50 of the index"))
    let all = Sight.vector.nearestNeighbors(queryVector: [20, 0], maxCount: 99)
    #expect(try sights.box.query { all && Sight.kind == 1 }.build().count() == 17)
  }
}
