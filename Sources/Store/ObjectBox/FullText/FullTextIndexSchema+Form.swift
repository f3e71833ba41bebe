internal import ObjectBoxFullText

extension FullTextIndexSchema {
  /// The settings of the index's table.
  var settings: FullTextSettings {
    FullTextSettings(
      k1: k1 ?? Self.usualK1,
      b: b ?? Self.usualB,
      weights: parts.map(\.weight),
      tokenizer: tokenizer
    )
  }

  /// Returns whether an index has the same entries as another one; the name does not matter.
  func hasForm(of other: Self) -> Bool {
    var other = other
    other.name = name
    return self == other
  }
}
