public import ObjectBox

extension Query {
  /// Returns the part of a text with the most distinct words of the query, with marks around
  /// matches.
  ///
  /// For texts that are not in results with scores, such as a text without its markup, or the text
  /// of a live object.
  ///
  ///     let query = try notes.query { Note.text.matches("milk") }.build()
  ///     let plain = "Buy milk, and bread"
  ///     print(try query.snippet(of: plain, in: Note.text, around: .words(8), marking: ("[", "]")))
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - property: The property that the text belongs to. If the query does not search in it, nothing
  ///     is marked.
  ///   - length: The length of the part; "…" replaces words that were left out.
  ///   - marks: Texts before and after each match. The text itself is not escaped.
  /// - Returns: The part of the text.
  /// - Throws: `ObjectBoxError.illegalArgument` when a parameter was set to a search that
  ///   cannot be read.
  /// - Complexity: O(*n*) for a text of *n* bytes.
  public func snippet<V: StringPropertyType>(
    of text: String,
    in property: Property<E, V, Void>,
    around length: SnippetLength,
    marking marks: (String, String)
  ) throws -> String {
    let words = try FoundWords(selection.copy.condition, in: try box.table(), of: box.store)
    return try words.snippet(of: text, property.propertyId, length, marks)
  }
}
