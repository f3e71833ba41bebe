/// Cuts texts to the words around the matches of a query, and marks the matches.
///
/// Works on any text, without the index: splits the text itself.
package struct TextSnippets {
  /// A part of a snippet: matching words, or the text around them.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var isMatch: Bool
  }

  private let tokenizer: Tokenizer
  private let column: Int
  private var matcher: SnippetMatcher

  /// - Parameters:
  ///   - expression: The query.
  ///   - tokenizer: The tokenizer of the index.
  ///   - column: The column that the texts belong to; 0 for an index of one property. Parts of the
  ///     query for other columns match nothing.
  package init(of expression: TextExpression, tokenizer: Tokenizer, column: Int = 0) {
    self.tokenizer = tokenizer
    self.column = column
    matcher = SnippetMatcher()
    matcher.add(expression, of: column)
  }

  /// Returns the first part of a text with the most distinct words of the query.
  ///
  /// Matching words are marked as written in the text. Words of a phrase share a mark. Words that match only outside
  /// their phrase, or too far apart for NEAR, have no mark. A text without a match gives its first words.
  ///
  /// - Parameters:
  ///   - text: The text; it is not escaped for any other language.
  ///   - wordCount: The number of words to show, at least 1; letters count as words in scripts
  ///     without spaces.
  ///   - marks: Texts before and after each match.
  ///   - ellipsis: Text in place of words that were left out before or after the part.
  /// - Returns: A part of the text with marks and ellipses.
  /// - Complexity: O(*n*) for a text of *n* bytes.
  package func snippet(
    of text: String,
    wordCount: Int,
    marking marks: (String, String),
    ellipsis: String = "…"
  ) -> String {
    pieces(of: text, wordCount: wordCount, ellipsis: ellipsis)
      .map { $0.isMatch ? marks.0 + $0.text + marks.1 : $0.text }.joined()
  }

  /// Returns the snippet of a text in pieces; see ``snippet(of:wordCount:marking:ellipsis:)``.
  package func pieces(of text: String, wordCount: Int, ellipsis: String = "…") -> [Piece] {
    var matcher = matcher
    var places: [Range<Int>] = []
    tokenizer.forEachToken(in: text) { word, _, place in
      matcher.note(word, at: places.count)
      places.append(place)
    }
    guard !places.isEmpty else { return [Piece(text: text, isMatch: false)] }
    let matches = matcher.matches()
    let window = Self.window(matches, wordCount: max(1, wordCount), of: places.count)
    return SnippetText(text: text, places: places, window: window)
      .pieces(matches, ellipsis: ellipsis)
  }

  /// Returns the words to show: the best part that begins with a match, with words around it.
  private static func window(
    _ matches: [SnippetMatch],
    wordCount: Int,
    of count: Int
  ) -> Range<Int> {
    guard wordCount < count else { return 0..<count }
    var numbers: [Int: Int] = [:]
    var best = (score: 0, first: 0, last: 0)
    var end = 0
    for match in matches {
      while end < matches.count, matches[end].word < match.word + wordCount {
        numbers[matches[end].pattern, default: 0] += 1
        end += 1
      }
      if numbers.count > best.score {
        best = (numbers.count, match.word, matches[end - 1].word)
      }
      let left = (numbers[match.pattern] ?? 1) - 1
      numbers[match.pattern] = left == 0 ? nil : left
    }
    let spare = wordCount - (best.last - best.first + 1)
    let start = min(max(0, best.first - (spare + 1) / 2), count - wordCount)
    return start..<start + wordCount
  }
}

/// A word of a text that belongs to a match.
struct SnippetMatch {
  /// Number of the word in the text.
  var word: Int
  /// Number of the word in the query.
  var pattern: Int
  /// True when the word matches by its beginning.
  var isPrefix: Bool
  /// True when the next word of the text belongs to the same phrase.
  var joinsNext = false
}

/// The part of a text that a snippet shows.
private struct SnippetText {
  let text: String
  /// Places of words in UTF-8 bytes; words of runs overlap.
  let places: [Range<Int>]
  let window: Range<Int>

  func pieces(_ matches: [SnippetMatch], ellipsis: String) -> [TextSnippets.Piece] {
    let utf8 = text.utf8
    func part(_ range: Range<Int>) -> Substring {
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      return text[start..<utf8.index(start, offsetBy: range.count)]
    }
    let isCutBefore = window.lowerBound > 0
    let isCutBehind = window.upperBound < places.count
    let start = isCutBefore ? places[window.lowerBound].lowerBound : 0
    var end = isCutBehind ? self.end(of: window.upperBound - 1) : utf8.count
    let ranges = ranges(of: matches)
    // A match of two letters begins in the window, but may end after it.
    if let last = ranges.last { end = max(end, last.upperBound) }
    var pieces: [TextSnippets.Piece] = []
    var between = isCutBefore ? ellipsis : ""
    func endBetween() {
      if !between.isEmpty { pieces.append(TextSnippets.Piece(text: between, isMatch: false)) }
      between = ""
    }
    var place = start
    for range in ranges {
      between += part(place..<range.lowerBound)
      endBetween()
      pieces.append(TextSnippets.Piece(text: String(part(range)), isMatch: true))
      place = range.upperBound
    }
    between += part(place..<end)
    if isCutBehind { between += ellipsis }
    endBetween()
    return pieces
  }

  /// End of a word without the letters of the next one, unless one character has both.
  private func end(of word: Int) -> Int {
    let next = word + 1 < places.count ? places[word + 1].lowerBound : .max
    let place = places[word]
    return next > place.lowerBound ? min(place.upperBound, next) : place.upperBound
  }

  /// Returns the places of the marks in the window, in order, without overlaps.
  private func ranges(of matches: [SnippetMatch]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var joinedWord = -1
    for match in matches where window.contains(match.word) {
      // The beginning of a word of a run is its first letter.
      let isLetter = match.isPrefix && end(of: match.word) < places[match.word].upperBound
      let end = isLetter ? self.end(of: match.word) : places[match.word].upperBound
      let range = places[match.word].lowerBound..<end
      if let last = ranges.last, range.lowerBound < last.upperBound || joinedWord == match.word {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
      if match.joinsNext { joinedWord = match.word + 1 }
    }
    return ranges
  }
}
