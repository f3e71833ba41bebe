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
    let words = try FoundWords(selection.condition, in: table, of: box.store)
    var snippets: [UInt32: TextSnippets] = [:]
    for property in table.schema.properties {
      snippets[property.identity.id] = try words.snippets(of: property.identity.id)
    }
    return snippets
  }
}
