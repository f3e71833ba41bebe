import ObjectBoxFullText
import ObjectBoxTestSupport

/// Makes random texts and queries of the same words.
struct RandomQueries {
  var random: SplitMix
  let columnCount: Int
  /// Words of several scripts, the common ones first.
  static let words: [String] = (0..<400).map { number in
    let scripts = ["w", "wo", "häu", "ж", "слово", "日本", "λόγ", "ღვინო", "x", "データ"]
    return scripts[number % scripts.count] + (number < 10 ? "" : String(number / 10))
  }

  mutating func word() -> String {
    // Few words are common, many are rare.
    let place = Double.random(in: 0..<1, using: &random)
    return Self.words[Int(Double(Self.words.count) * place * place * place)]
  }

  mutating func text() -> String {
    let count = Int.random(in: 0...random.pick([3, 12, 60]), using: &random)
    return (0..<count).map { _ in word() }.joined(separator: " ")
  }

  mutating func beginning() -> String {
    let word = word()
    return String(word.prefix(Int.random(in: 1...max(1, word.count), using: &random)))
  }

  mutating func phrase(_ texts: [[String]]) -> TextExpression {
    // Mostly words that follow one another in a text.
    let words = random.pick(random.pick(texts)).split(separator: " ").map(String.init)
    let count = Int.random(in: 2...3, using: &random)
    var phrase: [String] = (0..<count).map { _ in word() }
    if words.count >= count, Int.random(in: 0..<8, using: &random) > 0 {
      let start = Int.random(in: 0...words.count - count, using: &random)
      phrase = Array(words[start..<start + count])
    }
    let isPrefix = Int.random(in: 0..<5, using: &random) == 0
    return .phrase(
      phrase.enumerated().map { index, word in
        let isLast = index == count - 1 && isPrefix
        return PhraseWord(
          isLast ? String(word.prefix(1)) : word,
          isPrefix: isLast,
          offset: UInt32(index)
        )
      }
    )
  }

  mutating func near(_ texts: [[String]], onlyTerms: Bool) -> TextExpression {
    let operands = (0..<Int.random(in: 2...3, using: &random)).map { _ -> TextExpression in
      switch onlyTerms ? 0 : Int.random(in: 0..<4, using: &random) {
      case 0...1: .term(word())
      case 2: .prefix(beginning())
      default: phrase(texts)
      }
    }
    return .near(operands, distance: random.pick([0, 1, 3, 10, 1000]))
  }

  mutating func query(_ texts: [[String]]) -> TextExpression {
    let expression: TextExpression
    switch Int.random(in: 0..<12, using: &random) {
    // FTS5 counts positions of a NEAR that does not match, in other branches of a query.
    case 0...1: expression = near(texts, onlyTerms: false)
    case 2: expression = .all([tree(texts, 2), near(texts, onlyTerms: false), .term(word())])
    case 3: expression = wide(texts)
    default: expression = tree(texts, 0)
    }
    guard columnCount > 1, Int.random(in: 0..<4, using: &random) == 0 else { return expression }
    return column(expression)
  }

  /// Makes a query with as many alternatives as are read window by window, or with exclusions of so
  /// many.
  private mutating func wide(_ texts: [[String]]) -> TextExpression {
    let count = Int.random(in: 32...90, using: &random)
    let words = (0..<count).map { _ -> TextExpression in
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .prefix(beginning())
      case 1: phrase(texts)
      default: .term(word())
      }
    }
    let any = TextExpression.any(words)
    return random.pick([any, any, .excluding(.term(word()), any), .excluding(any, .term(word()))])
  }

  private mutating func column(_ expression: TextExpression) -> TextExpression {
    // See above: in a column, FTS5 does the same for a NEAR of terms.
    if case .near = expression {
      return .column(expression, Int.random(in: 0..<columnCount, using: &random))
    }
    switch expression {
    case .term, .prefix, .phrase:
      return .column(expression, Int.random(in: 0..<columnCount, using: &random))
    default: return expression
    }
  }

  private mutating func tree(_ texts: [[String]], _ depth: Int) -> TextExpression {
    switch Int.random(in: depth < 3 ? 0..<13 : 0..<6, using: &random) {
    case 0...1: .term(word())
    case 2: .prefix(beginning())
    case 3: phrase(texts)
    case 4: columnCount > 1 ? column(random.pick([.term(word()), phrase(texts)])) : .term(word())
    case 5: near(texts, onlyTerms: true)
    case 6...8:
      .any((0..<Int.random(in: 2...4, using: &random)).map { _ in tree(texts, depth + 1) })
    case 9...11:
      .all((0..<Int.random(in: 2...3, using: &random)).map { _ in tree(texts, depth + 1) })
    default: .excluding(tree(texts, depth + 1), tree(texts, depth + 1))
    }
  }
}
