public import ObjectBox
public import ObjectBoxSearch

extension ClusterQuery {
  /// Returns the part of a text with the most distinct words of the query, with marks around
  /// matches.
  ///
  /// For texts that are not in results with scores, such as a text without its markup. The server is not used. Results
  /// of ``findWithScores(offset:limit:)`` have `snippet(of:around:marking:)`.
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - property: The property that the text belongs to. If the query does not search in it, nothing
  ///     is marked.
  ///   - length: The length of the part; "…" replaces omitted words.
  ///   - marks: Texts before and after each match. The text itself is not escaped.
  /// - Returns: The part of the text.
  /// - Throws: `ObjectBoxError.illegalArgument` for a search that cannot be read.
  /// - Complexity: O(*n*) for a text of *n* bytes.
  public func snippet<V: StringPropertyType>(
    of text: String,
    in property: Property<E, V, Void>,
    around length: SnippetLength,
    marking marks: (String, String)
  ) throws -> String {
    try foundWords(selection.condition).snippet(of: text, property.propertyId, length, marks)
  }

  /// Returns the searches for words of a condition, for the snippets of results.
  func foundWords(_ condition: Condition?) throws -> FoundWords {
    let shape = source.cluster.shape
    return try FoundWords(condition, in: try shape.box(for: E.self).table(), of: shape)
  }
}
