internal import ObjectBox

/// The results of a search with their scores, the best first.
///
/// The first search of the condition gives the scores: nearest neighbours, or words.
struct ScoredRows {
  /// The columns that are read for the results.
  enum Content {
    case ids
    case objects
  }

  let rows: ResultRows
  /// The ID, the row and the score of each result.
  let results: [(id: UInt64, row: Int, score: Double)]

  /// Searches at one version of the objects, in two or three round trips.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - table: The table of its entity.
  ///   - offset: Number of best results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  ///   - place: The place where the query runs.
  ///   - content: The columns of ``rows``, from 0 on: only the ID, or all columns of objects.
  /// - Throws: `ObjectBoxError`: `illegalState` without a search; errors of the search. Errors of
  ///   the server.
  init(
    _ condition: Condition?,
    of table: ClusterTable,
    offset: Int,
    limit: Int,
    in place: some QueryPlace,
    reading content: Content
  ) async throws {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    guard let condition,
      let leaf = condition.properties.first(where: { $0.comparison.isSearch })
    else { throw ObjectBoxError.scoresMissing(in: table.schema.name) }
    let run = QueryRun(
      tables: place.tables,
      table: table,
      condition: try await NearestSearch(condition, of: table, in: place).condition,
      orders: []
    )
    func page(
      _ results: [(id: UInt64, row: Int, score: Double)]
    ) -> [(id: UInt64, row: Int, score: Double)] {
      let rest = results.dropFirst(offset)
      return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
    if let search = try WordSearch(leaf, of: table) {
      let scores = try await WordScores(search, in: place)
      let (last, isAll) = offset.addingReportingOverflow(limit)
      let found = try await place.run([
        try run.words(search, limit: limit > 0 && !isAll ? last : 0)
      ])[0]
      let all = found.ids().enumerated().map { row, id in
        (id: id, row: row, score: scores.score(found, row, from: 1))
      }
      let best = page(all.sorted { $0.score > $1.score || ($0.score == $1.score && $0.id < $1.id) })
      guard content == .objects else {
        rows = found
        results = best
        return
      }
      let ids = best.map(\.id)
      let objects = try await place.run([Self.objects(ids, of: table)])[0]
      let places = Dictionary(
        objects.ids().enumerated().map { ($1, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      rows = objects
      results = best.compactMap { result in
        places[result.id].map { (result.id, $0, result.score) }
      }
      return
    }
    guard let nearest = try NearestCondition(leaf, entity: table.schema),
      let column = table.column(property: leaf.propertyID)
    else { throw ObjectBoxError.scoresMissing(in: table.schema.name) }
    let statement =
      content == .ids ? try run.ids(and: column) : try run.objects(and: column)
    let rows = try await place.run([statement])[0]
    let all = rows.ids().enumerated().map { row, id in
      let distance = nearest.distance(rows, row, rows.columnCount - 1)
      return (id: id, row: row, score: distance.map(nearest.score) ?? .infinity)
    }
    self.rows = rows
    results = page(all.sorted { ($0.score, $0.id) < ($1.score, $1.id) })
  }

  /// Returns the statement of the objects with some IDs, in no order.
  static func objects(_ ids: [UInt64], of table: ClusterTable) -> Statement {
    Statement("SELECT \(table.selection) FROM \(table.name) WHERE \(table.id.name) = ANY($1)") {
      $0.append(ids: ids)
    }
  }
}
