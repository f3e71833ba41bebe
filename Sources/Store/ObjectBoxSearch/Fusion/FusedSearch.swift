package import ObjectBox

/// Two searches of one entity with results that are ranked together, wherever they run.
package struct FusedSearch: Sendable {
  /// The least number of candidates of a search if no number is given.
  private static let leastCandidateCount = 100
  /// Candidates of a search for each wanted result.
  private static let candidatesPerResult = 4

  /// The selections of both searches: the search, then the conditions of both.
  package let sides: (Selection, Selection)
  private let fusion: RankFusion
  private let candidateCount: Int?

  /// Separates the search of a selection from its other conditions, which both searches get.
  ///
  /// - Parameters:
  ///   - selection: A search and other conditions.
  ///   - arguments: The other search, and how both are fused.
  ///   - entity: The name of the entity, for messages.
  /// - Throws: `ObjectBoxError.illegalArgument` when the selection has no search among its conditions,
  ///   the other one is not a search, or a number is out of range.
  package init(_ selection: Selection, with arguments: FusionArguments, of entity: String) throws {
    func fault(_ what: String, _ remedy: String) -> ObjectBoxError {
      .illegalArgument(
        message: "a fused query for '\(entity)' cannot be made: \(what); \(remedy)"
      )
    }
    let (k, weights) = (arguments.k, [arguments.weights.0, arguments.weights.1])
    guard k > 0, k.isFinite else {
      throw fault("k is \(k)", "use a number above 0, such as 60")
    }
    guard weights.allSatisfy({ $0 >= 0 && $0.isFinite }), weights.contains(where: { $0 > 0 }) else {
      throw fault(
        "the weights are \(weights[0]) and \(weights[1])",
        "use numbers of at least 0 of which one is above 0"
      )
    }
    if let count = arguments.candidates, count < 1 {
      throw fault("a search gives \(count) candidates", "use at least 1")
    }
    guard arguments.search.isSearch else {
      throw fault(
        "the fused condition is not a single search",
        "give a `matches` or `nearestNeighbors`, and join other conditions to the query's own search"
      )
    }
    var others = selection.condition?.conjuncts ?? []
    guard let place = others.firstIndex(where: \.isSearch) else {
      throw fault(
        "the query has no search, or has it behind `||`",
        "join a `matches` or `nearestNeighbors` to the other conditions by `&&`"
      )
    }
    let own = others.remove(at: place)
    func side(_ search: Condition) -> Selection {
      var side = selection
      side.orders = []
      side.condition = .all([search] + others)
      return side
    }
    sides = (side(own), side(arguments.search))
    fusion = RankFusion(k: k, weights: arguments.weights)
    candidateCount = arguments.candidates
  }

  /// The conditions of both searches.
  package var condition: Condition { .all([sides.0, sides.1].compactMap(\.condition)) }

  /// Returns the number of candidates of each search; 0 for all.
  ///
  /// Throws `ObjectBoxError.illegalArgument(message:)` for a negative number.
  package func candidateCount(offset: Int, limit: Int) throws -> Int {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    if let candidateCount { return candidateCount }
    guard limit > 0 else { return 0 }
    let (wanted, isTooLarge) = offset.addingReportingOverflow(limit)
    let (count, isTooMany) = wanted.multipliedReportingOverflow(by: Self.candidatesPerResult)
    return isTooLarge || isTooMany ? 0 : max(Self.leastCandidateCount, count)
  }

  /// Ranks the candidates of both searches together.
  ///
  /// - Parameters:
  ///   - left: The candidates of the query's own search, the best first.
  ///   - right: The candidates of the other search, the best first.
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The results, the best first and equal ones by ID.
  package func results(
    _ left: [(id: UInt64, score: Double)],
    _ right: [(id: UInt64, score: Double)],
    offset: Int,
    limit: Int
  ) -> [RankFusion.Result] {
    let fused = fusion.fuse(left, right).dropFirst(offset)
    return Array(limit > 0 ? fused.prefix(limit) : fused)
  }

  /// Describes how results are fused, before the plans of both searches.
  ///
  /// - Parameter plans: The plans, the own search's first.
  /// - Returns: Lines of text.
  package func explanation(_ plans: [String]) -> String {
    let number =
      candidateCount.map { "\($0)" }
      ?? "\(Self.candidatesPerResult) * (offset + limit), at least \(Self.leastCandidateCount),"
    let title =
      "fused by reciprocal ranks: k \(fusion.k), weights \(fusion.weights.0) and \(fusion.weights.1); "
      + "\(number) candidates of each search"
    let sides = zip(["left", "right"], plans).map { name, plan in
      "\(name): " + plan.split(separator: "\n").joined(separator: "\n  ")
    }
    return ([title] + sides).joined(separator: "\n")
  }
}

/// The arguments of a fusion, not checked yet.
package struct FusionArguments: Sendable {
  package var search: Condition
  package var k: Double
  package var weights: (Double, Double)
  package var candidates: Int?

  package init(_ search: Condition, k: Double, weights: (Double, Double), candidates: Int?) {
    self.search = search
    self.k = k
    self.weights = weights
    self.candidates = candidates
  }
}

extension Condition {
  fileprivate var isSearch: Bool {
    if case .property(let leaf) = self { leaf.comparison.isSearch } else { false }
  }
}
