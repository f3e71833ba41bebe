/// A search for the objects nearest to a vector among those that meet other conditions.
///
/// Either the vectors of all matches are compared, which is exact, or the conditions are tested on
/// the nearest nodes of the index, from the nearest on, until there are enough matches. The second
/// way is as accurate as the index if matches are spread evenly among the nearest nodes. If they
/// are not, such as where the conditions exclude a cluster of vectors, the nearest matches are far
/// apart in the graph, and a walk would miss some; then all matches are compared.
struct FilteredNeighbors {
  /// Cost of a candidate of the index, in compared vectors (approximate).
  private static let candidateCost = 30.0
  /// Cost of a record of a scan, in compared vectors (approximate).
  private static let recordCost = 3.0
  /// The least number of matches that shows whether they are spread evenly.
  private static let evidence = 10
  /// Of evenly spread matches, the first half of the nodes has about half, at least this part.
  private static let leastEarlyPart = 5

  private let nearest: NearestCondition
  private let definition: VectorIndexDefinition
  /// A run of the other conditions, which tests any record.
  private let matches: QueryExecution
  /// A plan that finds the matches without reading records; nil when there is none.
  private let exactPlan: QueryPlan?

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - nearest: The search.
  ///   - definition: Its index.
  ///   - matches: A run of the other conditions with `testsOthers`.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init(
    _ nearest: NearestCondition,
    _ definition: VectorIndexDefinition,
    among matches: QueryExecution
  ) throws {
    self.nearest = nearest
    self.definition = definition
    self.matches = matches
    guard matches.skipped == nil, let condition = matches.condition else {
      exactPlan = nil
      return
    }
    exactPlan = try QueryPlanner(table: matches.table, transaction: matches.transaction)
      .exactPlan(condition)
  }

  /// The plan of the other conditions.
  var plan: QueryPlan { exactPlan ?? matches.plan }

  private enum Judgement {
    case found
    /// More candidates are needed.
    case widen(to: Double)
    case uneven
  }

  /// Returns the IDs of the nearest matches, nearest first, and how they were found.
  ///
  /// - Returns: `maxCount` IDs, or all matches with a vector if there are fewer.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  /// - Complexity: At most about three searches of the index and the comparison of all matches.
  func find() throws -> FoundIDs {
    let graph = try matches.transaction.derivedIndex(definition, of: matches.table)
    let wanted = max(nearest.maxCount, Self.evidence)
    var width = width(for: wanted)
    var isFirst = true
    while let count = candidateCount(graph, width) {
      let isWhole = count == graph.count
      let nodes =
        isWhole
        ? try graph.nearest(to: nearest.vector, maxCount: count)
        : try graph.candidates(near: nearest.vector, count: count)
      let found = try test(nodes, of: graph, until: isWhole ? nearest.maxCount : wanted)
      func result() -> FoundIDs {
        let ids = found.prefix(nearest.maxCount).map { nodes[$0] }
        let tested = found.last.map { $0 + 1 } ?? nodes.count
        return FoundIDs(ids, .walked(count: count, tested: tested))
      }
      if isWhole { return result() }
      switch judge(found, of: wanted, width: width, isFirst: isFirst) {
      case .found: return result()
      case .widen(let next): width = next
      case .uneven: return try compare(graph)
      }
      isFirst = false
    }
    return try compare(graph)
  }

  // MARK: The index

  /// Returns the number of nodes among which the wanted number of matches is expected, with a
  /// margin.
  private func width(for wanted: Int) -> Double {
    var share = 1.0
    // A scan's estimate is the number of all objects.
    if plan.total > 0 { share = Double(max(1, plan.estimate)) / Double(plan.total) }
    return max(Double(VectorGraph.searchCount), (2 * Double(wanted) / share).rounded(.up))
  }

  /// Returns the number of candidates of a search of the index; nil if the comparison is cheaper.
  ///
  /// If a quarter of the nodes is needed, it is all of them, which makes the search exact.
  private func candidateCount(_ graph: VectorGraph, _ width: Double) -> Int? {
    guard matches.skipped == nil, graph.count > 0 else { return nil }
    let isWhole =
      graph.count < VectorIndexDefinition.exactSearchLimit || width * 4 >= Double(graph.count)
    let count = isWhole ? graph.count : Int(width)
    let comparisonCost =
      exactPlan.map { Double($0.estimate) } ?? Self.recordCost * Double(matches.plan.cost)
    return Double(count) * Self.candidateCost < comparisonCost ? count : nil
  }

  /// Returns the indices of the first nodes that meet the conditions.
  private func test(
    _ nodes: [UInt64],
    of graph: VectorGraph,
    until wanted: Int
  ) throws -> [Int] {
    var found: [Int] = []
    for (index, id) in nodes.enumerated() {
      guard let record = try graph.record(of: id), try matches.matches(record) else { continue }
      found.append(index)
      if found.count == wanted { break }
    }
    return found
  }

  private func judge(
    _ found: [Int],
    of wanted: Int,
    width: Double,
    isFirst: Bool
  ) -> Judgement {
    let isComplete = found.count == wanted
    let end = isComplete ? Double(found[wanted - 1] + 1) : width
    let early = found.count { 2 * Double($0 + 1) <= end }
    let isEven = early * Self.leastEarlyPart >= found.count
    if !isEven, found.count * 2 >= Self.evidence { return .uneven }
    // The farthest candidates are less reliable, even more so in a widened search.
    if isComplete, end <= width * (isFirst ? 0.9 : 0.5) { return .found }
    let next = found.isEmpty ? 8 * width : 4 * Double(wanted) * width / Double(found.count)
    return .widen(to: max(2 * width, min(8 * width, next.rounded(.up))))
  }

  // MARK: Comparison

  /// Compares the vectors of all matches.
  private func compare(_ graph: VectorGraph) throws -> FoundIDs {
    var found = NearestObjects(maxCount: nearest.maxCount)
    if let exactPlan {
      let ids = try matches.candidates(of: exactPlan)
      try graph.compare(ids, with: nearest.vector, into: &found)
    } else {
      try nearest.vector.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        let distance = definition.distance
        let vector = distance.scaled(start)
        func add(_ record: RecordReader) {
          guard let other = definition.vector(in: record)?.baseAddress else { return }
          found.add(record.id, distance.measure(vector, distance.scaled(other)))
        }
        if try matches.forEachInThreads(add) { return }
        try matches.forEach { record in
          add(record)
          return true
        }
      }
    }
    return FoundIDs(found.ids(), .compared(count: found.comparedCount))
  }
}
