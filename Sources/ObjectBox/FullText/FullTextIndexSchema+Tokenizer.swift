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
    var settings = FullTextSettings(weights: parts.map(\.weight), tokenizer: tokenizer)
    if let k1 { settings.k1 = k1 }
    if let b { settings.b = b }
    return settings
  }

  /// True for settings that an index can have; a damaged file may hold others.
  var isPossible: Bool {
    let k1 = k1 ?? 1
    return !parts.isEmpty && parts.count <= Self.maximumPartCount
      && parts.allSatisfy { $0.weight > 0 } && k1.isFinite && k1 >= 0 && (0...1).contains(b ?? 0)
  }

  /// The number of properties of an index: positions of words have 8 bits for the column.
  package static let maximumPartCount = 255

  /// Returns whether an index has the same entries as another one; the name does not matter.
  func hasForm(of other: Self) -> Bool {
    var other = other
    other.name = name
    return self == other
  }
}
