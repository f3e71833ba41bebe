package import ObjectBoxCommandLine

/// A change of the sources that removes a finding.
package struct FixIt: Hashable, Codable, Sendable {
  /// A part of a file and its replacement; a part of length 0 is an insertion.
  package struct Edit: Hashable, Codable, Sendable {
    package var span: SourceSpan
    package var replacement: String

    package init(_ span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// The change in words, such as "replace 'indx' by 'index'".
  package var text: String
  package var edits: [Edit]
  /// True when no other change is possible; `--fix` makes only safe fixes.
  package var isSafe: Bool

  package init(_ text: String, edits: [Edit], isSafe: Bool) {
    self.text = text
    self.edits = edits
    self.isSafe = isSafe
  }

  /// Returns the replacement of a word by the known word that it most likely means; empty when no
  /// known word is near.
  static func correction(
    of word: String,
    at span: SourceSpan,
    among known: Set<String>
  ) -> [FixIt] {
    EditDistance.suggestion(for: word, in: known).map { [replace(word, at: span, by: $0)] } ?? []
  }

  /// Makes the replacement of a word by a suggested one.
  package static func replace(
    _ word: String,
    at span: SourceSpan,
    by suggestion: EditDistance.Suggestion
  ) -> FixIt {
    FixIt(
      "replace '\(word)' by '\(suggestion.word)'",
      edits: [Edit(span, replacement: suggestion.word)],
      isSafe: suggestion.isCertain
    )
  }
}
