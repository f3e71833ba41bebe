/// Computes the scores of objects from the occurrences of a query's leaves, listed by another system than an index of
/// this module.
///
/// The scores equal those of a ``FullTextSearch`` over the same texts bit for bit.
package struct ListedScoring {
  private let plan: QueryPlan
  private let weights: [UInt8]
  private let scorer: Scorer
  /// The weight of each leaf.
  private let leafWeights: [Double]

  /// A leaf in one object.
  package enum Leaf {
    /// The sum of the weights of its occurrences; not for an operand of NEAR.
    case frequency(UInt32)
    /// The ascending positions of its occurrences, with the column in the highest 8 bits.
    case positions([UInt32])
  }

  /// The sums over all objects of an index.
  package struct Sums: Sendable {
    /// Number of objects, including empty texts.
    package var objectCount: Int
    /// Number of words of all objects.
    package var wordCount: Int
    /// For each leaf of the plan, the number of matching objects.
    package var matches: [Int]

    package init(objectCount: Int, wordCount: Int, matches: [Int]) {
      self.objectCount = objectCount
      self.wordCount = wordCount
      self.matches = matches
    }
  }

  /// - Parameters:
  ///   - plan: The query.
  ///   - k1: The parameter of BM25 for repeated words.
  ///   - b: The parameter of BM25 for the length of texts.
  ///   - weights: The weights of the columns.
  ///   - sums: The sums over all objects.
  package init(_ plan: QueryPlan, k1: Double, b: Double, weights: [UInt8], _ sums: Sums) {
    self.plan = plan
    self.weights = weights
    let scorer = Scorer(k1: k1, b: b, objectCount: sums.objectCount, wordCount: sums.wordCount)
    self.scorer = scorer
    leafWeights = sums.matches.map { scorer.weight(matches: $0) }
  }

  /// Returns the score of an object; nil when it does not match.
  ///
  /// - Parameters:
  ///   - leaves: The leaves of the query in the object.
  ///   - length: The number of words of the object.
  /// - Returns: The score.
  package func score(_ leaves: [Leaf], length: Int) -> Double? {
    var frequencies = leaves.map { _ in UInt32(0) }
    guard match(plan.root, leaves, &frequencies) else { return nil }
    // The index keeps lengths of two bytes.
    let length = UInt32(UInt16(clamping: length))
    var score = 0.0
    for leaf in plan.leaves.indices where plan.leaves[leaf].isScored && frequencies[leaf] > 0 {
      score += scorer.part(
        frequency: frequencies[leaf],
        length: length,
        weight: leafWeights[leaf]
      )
    }
    return score
  }

  /// Returns whether a node matches; if so, sets the frequencies of its leaves.
  private func match(
    _ node: QueryNode,
    _ listed: [Leaf],
    _ frequencies: inout [UInt32]
  ) -> Bool {
    switch node {
    case .leaf(let leaf):
      switch listed[leaf] {
      case .frequency(let frequency): frequencies[leaf] = frequency
      case .positions(let positions):
        for position in positions { frequencies[leaf] += weight(position) }
      }
      return frequencies[leaf] > 0
    case .near(let leaves, let distance):
      var near = NearMatch(widths: plan.leaves[leaves].map(\.width), distance: distance)
      let operands = listed[leaves].map { leaf in
        if case .positions(let positions) = leaf {
          ListedOccurrences(positions)
        } else {
          ListedOccurrences([])
        }
      }
      near.forEach(operands) { operand, position in
        frequencies[leaves.lowerBound + operand] += weight(position)
      }
      return frequencies[leaves.lowerBound] > 0
    case .all(let nodes):
      var found = frequencies
      for node in nodes {
        guard match(node, listed, &found) else { return false }
      }
      frequencies = found
      return true
    case .any(let nodes):
      var isMatch = false
      for node in nodes where match(node, listed, &frequencies) { isMatch = true }
      return isMatch
    case .excluding(let included, let excluded):
      var ignored = frequencies
      return !match(excluded, listed, &ignored) && match(included, listed, &frequencies)
    }
  }

  private func weight(_ position: UInt32) -> UInt32 {
    let column = Int(position >> 24)
    return column < weights.count ? UInt32(weights[column]) : 1
  }
}
