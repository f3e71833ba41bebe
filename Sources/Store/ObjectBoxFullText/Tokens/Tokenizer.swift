internal import CObjectBoxFullText

/// Splits texts into the words of a full-text index.
///
/// Words have the boundaries of UAX 29, except that a colon separates words. They are folded by case and compatibility,
/// stemmed if a language is given, and lose their marks unless ``TokenizerSettings/diacritics`` keeps them. Scripts
/// without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar and others) give one word for each letter: the
/// letter with the next one, or alone at the end of a run.
package struct Tokenizer: Sendable {
  /// The greatest number of words of a text that are indexed; later words are left out.
  package static let maximumCount: UInt32 = 1 << 24

  /// The greatest size of a word in bytes; longer words are cut.
  package static let maximumSize = Int(OBX_WORD_MAXIMUM)

  package let settings: TokenizerSettings
  private let stemmers: StemmerPool?
  private let elision: Elision?

  /// - Throws: ``TokenizerError`` when a language is unknown or its stemmer is missing, or a length
  ///   of prefixes is out of range.
  package init(_ settings: TokenizerSettings = TokenizerSettings()) throws(TokenizerError) {
    let lengths = 1...TokenizerSettings.longestPrefix
    if let length = settings.prefixLengths.first(where: { !lengths.contains($0) }) {
      throw TokenizerError.invalidPrefixLength(length)
    }
    self.settings = settings
    if let language = settings.language {
      stemmers = try StemmerPool(language)
    } else {
      stemmers = nil
    }
    elision = Elision(language: settings.language)
  }

  /// Version and settings as ASCII text.
  ///
  /// Two tokenizers with equal identities give equal words for every text, as far as the stems of generated words
  /// distinguish the versions of Snowball's library.
  package var identity: [UInt8] {
    var parts = ["2", "unicode=\(String(cString: obx_unicode_version()))"]
    if let language = settings.language, let stemmers {
      parts.append("language=\(language)")
      parts.append("stemmer=\(String(stemmers.fingerprint, radix: 16))")
    }
    parts.append("diacritics=\(settings.diacritics.rawValue)")
    if !settings.prefixLengths.isEmpty {
      parts.append("prefix=" + settings.prefixLengths.map(String.init).joined(separator: ","))
    }
    return Array(parts.joined(separator: " ").utf8)
  }

  /// Calls a body for each word of a text, in order.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8; other bytes separate words.
  ///   - isStemming: False for the beginnings of words in queries.
  ///   - body: Receives the word, valid until it returns; its position, counted from 0; and its place in `bytes`.
  ///     Places of words of runs overlap.
  /// - Complexity: O(*n*) for *n* bytes.
  package func forEachToken(
    in bytes: UnsafeBufferPointer<UInt8>,
    isStemming: Bool = true,
    _ body: (UnsafeRawBufferPointer, UInt32, Range<Int>) throws -> Void
  ) rethrows {
    let stemmer = isStemming ? stemmers?.take() : nil
    defer { if let stemmer { stemmers?.giveBack(stemmer) } }
    try withUnsafeTemporaryAllocation(of: obx_words.self, capacity: 1) { words in
      words.initialize(repeating: obx_words())
      try withUnsafeTemporaryAllocation(byteCount: Self.maximumSize, alignment: 1) { scratch in
        guard let words = words.baseAddress, let scratch = scratch.baseAddress else { return }
        words.pointee.bytes = bytes.baseAddress
        words.pointee.size = bytes.count
        words.pointee.is_turkic = settings.language == "tr"
        var position: UInt32 = 0
        while position < Self.maximumCount, obx_words_next(words) {
          let word = finished(words, stemmer, scratch)
          // Marks alone are not a word.
          if word.isEmpty { continue }
          try body(word, position, place(words, in: bytes))
          position += 1
        }
      }
    }
  }

  /// Calls a body for each word of a string, with places in its UTF-8 bytes.
  package func forEachToken(
    in text: String,
    isStemming: Bool = true,
    _ body: (UnsafeRawBufferPointer, UInt32, Range<Int>) throws -> Void
  ) rethrows {
    var text = text
    try text.withUTF8 { try forEachToken(in: $0, isStemming: isStemming, body) }
  }

  /// Returns the current word, stemmed and without marks.
  private func finished(
    _ words: UnsafePointer<obx_words>,
    _ stemmer: Stemmer?,
    _ scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawBufferPointer {
    var start = obx_words_word(words)
    var count = words.pointee.word_size
    if !words.pointee.is_of_run {
      if let elision {
        let part = elision.part(of: UnsafeBufferPointer(start: start, count: count))
        (start, count) = (start + part.lowerBound, part.count)
      }
      if let stemmer { (start, count) = stemmer.stem(start, count) }
      if settings.diacritics == .fold, !words.pointee.is_ascii {
        let result = scratch.assumingMemoryBound(to: UInt8.self)
        count = obx_remove_marks(start, count, result)
        start = UnsafePointer(result)
      }
    }
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns the place of the current word in a text, without an elided part before it.
  private func place(
    _ words: UnsafePointer<obx_words>,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Range<Int> {
    let (whole, word) = (words.pointee.start..<words.pointee.end, obx_words_word(words))
    guard let elision,
      elision.part(of: UnsafeBufferPointer(start: word, count: words.pointee.word_size)).lowerBound
        > 0
    else { return whole }
    return Elision.endOfApostrophe(in: text, whole)..<whole.upperBound
  }

  /// Returns true for a word of a script without spaces: a letter, or two.
  package static func isOfRun(_ word: UnsafeRawBufferPointer) -> Bool {
    guard let start = word.bindMemory(to: UInt8.self).baseAddress else { return false }
    return obx_is_of_run(start, word.count)
  }
}
