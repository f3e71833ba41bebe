import ObjectBox
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Fused queries beside a plain model, which ranks by counting better candidates.
struct FusionModelTests {
  private struct Expected {
    var id: UInt64
    var score: Double
    var ranks: [Int?]
  }

  private static func fuse(
    _ lists: [[IdWithScore]],
    lowIsBetter: [Bool],
    k: Double,
    weights: [Double]
  ) -> [Expected] {
    let ids = Set(lists.joined().map(\.id))
    let results = ids.map { id in
      let ranks = zip(lists, lowIsBetter).map { list, lowIsBetter -> Int? in
        guard let own = list.first(where: { $0.id == id })?.score else { return nil }
        return 1 + list.count { lowIsBetter ? $0.score < own : $0.score > own }
      }
      let parts = zip(ranks, weights).map { rank, weight -> Double in
        guard let rank else { return 0 }
        return weight / (k + Double(rank))
      }
      return Expected(id: id, score: parts[0] + parts[1], ranks: ranks)
    }
    return results.sorted { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
  }

  @Test(arguments: 0..<6)
  func `fused queries equal a plain model`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let searches = try SearchStore()
    let vocabulary = ["red", "green", "blue", "white"]
    // Few words and places, so that many scores are equal.
    let objects = (0..<300).map { _ in
      let words = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(vocabulary) }
      let place: [Float]? =
        Bool.random(using: &random)
        ? nil : [Float.random(in: 0...4, using: &random).rounded(), 0]
      return Passage(
        words.joined(separator: " "),
        place: place,
        stars: Int32.random(in: 0...3, using: &random)
      )
    }
    try searches.passages.put(objects)
    for _ in 0..<20 {
      let least = Int32.random(in: 0...3, using: &random)
      let text = random.pick(vocabulary) + random.pick(["", " OR green", " blue", " -white"])
      let maxCount = random.pick([1, 20, 100, 300])
      let near = Passage.place.nearestNeighbors(
        queryVector: [Float.random(in: 0...4, using: &random), 0],
        maxCount: maxCount
      )
      let k: Double = random.pick([0.5, 60, 1000])
      let weights: [Double] = [random.pick([0, 1, 2.5]), random.pick([0.25, 1])]
      let candidates: Int? = random.pick([nil, 1, 17, 400])
      let offset = random.pick([0, 1, 15])
      let limit = random.pick([0, 1, 10, 60])
      let isSwapped = Bool.random(using: &random)

      let byWords = Passage.text.matches(text)
      let own: QueryCondition<Passage> = isSwapped ? near : byWords
      let other: QueryCondition<Passage> = isSwapped ? byWords : near
      let query = try searches.passages.query { own && Passage.stars >= least }
        .fused(with: other, k: k, weights: (weights[0], weights[1]), candidates: candidates).build()

      let count = candidates ?? (limit == 0 ? 0 : max(100, 4 * (offset + limit)))
      let lists = try [own, other].map { search in
        try searches.passages.query { search && Passage.stars >= least }.build()
          .findIdsWithScores(limit: count)
      }
      let lowIsBetter = [isSwapped, !isSwapped]
      let all = Self.fuse(lists, lowIsBetter: lowIsBetter, k: k, weights: weights)
      let rest = all.dropFirst(offset)
      let expected = limit > 0 ? Array(rest.prefix(limit)) : Array(rest)

      let found = try query.find(offset: offset, limit: limit)
      #expect(found.map(\.object.id) == expected.map(\.id))
      #expect(found.map(\.score) == expected.map(\.score))
      #expect(found.map(\.left?.rank) == expected.map(\.ranks[0]))
      #expect(found.map(\.right?.rank) == expected.map(\.ranks[1]))
      #expect(
        try query.findIds(offset: offset, limit: limit).map(\.value) == expected.map(\.id)
      )
    }
  }
}
