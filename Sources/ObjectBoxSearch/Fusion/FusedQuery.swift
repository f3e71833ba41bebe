public import ObjectBox

/// Two searches whose results are ranked together; see `QueryBuilder.fused`.
///
/// Each call searches again. Both searches and the objects are read at one version: in the thread's
/// open transaction, or in one of its own. One thread at a time may use a query.
///
///     let hybrid = try notes.query { Note.text.matches("milk") }
///       .fused(with: Note.place.nearestNeighbors(queryVector: [48.86, 2.35], maxCount: 100))
///       .build()
///     if let best = try hybrid.find(limit: 1).first {
///       print(best.object.title, best.score, best.left?.rank ?? 0, best.right?.score ?? 0)
///     }
public final class FusedQuery<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The least number of candidates of a search without a given number.
  private static var leastCandidateCount: Int { 100 }
  /// Candidates of a search for each wanted result.
  private static var candidatesPerResult: Int { 4 }

  private let box: Box<E>
  /// The selections of both searches: the search, then the conditions of both.
  private let sides: (Selection, Selection)
  private let fusion: RankFusion
  private let candidateCount: Int?
  /// IDs of the damaged objects that the last call skipped, ascending; empty unless the query was
  /// built with `skippingDamagedObjects()`.
  public private(set) var skippedIds: [EntityId<E>] = []

  init(
    box: Box<E>,
    sides: (Selection, Selection),
    fusion: RankFusion,
    candidateCount: Int?
  ) {
    self.box = box
    self.sides = sides
    self.fusion = fusion
    self.candidateCount = candidateCount
  }

  /// Returns the results, the best first and equal ones by ID.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances with their scores and ranks.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func find(offset: Int = 0, limit: Int = 0) throws -> [FusedObject<E>] {
    try box.reading { table, _ in
      let results = try results(offset: offset, limit: limit)
      let condition = Condition.all([sides.0, sides.1].compactMap(\.condition))
      let words = try FoundWords(condition, in: table, of: box.store)
      let objects = try objects(results.map(\.id), table)
      return results.compactMap { result in
        objects[result.id].map { object in
          FusedObject(
            object: object,
            score: result.score,
            left: result.left,
            right: result.right,
            words: words
          )
        }
      }
    }
  }

  /// Returns the IDs of the results, in the order of ``find(offset:limit:)``.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func findIds(offset: Int = 0, limit: Int = 0) throws -> [EntityId<E>] {
    try results(offset: offset, limit: limit).map { EntityId($0.id) }
  }

  /// Returns the number of objects that at least one search gives as a candidate: of the results
  /// without a limit.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read. Makes no objects.
  public func count() throws -> Int { try results(offset: 0, limit: 0).count }

  /// Describes how results are fused, and the plans of both searches.
  ///
  /// The text is for people and may change.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func explain() throws -> String {
    let number =
      candidateCount.map { "\($0)" }
      ?? "\(Self.candidatesPerResult) * (offset + limit), at least \(Self.leastCandidateCount),"
    let title =
      "fused by reciprocal ranks: k \(fusion.k), weights \(fusion.weights.0) and \(fusion.weights.1); "
      + "\(number) candidates of each search"
    return try box.reading { _, _ in
      let plans = try [("left", sides.0), ("right", sides.1)].map { name, side in
        let lines = try side.query(box).explain().split(separator: "\n")
        return "\(name): " + lines.joined(separator: "\n  ")
      }
      return ([title] + plans).joined(separator: "\n")
    }
  }

  // MARK: How

  private func results(offset: Int, limit: Int) throws -> [RankFusion.Result] {
    let skipped = sides.0.skipsDamagedObjects ? SkippedObjects() : nil
    defer { skippedIds = skipped.map { $0.ids.sorted().map { EntityId($0) } } ?? [] }
    let offset = max(0, offset)
    let count = candidateCount ?? Self.candidateCount(offset: offset, limit: limit)
    return try box.reading { table, transaction in
      func candidates(_ side: Selection) throws -> [(id: UInt64, score: Double)] {
        try ScoredSearch(side.condition, table, transaction, skipped: skipped)
          .ids(offset: 0, limit: count)
      }
      let fused = fusion.fuse(try candidates(sides.0), try candidates(sides.1)).dropFirst(offset)
      return Array(limit > 0 ? fused.prefix(limit) : fused)
    }
  }

  /// Returns the number of candidates of each search; 0 for all.
  private static func candidateCount(offset: Int, limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    let (wanted, isTooLarge) = offset.addingReportingOverflow(limit)
    let (count, isTooMany) = wanted.multipliedReportingOverflow(by: candidatesPerResult)
    return isTooLarge || isTooMany ? 0 : max(leastCandidateCount, count)
  }

  /// Returns objects with their included relations.
  private func objects(_ ids: [UInt64], _ table: EntityTable) throws -> [UInt64: E] {
    var selection = sides.0
    selection.condition = try .hasID(in: ids, of: table.schema)
    let binding = E.entityBinding
    let pairs = try selection.query(box).find().map { (binding.entityId(of: $0), $0) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
