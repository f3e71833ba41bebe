/// Beginnings of words that the index holds in addition to the words.
///
/// Such a term is the byte 1, which no word contains, and the first characters of the word.
extension Tokenizer {
  /// Calls a body with the term of each beginning of a word that
  /// ``TokenizerSettings/prefixLengths`` asks for.
  ///
  /// A character is a Unicode scalar of the word in the form of the index.
  package func forEachPrefix(
    of word: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    guard !settings.prefixLengths.isEmpty else { return }
    try withUnsafeTemporaryAllocation(
      byteCount: 1 + 4 * TokenizerSettings.longestPrefix,
      alignment: 1
    ) { term in
      term[0] = FullTextTokens.beginningMark
      var lengths = settings.prefixLengths[...]
      var characters = 0
      for (place, byte) in word.enumerated() {
        let isStart = byte & 0xc0 != 0x80
        if isStart, characters == lengths.first {
          try body(UnsafeRawBufferPointer(rebasing: term[..<(place + 1)]))
          lengths.removeFirst()
        }
        if lengths.isEmpty { return }
        if isStart { characters += 1 }
        term[place + 1] = byte
      }
      guard characters == lengths.first else { return }
      try body(UnsafeRawBufferPointer(rebasing: term[...word.count]))
    }
  }

  /// Returns the index's term for all words with the given beginning; nil if the index has no terms of that length.
  package func prefixTerm(for prefix: String) -> String? {
    guard settings.prefixLengths.contains(prefix.unicodeScalars.count) else { return nil }
    return String(UnicodeScalar(FullTextTokens.beginningMark)) + prefix
  }
}
