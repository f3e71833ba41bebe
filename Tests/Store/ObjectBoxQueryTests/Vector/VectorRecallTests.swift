import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The share of the ten nearest that the index finds when it does not compare all vectors.
struct VectorRecallTests {
  private static let dimensions = 128

  /// Returns vectors around 20 centres.
  private func clustered(_ count: Int, _ random: inout SplitMix, centers: [[Float]]) -> [[Float]] {
    (0..<count).map { _ in
      random.vector(Self.dimensions, around: random.pick(centers), by: 0.4)
    }
  }

  private func recall(_ sights: SightStore, of stored: [Id: [Float]], _ queries: [[Float]]) throws
    -> Double
  {
    var hits = 0
    for query in queries {
      let distances = stored.map { id, vector in
        var sum: Float = 0
        vector.withUnsafeBufferPointer { vector in
          query.withUnsafeBufferPointer { query in
            for index in 0..<Self.dimensions {
              let difference = vector[index] - query[index]
              sum += difference * difference
            }
          }
        }
        return (distance: sum, id: id)
      }
      let nearest = Set(distances.sorted { $0.distance < $1.distance }.prefix(10).map(\.id))
      hits += nearest.intersection(try sights.nearest(to: query, 10)).count
    }
    return Double(hits) / Double(10 * queries.count)
  }

  @Test func `at least 95 of 100 neighbours are found among 2,000 vectors, and after removals`()
    throws
  {
    var random = SplitMix(seed: 1)
    let centers = (0..<20).map { _ in random.vector(Self.dimensions) }
    let sights = try SightStore(SightIndex(dimensions: Self.dimensions))
    let vectors = clustered(2000, &random, centers: centers)
    try sights.box.put(vectors.map { Sight($0) })
    var stored: [Id: [Float]] = [:]
    for (index, vector) in vectors.enumerated() { stored[Id(index + 1)] = vector }
    let queries = clustered(20, &random, centers: centers)
    #expect(try recall(sights, of: stored, queries) >= 0.95)

    let removed = stored.keys.sorted().filter { $0 % 3 == 0 }
    try sights.box.remove(removed)
    for id in removed { stored[id] = nil }
    #expect(try recall(sights, of: stored, queries) >= 0.95)
    #expect(try sights.box.vectorIndexFaults() == [])
  }
}
