import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct VectorDistanceTests {
  private static let types: [HnswDistanceType] = [
    .euclidean, .cosine, .dotProduct, .dotProductNonNormalized,
  ]

  private func expected(_ type: HnswDistanceType, _ a: [Float], _ b: [Float]) -> Double {
    let pairs: [(Double, Double)] = zip(a, b).map { (Double($0), Double($1)) }
    let dot = pairs.reduce(0.0) { (sum: Double, pair) in sum + pair.0 * pair.1 }
    switch type {
    case .cosine:
      func square(_ vector: [Float]) -> Double {
        vector.map { Double($0) }.reduce(0.0) { (sum: Double, part: Double) in sum + part * part }
      }
      return 1 - dot / (square(a) * square(b)).squareRoot()
    case .dotProduct: return 1 - dot
    case .dotProductNonNormalized:
      let part = log1p(abs(dot)) / log1p(Double(Float.greatestFiniteMagnitude))
      return dot > 0 ? 1 - part : 1 + part
    default:
      let differences: [Double] = pairs.map { $0.0 - $0.1 }
      return differences.reduce(0.0) { (sum: Double, part: Double) in sum + part * part }
    }
  }

  @Test(arguments: types, [1, 3, 16, 35])
  func `all neighbours of a small set are found, with the score that the type defines`(
    type: HnswDistanceType,
    dimensions: Int
  ) throws {
    var random = SplitMix(seed: dimensions)
    let sights = try SightStore(SightIndex(dimensions: dimensions, distance: type))
    let vectors = (0..<60).map { _ in random.vector(dimensions, by: 3) }
    try sights.box.put(vectors.map { Sight($0) })
    for _ in 0..<5 {
      let wanted = random.vector(dimensions, by: 3)
      let found = try sights.box.query {
        Sight.vector.nearestNeighbors(queryVector: wanted, maxCount: 10)
      }.build().findIdsWithScores()
      #expect(found.count == 10)
      let all = vectors.map { expected(type, $0, wanted) }
      for (result, score) in zip(found, all.sorted()) {
        #expect(abs(result.score - score) < 1e-4)
        #expect(abs(all[Int(result.id) - 1] - score) < 1e-4)
      }
    }
  }

  @Test(
    .tags(.slow),
    arguments: types,
    TestLength.choose(short: [3, 40], long: [1, 3, 17, 40, 70])
  )
  func `a search of the graph measures as comparing all does`(
    type: HnswDistanceType,
    dimensions: Int
  ) throws {
    var random = SplitMix(seed: dimensions)
    let index = SightIndex(dimensions: dimensions, distance: type, neighborsPerNode: 8)
    let sights = try SightStore(index)
    let vectors = (0..<1100).map { _ in random.vector(dimensions, by: 3) }
    try sights.box.put(vectors.map { Sight($0) })
    var hits = 0
    for _ in 0..<5 {
      let wanted = random.vector(dimensions, by: 3)
      let all = vectors.map { expected(type, $0, wanted) }
      let query = try sights.box.query {
        Sight.vector.nearestNeighbors(queryVector: wanted, maxCount: 10)
      }.build()
      let found = try query.findIdsWithScores()
      for result in found {
        let score = all[Int(result.id) - 1]
        #expect(abs(result.score - score) <= 1e-4 * max(1, abs(score)))
      }
      let last = all.sorted()[9]
      hits += found.filter { all[Int($0.id) - 1] <= last + 1e-4 }.count
    }
    #expect(hits >= 40)
  }

  @Test func `the distance of places on the earth is in kilometres`() throws {
    let sights = try SightStore(SightIndex(distance: .geo))
    let berlin: [Float] = [52.5200, 13.4050]
    try sights.box.put([
      Sight([48.8566, 2.3522]), Sight([-33.8688, 151.2093]), Sight([52.5200, 13.4050]),
      Sight([0, -179.9]), Sight([0, 179.9]),
    ])
    let query = try sights.box.query {
      Sight.vector.nearestNeighbors(queryVector: berlin, maxCount: 5)
    }.build()
    let found = try query.findIdsWithScores()
    #expect(found.map(\.id).prefix(2) == [3, 1])
    #expect(found[0].score == 0)
    #expect(abs(found[1].score - 877.5) < 1)
    #expect(try #require(found.first { $0.id == 2 }).score > 16_000)
    query.setParameter(Sight.vector, to: [0, 179.8])
    #expect(try query.findIdsWithScores().map(\.id).prefix(2) == [5, 4])
    query.setParameter(Sight.vector, to: [0, 0])
    #expect(try query.findIdsWithScores().allSatisfy { $0.score < 20_016 })
  }

  @Test func `scores of dot products go from 0 over 1 to 2`() throws {
    let sights = try SightStore(SightIndex(dimensions: 1, distance: .dotProductNonNormalized))
    let great = Float.greatestFiniteMagnitude
    let numbers: [Float] = [-great, -1, 0, 1e-6, 1, 1e30, great]
    try sights.box.put(numbers.map { (number: Float) -> Sight in Sight([number]) })
    let found = try sights.box.query {
      Sight.vector.nearestNeighbors(queryVector: [1], maxCount: 10)
    }.build().findIdsWithScores()
    #expect(found.map(\.id) == [7, 6, 5, 4, 3, 2, 1])
    let scores = found.map(\.score)
    #expect(scores[0] == 0)
    #expect(scores[4] == 1)
    #expect(scores[6] == 2)
  }

  @Test func `zero, infinite and undefined vectors are the farthest, and break nothing`() throws {
    for type in Self.types {
      let sights = try SightStore(SightIndex(distance: type, neighborsPerNode: 3))
      let odd: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 1e38, -1e38]
      for value in odd { try sights.box.put([Sight([value, value]), Sight([value, 1])]) }
      try sights.box.put(Sight([1, 1]))
      #expect(try sights.nearest(to: [2, 2], 15).count == 15)
      #expect(try sights.nearest(to: [.nan, 1], 15).count == 15)
      #expect(try sights.box.vectorIndexFaults() == [])
      try sights.box.remove(try sights.nearest(to: [2, 2], 8))
      #expect(try sights.box.vectorIndexFaults() == [])
    }
  }
}
