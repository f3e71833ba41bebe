internal import ObjectBox
package import ObjectBoxFullText
internal import ObjectBoxSearch

/// Snippets of the texts that a query searches for words.
extension DynamicQuery {
  /// Returns the snippets of each property by its ID; they mark the found words in its texts.
  ///
  /// Searches of related objects are left out. A property that several indexes search gets the words of the
  /// first index.
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
