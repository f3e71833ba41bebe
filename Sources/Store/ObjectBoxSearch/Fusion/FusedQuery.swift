public import ObjectBox

/// Two searches with results that are ranked together; see `QueryBuilder.fused`.
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
  private let box: Box<E>
  private let search: FusedSearch
  /// IDs of the damaged objects that the last call skipped, ascending; empty unless the query was
  /// built with `skippingDamagedObjects()`.
  public private(set) var skippedIds: [EntityId<E>] = []

  init(box: Box<E>, search: FusedSearch) {
    self.box = box
    self.search = search
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
      let words = try FoundWords(search.condition, in: table, of: box.store)
      let objects = try objects(results.map(\.id), table)
      return results.compactMap { result in
        objects[result.id].map { FusedObject($0, result, words) }
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

  /// Returns the number of objects that are candidates of at least one search: the results without a limit.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read. Makes no objects.
  public func count() throws -> Int { try results(offset: 0, limit: 0).count }

  /// Describes how results are fused, and the plans of both searches.
  ///
  /// The text is for people and may change.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func explain() throws -> String {
    try box.reading { _, _ in
      try search.explanation(
        [search.sides.0, search.sides.1].map { try $0.query(box).explain() }
      )
    }
  }

  // MARK: How

  private func results(offset: Int, limit: Int) throws -> [RankFusion.Result] {
    let skipped = search.sides.0.skipsDamagedObjects ? SkippedObjects() : nil
    defer { skippedIds = skipped.map { $0.ids.sorted().map { EntityId($0) } } ?? [] }
    let count = try search.candidateCount(offset: offset, limit: limit)
    return try box.reading { table, transaction in
      func candidates(_ side: Selection) throws -> [(id: UInt64, score: Double)] {
        try ScoredSearch(side.condition, table, transaction, skipped: skipped)
          .ids(offset: 0, limit: count)
      }
      return search.results(
        try candidates(search.sides.0),
        try candidates(search.sides.1),
        offset: offset,
        limit: limit
      )
    }
  }

  /// Returns objects with their included relations.
  private func objects(_ ids: [UInt64], _ table: EntityTable) throws -> [UInt64: E] {
    var selection = search.sides.0
    selection.condition = try .comparingID(.isIn, ids, of: table.schema)
    let binding = E.entityBinding
    let pairs = try selection.query(box).find().map { (binding.entityId(of: $0), $0) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
