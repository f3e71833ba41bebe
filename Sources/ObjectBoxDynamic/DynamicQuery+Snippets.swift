internal import ObjectBox
package import ObjectBoxFullText

/// Snippets of the texts that a query searches for words.
extension DynamicQuery {
  /// Returns what marks the found words in the texts of a property, by the property's ID.
  ///
  /// Searches of related objects are left out. A property that several indexes search has the words
  /// of the first one.
  ///
  /// - Throws: `ObjectBoxError` when a search does not fit its index.
  package func snippets() throws -> [UInt32: TextSnippets] {
    let table = box.entity.table
    let searches = try (selection.condition?.properties ?? []).compactMap {
      try TextCondition($0, table)
    }
    var snippets: [UInt32: TextSnippets] = [:]
    for search in searches {
      let index = search.definition
      let same = searches.filter { $0.definition.schema.identity == index.schema.identity }
      for (column, property) in index.properties.enumerated()
      where snippets[property.identity.id] == nil {
        snippets[property.identity.id] = TextSnippets(
          of: .any(same.map(\.written)),
          tokenizer: try index.tokenizer(),
          column: column
        )
      }
    }
    return snippets
  }
}
