/// Makes expressions of the words in a piece of a query.
struct QueryWords {
  private struct Word {
    var text: String
    var position: UInt32
    var place: Range<Int>
    var isOfRun: Bool
    /// True for a pair of letters of a run; its second letter may follow alone.
    var isPair: Bool
  }

  let tokenizer: Tokenizer

  /// Returns the expression for a piece without operators, and its number of words; nil if it has no words.
  ///
  /// Several words make a phrase. If `isPrefix`, the last one is the beginning of a word and is not stemmed. It may
  /// also be a whole word, so its stem matches too, unless `isOperand` asks for a single term, prefix or phrase.
  func expression(
    for text: String,
    isPrefix: Bool,
    isOperand: Bool
  ) -> (TextExpression, count: Int)? {
    let whole = words(of: text, isStemming: true)
    guard isPrefix, let last = words(of: text, isStemming: false).last else {
      return expression(for: whole, isPrefix: false)
    }
    var beginning = whole.filter { $0.isPair || $0.place.lowerBound < last.place.lowerBound }
    var word = last
    word.position = beginning.last.map { $0.position + 1 } ?? 0
    beginning.append(word)
    guard let (expression, count) = expression(for: beginning, isPrefix: true) else { return nil }
    guard !isOperand, let stem = whole.last, !stem.text.hasPrefix(last.text),
      let other = self.expression(for: whole, isPrefix: false)
    else {
      return (expression, count)
    }
    return (.any([expression, other.0]), count)
  }

  private func expression(
    for words: [Word],
    isPrefix: Bool
  ) -> (TextExpression, count: Int)? {
    // A run ends with its last letter alone. The pair before it implies the letter, and other
    // letters may follow in the object.
    let pairs = words.indices.filter { index in
      index == 0 || words[index].isPair || !words[index - 1].isPair
    }.map { words[$0] }
    guard let first = pairs.first, let last = pairs.last else { return nil }
    let isLetter = last.isOfRun && !last.isPair
    let lastIsPrefix = isLetter || (isPrefix && !last.isOfRun)
    if pairs.count == 1 {
      return (lastIsPrefix ? .prefix(first.text) : .term(first.text), 1)
    }
    let phrase = pairs.enumerated().map { index, word in
      PhraseWord(
        word.text,
        isPrefix: index == pairs.count - 1 && lastIsPrefix,
        offset: word.position - first.position
      )
    }
    return (.phrase(phrase), pairs.count)
  }

  private func words(of text: String, isStemming: Bool) -> [Word] {
    var words: [Word] = []
    tokenizer.forEachToken(in: text, isStemming: isStemming) { bytes, position, place in
      if let last = words.last, place.lowerBound < last.place.upperBound {
        words[words.count - 1].isPair = true
      }
      words.append(
        Word(
          text: String(decoding: bytes, as: UTF8.self),
          position: position,
          place: place,
          isOfRun: Tokenizer.isOfRun(bytes),
          isPair: false
        )
      )
    }
    return words
  }
}
