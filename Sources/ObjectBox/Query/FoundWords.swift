/// The searches for words of a query, which tell where they match in the query's results.
package struct FoundWords {
  /// An instance that does not keep the store open.
  package let store: Store
  package let table: EntityTable
  /// The searches, from left to right, without those on related objects.
  package let searches: [TextCondition]

  /// - Parameters:
  ///   - condition: The condition of the query.
  ///   - table: The entity.
  ///   - store: The store of the objects.
  /// - Throws: The errors of ``TextCondition``.
  package init(_ condition: Condition?, in table: EntityTable, of store: Store) throws {
    self.store = store.forReading()
    self.table = table
    searches = try (condition?.properties ?? []).compactMap { try TextCondition($0, table) }
  }
}
