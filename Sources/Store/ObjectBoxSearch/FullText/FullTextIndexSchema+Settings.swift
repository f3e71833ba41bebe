package import ObjectBox
package import ObjectBoxFullText

extension FullTextIndexSchema {
  /// The settings of the tokenizer.
  package var tokenizerSettings: TokenizerSettings {
    TokenizerSettings(
      language: language,
      prefixLengths: prefixes.map(Int.init),
      diacritics: keepsDiacritics ? .keep : .fold
    )
  }

  /// The settings of the index's table.
  var settings: FullTextSettings {
    FullTextSettings(
      k1: k1 ?? Self.usualK1,
      b: b ?? Self.usualB,
      weights: parts.map(\.weight),
      tokenizer: tokenizer
    )
  }
}
