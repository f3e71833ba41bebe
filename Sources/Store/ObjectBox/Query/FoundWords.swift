package import ObjectBoxFullText

/// The searches for words of a query, for finding their matches in the query's results.
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

  /// Returns what marks the found words in texts of a property; nil when no search is in it.
  ///
  /// All searches in the index of the first of them count.
  package func snippets(of propertyID: UInt32) throws -> TextSnippets? {
    for search in searches {
      let index = search.definition
      let place = index.properties.firstIndex { $0.identity.id == propertyID }
      guard let column = place else { continue }
      let same = searches.filter { $0.definition.schema.identity == index.schema.identity }
      return TextSnippets(
        of: .any(same.map(\.written)),
        tokenizer: try index.tokenizer(),
        column: column
      )
    }
    return nil
  }
}
