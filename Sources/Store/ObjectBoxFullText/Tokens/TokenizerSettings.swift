/// Settings of a tokenizer.
package struct TokenizerSettings: Hashable, Sendable {
  /// The treatment of accents and other marks that are only reading aids.
  package enum Diacritics: String, Hashable, Sendable {
    /// Words are found with and without marks: "Zürich" by "zurich", "Łódź" by "lodz".
    case fold
    /// Marks distinguish words.
    case keep
  }

  /// The code of the language for stemming, for example "en"; nil for no stemming.
  package var language: String?
  /// Lengths of the beginnings of words in the index, in characters; ascending.
  package let prefixLengths: [Int]
  package var diacritics: Diacritics

  package init(
    language: String? = nil,
    prefixLengths: [Int] = [],
    diacritics: Diacritics = .fold
  ) {
    self.language = language
    self.prefixLengths = Set(prefixLengths).sorted()
    self.diacritics = diacritics
  }

  /// The greatest length in ``prefixLengths``; the least is 1.
  package static let longestPrefix = 16

  /// Languages with a stemming algorithm: their ISO 639-1 codes, sorted.
  package static let languages = [
    "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id", "it",
    "lt", "ne", "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi",
  ]
}

/// A reason why a tokenizer cannot be made.
package enum TokenizerError: Error, Hashable, CustomStringConvertible {
  /// No stemming algorithm has the language's code.
  case unknownLanguage(String)
  /// Snowball's library is not installed.
  case missingLibrary(language: String)
  /// Snowball's library has another version, which does not know the language.
  case missingStemmer(language: String)
  case invalidPrefixLength(Int)

  package var description: String {
    switch self {
    case .unknownLanguage(let code):
      "the language '\(code)' of a full-text index has no stemming algorithm; known are "
        + TokenizerSettings.languages.joined(separator: ", ")
    case .missingLibrary(let language):
      "a full-text index has the language '\(language)', whose rules are in Snowball's library, "
        + "libstemmer, which is not installed; install it ('apt-get install libstemmer0d' on Debian "
        + "and Ubuntu)"
    case .missingStemmer(let language):
      "a full-text index has the language '\(language)', which the installed version of Snowball's "
        + "library, libstemmer, does not know; install a later one"
    case .invalidPrefixLength(let length):
      "a full-text index has prefixes of \(length) characters; possible are 1 to "
        + "\(TokenizerSettings.longestPrefix)"
    }
  }
}
