/// The results of a search in the order of their scores, the best first.
///
/// The first search of the condition gives the scores: nearest neighbours, or words.
package struct ScoredSearch {
  package let condition: Condition
  /// The first search of the condition.
  package let leaf: PropertyCondition
  package let table: EntityTable
  package let transaction: Transaction
  /// Collects the IDs of damaged objects, which runs then skip; nil when they are not looked for.
  package let skipped: SkippedObjects?

  /// - Parameters:
  ///   - condition: The condition of the results.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - skipped: Collects the IDs of damaged objects, which the run then skips.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the condition has no search.
  package init(
    _ condition: Condition?,
    _ table: EntityTable,
    _ transaction: Transaction,
    skipped: SkippedObjects?
  ) throws {
    guard let condition, let leaf = condition.properties.first(where: { $0.comparison.isSearch })
    else { throw ObjectBoxError.scoresMissing(in: table.name) }
    self.condition = condition
    self.leaf = leaf
    self.table = table
    self.transaction = transaction
    self.skipped = skipped
  }

  /// Returns the IDs of the results with their scores.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs and scores.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  package func ids(offset: Int, limit: Int) throws -> [(id: UInt64, score: Double)] {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    guard let search = try leaf.search(in: table) else { return [] }
    return try search.scores(of: self, offset: offset, limit: limit)
  }

  /// Returns a run of a condition in the transaction of the search.
  package func run(_ condition: Condition) throws -> QueryExecution {
    try QueryExecution(condition, table: table, transaction: transaction, skipped: skipped)
  }
}
