/// A query in one run.
final class RunSearch {
  let run: RunReader
  /// Nil if no document of the run matches.
  let root: MatchNode?
  /// The streams of leaves with scores, in the order of the query.
  let streams: [LeafStream]
  /// This run's change of the number of objects that each leaf matches.
  let matches: [Int]
  /// Whether a stream at the current document implies that its leaf has matched it.
  private let isFlat: Bool
  private let live: UnsafePointer<UInt64>?

  init(
    _ plan: QueryPlan,
    _ run: RunReader,
    weights: [UInt8],
    isScored: Bool
  ) throws(FullTextError) {
    self.run = run
    live = try run.liveBits
    var builder = Builder(plan: plan, reader: try LeafReader(run, weights: weights))
    root = try builder.node(plan.root, isScored: isScored)
    // Only the streams of the tree: a part that cannot match was dropped with its streams.
    if let root, case .leaf(let stream) = root.kind {
      streams = [stream]
    } else {
      streams = (root?.scoredStreams ?? []).sorted { $0.leaf < $1.leaf }
    }
    matches = builder.matches
    isFlat = root.map { Self.isFlat($0) } ?? true
  }

  private static func isFlat(_ node: MatchNode) -> Bool {
    switch node.kind {
    case .leaf: true
    case .all(let children), .any(let children):
      children.allSatisfy { if case .leaf = $0.kind { true } else { false } }
    case .excluding: false
    case .wide: true
    }
  }

  /// The streams of the leaves, if one match is enough.
  var alternatives: [LeafStream]? {
    guard let root, isFlat else { return nil }
    if case .all = root.kind { return nil }
    return streams
  }

  /// The streams of the leaves, if all of them must match; at least two.
  var conjunction: [LeafStream]? {
    guard let root, isFlat, case .all = root.kind else { return nil }
    return streams
  }

  /// The stream of the only leaf.
  var lone: LeafStream? {
    guard let root, case .leaf(let stream) = root.kind else { return nil }
    return stream
  }

  @inline(__always)
  func isLive(_ document: Int) -> Bool { live.isLive(document) }

  var liveBits: UnsafePointer<UInt64>? { live }

  /// Returns the score of the document at which the streams are.
  func score(_ document: Int, _ scorer: Scorer) throws(FullTextError) -> Double {
    let length = try run.length(of: UInt32(document))
    if !isFlat {
      for stream in streams { stream.hasMatched = false }
      root?.forEachMatched { $0.hasMatched = true }
    }
    var score = 0.0
    for stream in streams where stream.doc == document && stream.hasMatched {
      score += scorer.part(frequency: stream.frequency, length: length, weight: stream.weight)
    }
    return score
  }

  private struct Builder {
    let plan: QueryPlan
    let reader: LeafReader
    var matches: [Int]

    init(plan: QueryPlan, reader: LeafReader) {
      self.plan = plan
      self.reader = reader
      matches = Array(repeating: 0, count: plan.leaves.count)
    }

    /// Returns nil for a node that matches nothing.
    mutating func node(
      _ node: QueryNode,
      isScored: Bool
    ) throws(FullTextError) -> MatchNode? {
      switch node {
      case .leaf(let index):
        let found = try reader.read(plan.leaves[index], index)
        matches[index] = found.matches
        return found.stream.map { MatchNode(.leaf($0)) }
      case .near(let leaves, let distance): return try near(leaves, distance, isScored)
      case .all(let operands):
        // All are read, because the weight of each needs its count.
        let children = try nodes(operands, isScored)
        return children.isEmpty || children.count < operands.count ? nil : MatchNode(.all(children))
      case .any(let operands):
        var children = try nodes(operands, isScored)
        if !isScored { unite(&children) }
        return children.count > 1 ? MatchNode(.any(children)) : children.first
      case .excluding(let included, let excluded):
        let first = try self.node(included, isScored: isScored)
        guard let second = try self.node(excluded, isScored: false), let first else { return first }
        return MatchNode(.excluding(first, second))
      }
    }

    private mutating func nodes(
      _ operands: [QueryNode],
      _ isScored: Bool
    ) throws(FullTextError) -> [MatchNode] {
      var children: [MatchNode] = []
      for operand in operands {
        if let child = try node(operand, isScored: isScored) { children.append(child) }
      }
      return children
    }

    /// Replaces the leaves among alternatives by one node if there are many.
    private func unite(_ children: inout [MatchNode]) {
      let streams = children.compactMap { child in
        if case .leaf(let stream) = child.kind { stream } else { nil }
      }
      guard streams.count >= WideUnion.leastCount else { return }
      children.removeAll { if case .leaf = $0.kind { true } else { false } }
      children.append(MatchNode(.wide(WideUnion(streams))))
    }

    private mutating func near(
      _ leaves: Range<Int>,
      _ distance: Int,
      _ isScored: Bool
    ) throws(FullTextError) -> MatchNode? {
      if isScored {
        for index in leaves where plan.leaves[index].isScored {
          matches[index] = try reader.read(plan.leaves[index], index).matches
        }
      }
      guard let found = try reader.readNear(plan.leaves[leaves], distance: distance)
      else { return nil }
      return MatchNode(.all(found.map { MatchNode(.leaf($0)) }))
    }
  }
}
