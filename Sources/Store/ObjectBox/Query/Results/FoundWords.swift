/// The searches of a query; `ObjectBoxSearch` marks their words in the query's results.
package struct FoundWords {
  /// An instance that does not keep the store open.
  package let store: Store
  package let table: EntityTable
  /// The searches, from left to right, without those on related objects.
  package let searches: [any DerivedSearch]

  /// - Parameters:
  ///   - condition: The condition of the query.
  ///   - table: The entity.
  ///   - store: The store of the objects.
  /// - Throws: ``ObjectBoxError`` when a search does not fit the entity.
  package init(_ condition: Condition?, in table: EntityTable, of store: Store) throws {
    self.store = store.forReading()
    self.table = table
    searches = try (condition?.properties ?? []).compactMap { try $0.search(in: table) }
  }
}
