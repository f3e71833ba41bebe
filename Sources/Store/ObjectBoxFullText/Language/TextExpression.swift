/// A query of a full-text index, as a tree of conditions on words.
///
/// Words have the form of the index: folded, and stemmed if the index has a language.
package indirect enum TextExpression: Hashable, Sendable {
  /// The objects that have a word.
  case term(String)
  /// The objects that have a word with this beginning.
  case prefix(String)
  /// The objects that have words at fixed distances; at least two.
  case phrase([PhraseWord])
  /// The objects that have an occurrence of each operand near the others, with at most `distance` words between the
  /// first and the last operand. Counts like NEAR of SQLite's FTS5.
  ///
  /// Operands are terms, prefixes and phrases.
  case near([TextExpression], distance: Int)
  /// The objects that all operands match; at least two.
  case all([TextExpression])
  /// The objects that one operand or more match; at least two.
  case any([TextExpression])
  /// The objects that match the first operand but not the second; the second adds no score.
  case excluding(TextExpression, TextExpression)
  /// The objects that the operand matches in one column of an index of several properties.
  ///
  /// Columns count from 0. The operand contains no column.
  case column(TextExpression, Int)
}

/// A word of a phrase.
package struct PhraseWord: Hashable, Sendable {
  /// The word in the form of the index; the beginning of one if `isPrefix`.
  package var text: String
  /// True when any word with this beginning matches; only allowed for the last word of a phrase.
  package var isPrefix: Bool
  /// Distance in positions from the phrase's first word, which has 0; distances ascend.
  package var offset: UInt32

  package init(_ text: String, isPrefix: Bool = false, offset: UInt32) {
    self.text = text
    self.isPrefix = isPrefix
    self.offset = offset
  }
}
