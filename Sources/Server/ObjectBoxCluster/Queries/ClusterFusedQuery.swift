public import ObjectBox
public import ObjectBoxSearch

/// Two searches of a cluster whose results are ranked together; see ``ClusterQuery/fused(with:k:weights:candidates:)``.
///
/// Each call searches again. Both searches and the objects are read at one version, in two or three round trips for
/// each search and further ones for the objects: in the transaction of the query, or in a read transaction. The results
/// equal those of a fused query of a store.
public struct ClusterFusedQuery<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let query: ClusterQuery<E>
  let arguments: FusionArguments

  /// Checks the query, and returns it.
  ///
  /// Not needed, since every run makes the same checks; it makes code of the embedded store compile.
  ///
  /// Throws `ObjectBoxError`: `illegalArgument` if the query has no search among its conditions, the other argument is
  /// not a search, or a number is out of range; other errors like a query of each search.
  public func build() throws -> ClusterFusedQuery<E> {
    _ = try sides()
    return self
  }

  /// Returns the results, the best first and equal ones by ID.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances with their scores and ranks.
  /// - Throws: `ObjectBoxError` and ``ClusterError``, the same as ``ClusterQuery/findWithScores(offset:limit:)``.
  public func find(offset: Int = 0, limit: Int = 0) async throws -> [FusedObject<E>] {
    let sides = try sides()
    return try await sides.left.atOneVersion(isScored: true) { left in
      let results = try await Self.results(sides, in: left.source, offset, limit)
      let objects = try await left.objects(results.map(\.id))
      let words = try left.foundWords(sides.search.condition)
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
  /// - Throws: The same errors as ``find(offset:limit:)``.
  public func findIds(offset: Int = 0, limit: Int = 0) async throws -> [EntityId<E>] {
    let sides = try sides()
    return try await sides.left.atOneVersion(isScored: true) { left in
      try await Self.results(sides, in: left.source, offset, limit).map { EntityId($0.id) }
    }
  }

  /// Returns the number of objects that at least one search gives as a candidate; equals the number of results without
  /// a limit.
  ///
  /// Throws the same errors as ``find(offset:limit:)``.
  public func count() async throws -> Int { try await findIds().count }

  /// Describes how the results are fused, with the server's plans of both searches.
  ///
  /// The text is for people and may change.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func explain() async throws -> String {
    let sides = try sides()
    let plans = [try await sides.left.explain(), try await sides.right.explain()]
    return sides.search.explanation(plans.map(\.description))
  }

  // MARK: How

  private typealias Sides = (search: FusedSearch, left: ClusterQuery<E>, right: ClusterQuery<E>)

  /// Returns the checked queries of both searches.
  private func sides() throws -> Sides {
    let search = try FusedSearch(
      query.selection,
      with: arguments,
      of: E.entityInfo.entityName
    )
    var (left, right) = (query, query)
    left.selection = search.sides.0
    right.selection = search.sides.1
    try left.check()
    try right.check()
    return (search, left, right)
  }

  private static func results(
    _ sides: Sides,
    in source: ReadSource,
    _ offset: Int,
    _ limit: Int
  ) async throws -> [RankFusion.Result] {
    let count = try sides.search.candidateCount(offset: offset, limit: limit)
    func candidates(_ side: ClusterQuery<E>) async throws -> [(id: UInt64, score: Double)] {
      let found = try await ScoredRows(
        side.selection.condition,
        of: try side.table(),
        offset: 0,
        limit: count,
        in: source,
        reading: .ids
      )
      return found.results.map { ($0.id, $0.score) }
    }
    let left = try await candidates(sides.left)
    return sides.search.results(
      left,
      try await candidates(sides.right),
      offset: offset,
      limit: limit
    )
  }
}

extension ClusterQuery {
  /// Fuses the search of this query with another one, by the ranks that both give to an object.
  ///
  /// Equals `fused` of a store's query: the score of a result is the sum of weight / (k + rank) over both searches. The
  /// query's other conditions select the objects of both; orders are ignored.
  ///
  /// - Parameters:
  ///   - search: A search for words or for nearest neighbours, alone. Its `maxCount` limits the
  ///     candidates of neighbours.
  ///   - k: How little the first ranks stand out; above 0.
  ///   - weights: The weights of the query's search and of the other one; at least 0, not both 0.
  ///   - candidates: How many of its best objects each search gives, at least 1. Nil: four times
  ///     `offset` + `limit` of a call, at least 100, and all without a limit.
  /// - Returns: A query whose calls throw for arguments that do not fit.
  public func fused(
    with search: QueryCondition<E>,
    k: Double = 60,
    weights: (Double, Double) = (1, 1),
    candidates: Int? = nil
  ) -> ClusterFusedQuery<E> {
    ClusterFusedQuery(
      query: self,
      arguments: FusionArguments(
        search.condition,
        k: k,
        weights: weights,
        candidates: candidates
      )
    )
  }

  /// Returns objects with their included relations, by their IDs.
  fileprivate func objects(_ ids: [UInt64]) async throws -> [UInt64: E] {
    let table = try table()
    let rows = try await source.run([ScoredRows.objects(ids, of: table)])[0]
    let objects = try decoded(rows)
    try await include(in: objects)
    return Dictionary(zip(rows.ids(), objects), uniquingKeysWith: { first, _ in first })
  }
}
