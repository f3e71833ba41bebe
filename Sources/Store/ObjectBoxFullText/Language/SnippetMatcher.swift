/// Finds the words of a text that make a query match.
struct SnippetMatcher {
  /// A word of the query.
  private struct Pattern: Hashable {
    var text: String
    var isPrefix: Bool
  }

  /// Patterns at fixed distances: a phrase, or a single word.
  private struct Phrase {
    var words: [(pattern: Int, offset: Int)]

    /// Number of positions from the first word to the last.
    var length: Int { (words.last?.offset ?? 0) + 1 }
  }

  /// Phrases that count only near each other; a single phrase always counts.
  private struct Group {
    var phrases: [Phrase]
    var distance = 0
  }

  private var patterns: [Pattern] = []
  private var numbers: [Pattern: Int] = [:]
  /// The patterns that are beginnings of words.
  private var beginnings: [Int] = []
  private var groups: [Group] = []
  /// Words of the text that match each pattern, ascending.
  private var found: [[Int]] = []

  /// Adds the words of a query that make a text of a column match.
  mutating func add(_ expression: TextExpression, of column: Int) {
    switch expression {
    case .term, .prefix, .phrase:
      if let phrase = phrase(expression) { groups.append(Group(phrases: [phrase])) }
    case .near(let operands, let distance):
      groups.append(Group(phrases: operands.compactMap { phrase($0) }, distance: distance))
    case .all(let operands), .any(let operands):
      for operand in operands { add(operand, of: column) }
    case .excluding(let operand, _): add(operand, of: column)
    case .column(let operand, let number): if number == column { add(operand, of: column) }
    }
  }

  /// Returns the phrase of a term, a prefix or a phrase; nil for other expressions.
  private mutating func phrase(_ expression: TextExpression) -> Phrase? {
    switch expression {
    case .term(let text): Phrase(words: [(number(Pattern(text: text, isPrefix: false)), 0)])
    case .prefix(let text): Phrase(words: [(number(Pattern(text: text, isPrefix: true)), 0)])
    case .phrase(let words):
      Phrase(
        words: words.map { word in
          (number(Pattern(text: word.text, isPrefix: word.isPrefix)), Int(word.offset))
        }
      )
    default: nil
    }
  }

  private mutating func number(_ pattern: Pattern) -> Int {
    if let number = numbers[pattern] { return number }
    numbers[pattern] = patterns.count
    if pattern.isPrefix { beginnings.append(patterns.count) }
    patterns.append(pattern)
    found.append([])
    return patterns.count - 1
  }

  /// Notes a word of the text.
  mutating func note(_ word: UnsafeRawBufferPointer, at place: Int) {
    let text = String(decoding: word, as: UTF8.self)
    if let number = numbers[Pattern(text: text, isPrefix: false)] { found[number].append(place) }
    for number in beginnings where word.starts(with: patterns[number].text.utf8) {
      found[number].append(place)
    }
  }

  /// Returns the words that belong to a match, in the order of the text.
  func matches() -> [SnippetMatch] {
    var matches: [SnippetMatch] = []
    for group in groups {
      let starts = group.phrases.map(starts)
      let counted = group.phrases.count == 1 ? starts : near(starts, group)
      for (phrase, starts) in zip(group.phrases, counted) {
        for start in starts {
          for (place, word) in phrase.words.enumerated() {
            let joinsNext =
              place + 1 < phrase.words.count && phrase.words[place + 1].offset == word.offset + 1
            matches.append(
              SnippetMatch(
                word: start + word.offset,
                pattern: word.pattern,
                isPrefix: patterns[word.pattern].isPrefix,
                joinsNext: joinsNext
              )
            )
          }
        }
      }
    }
    return matches.sorted { ($0.word, $0.pattern) < ($1.word, $1.pattern) }
  }

  /// Returns the words of the text where a phrase begins.
  private func starts(of phrase: Phrase) -> [Int] {
    found[phrase.words[0].pattern].filter { start in
      phrase.words.dropFirst().allSatisfy { word in
        let places = found[word.pattern]
        let place = Self.index(of: start + word.offset, in: places)
        return place < places.count && places[place] == start + word.offset
      }
    }
  }

  /// Returns the starts of phrases that have all other phrases near them.
  private func near(_ starts: [[Int]], _ group: Group) -> [[Int]] {
    var isCounted = starts.map { [Bool](repeating: false, count: $0.count) }
    // Ranges ascend: the part of a range before `ends` was marked with the last range that counted.
    var ends = starts.map { _ in 0 }
    for last in Set(starts.joined()).sorted() {
      // All begin at `last` or before it, and end at most the distance before it.
      let ranges = zip(starts, group.phrases).map { starts, phrase in
        Self.index(
          of: last - group.distance - phrase.length,
          in: starts
        )..<Self.index(of: last + 1, in: starts)
      }
      guard ranges.allSatisfy({ !$0.isEmpty }) else { continue }
      for (phrase, range) in ranges.enumerated() {
        let new = max(range.lowerBound, ends[phrase])..<range.upperBound
        for place in new { isCounted[phrase][place] = true }
        ends[phrase] = range.upperBound
      }
    }
    return zip(starts, isCounted).map { starts, isCounted in
      zip(starts, isCounted).filter(\.1).map(\.0)
    }
  }

  /// Returns the first index of a value that is at least the given one.
  private static func index(of value: Int, in sorted: [Int]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
