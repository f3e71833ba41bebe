internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxFullText

/// The texts that a query searches, shortened to the words around the found ones.
struct FoundTexts {
  /// The greatest number of characters shown of a text without spaces.
  static let shownCharacters = 500

  /// The snippets of each property's texts, by the property's ID.
  private let snippets: [UInt32: TextSnippets]
  private let wordCount: Int

  /// - Parameters:
  ///   - query: A query.
  ///   - wordCount: The number of words to show of a text.
  /// - Throws: `ObjectBoxError` when a search does not fit its index.
  init(of query: DynamicQuery, wordCount: Int) throws {
    snippets = try query.snippets()
    self.wordCount = wordCount
  }

  /// Returns the words of a record's text; nil for a property in which nothing was found.
  func pieces(_ property: PropertySchema, in record: RecordReader) -> [TextSnippets.Piece]? {
    guard let snippets = snippets[property.identity.id],
      case .bytes(let bytes) = record.exact(property),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let pieces = snippets.pieces(of: text, wordCount: wordCount)
    return pieces.contains(where: \.isMatch) ? pieces : nil
  }
}
