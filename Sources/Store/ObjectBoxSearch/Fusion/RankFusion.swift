/// Fusion of two ranked lists by reciprocal ranks.
package struct RankFusion: Sendable {
  var k: Double
  var weights: (Double, Double)

  /// An object with its ranks.
  package struct Result: Sendable {
    package var id: UInt64
    var score: Double
    var left: FusedRank?
    var right: FusedRank?
  }

  /// Returns the objects of both lists, the best first and equal ones by ID.
  ///
  /// - Parameters:
  ///   - left: IDs and scores, the best first.
  ///   - right: IDs and scores, the best first.
  /// - Returns: Each object once.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  func fuse(
    _ left: [(id: UInt64, score: Double)],
    _ right: [(id: UInt64, score: Double)]
  ) -> [Result] {
    let left = Self.ranks(of: left)
    let right = Self.ranks(of: right)
    let results = Set(left.keys).union(right.keys).map { id in
      Result(
        id: id,
        score: part(left[id], weights.0) + part(right[id], weights.1),
        left: left[id],
        right: right[id]
      )
    }
    return results.sorted { $0.score > $1.score || ($0.score == $1.score && $0.id < $1.id) }
  }

  private func part(_ place: FusedRank?, _ weight: Double) -> Double {
    place.map { weight / (k + Double($0.rank)) } ?? 0
  }

  private static func ranks(of list: [(id: UInt64, score: Double)]) -> [UInt64: FusedRank] {
    var ranks: [UInt64: FusedRank] = [:]
    var last: FusedRank?
    for (index, entry) in list.enumerated() {
      // Equal scores share a rank, so that the order of IDs does not change sums.
      let rank = last?.score == entry.score ? last?.rank : nil
      let place = FusedRank(rank: rank ?? index + 1, score: entry.score)
      ranks[entry.id] = place
      last = place
    }
    return ranks
  }
}
