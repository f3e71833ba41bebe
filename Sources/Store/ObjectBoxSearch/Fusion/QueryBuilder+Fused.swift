public import ObjectBox

extension QueryBuilder {
  /// Fuses the search of this query with another one, by the ranks that both give to an object.
  ///
  /// The score of a result is the sum of weight / (k + rank) over both searches. A search that did not find the object
  /// adds 0. Scores of different kinds, such as word scores and distances, need no common scale. Any two searches can
  /// be fused: words and neighbours, or two of a kind.
  ///
  /// The query's other conditions, joined by `&&` and `link`, choose the objects of both searches
  /// before ranks are counted. Orders are ignored.
  ///
  ///     let hybrid = try notes.query { Note.text.matches("buy milk") && Note.stars > 3 }
  ///       .fused(with: Note.place.nearestNeighbors(queryVector: [48.86, 2.35], maxCount: 100))
  ///       .build()
  ///     for found in try hybrid.find(limit: 10) { print(found.object.title, found.score) }
  ///
  /// - Parameters:
  ///   - search: A search for words or for nearest neighbours, alone. Its `maxCount` limits the
  ///     candidates of neighbours.
  ///   - k: A constant above 0; greater values make the first ranks stand out less.
  ///   - weights: The weights of the query's search and of the other one; at least 0, not both 0.
  ///   - candidates: How many of its best objects each search gives, at least 1. Nil: four times `offset` + `limit` of
  ///     a call, at least 100, and all without a limit. Ranks beyond them do not count, so pages of one list agree only
  ///     if they share a number.
  /// - Returns: A builder; its `build()` throws for arguments that do not fit.
  public func fused(
    with search: QueryCondition<E>,
    k: Double = 60,
    weights: (Double, Double) = (1, 1),
    candidates: Int? = nil
  ) -> FusedQueryBuilder<E> {
    FusedQueryBuilder(
      box: box,
      selection: selection,
      arguments: FusionArguments(
        search.condition,
        k: k,
        weights: weights,
        candidates: candidates
      )
    )
  }
}

/// Makes a ``FusedQuery``.
public struct FusedQueryBuilder<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let box: Box<E>
  let selection: Selection
  let arguments: FusionArguments

  /// Makes the query.
  ///
  /// Throws `ObjectBoxError`: `illegalArgument` when the query has no search among its conditions, the other one is not
  /// a search, or a number is out of range; other errors as for a query of each search.
  public func build() throws -> FusedQuery<E> {
    let search = try FusedSearch(selection, with: arguments, of: E.entityInfo.entityName)
    let table = try box.table()
    try search.sides.0.check(on: table, in: box.store.file)
    try search.sides.1.check(on: table, in: box.store.file)
    return FusedQuery(box: box, search: search)
  }
}
