/// Reads the text of a query, as users write it, into a ``TextExpression``.
///
/// Words side by side must all occur. `OR`, `AND`, `NOT` and parentheses combine words, a minus excludes a word, quotes
/// make a phrase, a star makes a prefix, and `NEAR(a b, 10)` finds words that are near each other. `AND` binds more
/// closely than `OR`.
package struct TextQueryParser: Sendable {
  /// The number of words that a query may have.
  package static let maximumCount = 1_000
  /// The number of parentheses that may be open at the same time.
  package static let maximumDepth = 64
  /// The greatest distance of NEAR.
  package static let maximumDistance = 100_000

  private let tokenizer: Tokenizer
  private let columns: [String]

  /// - Parameters:
  ///   - tokenizer: The tokenizer of the index.
  ///   - columns: Names of the properties of an index over several; such a name with a colon before a word searches
  ///     only in this property. Other names with colons are words.
  package init(tokenizer: Tokenizer, columns: [String] = []) {
    self.tokenizer = tokenizer
    self.columns = columns
  }

  /// Returns the expression for a text.
  ///
  /// - Throws: ``TextQueryFault`` for a text that cannot be read; every text is either read or rejected.
  package func parse(_ text: String) throws(TextQueryFault) -> TextExpression {
    if let word = word(text) { return .term(word) }
    let items = try TextQueryLexer.items(of: text, tokenizer: tokenizer, columns: columns)
    // Most queries are a word or a phrase.
    if items.count == 1, case .words(let expression) = items[0].kind { return expression }
    var reading = Reading(text: text, items: items)
    return try reading.read()
  }

  /// Returns the word of a text of only ASCII letters and digits, possibly in quotes; nil for other texts, and for
  /// possible operators.
  ///
  /// Most searches are such a text, and need no lexer.
  private func word(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      let quote = UInt8(ascii: "\"")
      let isQuoted = bytes.count > 2 && bytes[0] == quote && bytes[bytes.count - 1] == quote
      let inner = isQuoted ? bytes[1..<bytes.count - 1] : bytes[...]
      guard isQuoted || inner.count > Self.maximumOperatorSize,
        inner.allSatisfy(Self.isAlphanumeric)
      else { return nil }
      var words: [String] = []
      tokenizer.forEachToken(in: UnsafeBufferPointer(rebasing: inner)) { word, _, _ in
        words.append(String(decoding: word, as: UTF8.self))
      }
      return words.count == 1 ? words[0] : nil
    }
  }

  /// The size of `AND` and `NOT`.
  private static let maximumOperatorSize = 3

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

/// The state of a parser that descends into the items of a text.
private struct Reading {
  let text: String
  let items: [TextQueryItem]
  var index = 0
  var depth = 0
  /// The column that the words being read belong to.
  var column: String?

  init(text: String, items: [TextQueryItem]) {
    self.text = text
    self.items = items
  }

  mutating func read() throws(TextQueryFault) -> TextExpression {
    let expression = try readAlternatives()
    if index < items.count { throw fault(.unopenedParenthesis, items[index].place) }
    guard let expression else { throw fault(.noWord, 0..<text.utf8.count) }
    return expression
  }

  /// Reads groups joined by OR, up to a closing parenthesis or the end; nil without words.
  private mutating func readAlternatives() throws(TextQueryFault) -> TextExpression? {
    var operands: [TextExpression] = []
    var last: Range<Int>?
    while true {
      let group = try readGroup()
      if let group { operands.append(group) }
      let isOr = if index < items.count, case .or = items[index].kind { true } else { false }
      if group == nil {
        if isOr { throw fault(.nothingBefore("OR"), items[index].place) }
        if let last { throw fault(.nothingBehind("OR"), last) }
      }
      guard isOr else { break }
      last = items[index].place
      index += 1
    }
    return Self.joined(operands, by: TextExpression.any) { operand in
      if case .any(let operands) = operand { operands } else { nil }
    }
  }

  /// Reads operands that must all match, and exclusions; nil if there is none.
  private mutating func readGroup() throws(TextQueryFault) -> TextExpression? {
    var required: [TextExpression] = []
    var excluded: [TextExpression] = []
    var exclusion: Range<Int>?
    var and: Range<Int>?
    while index < items.count {
      let item = items[index]
      switch item.kind {
      case .or, .close: break
      case .and:
        guard and == nil, !required.isEmpty || !excluded.isEmpty else {
          throw fault(.nothingBefore("AND"), item.place)
        }
        and = item.place
        index += 1
        continue
      case .not(let name):
        if let column { throw fault(.exclusionInColumn(column), item.place) }
        index += 1
        and = nil
        exclusion = exclusion ?? item.place
        guard let operand = try readOperand() else { throw fault(.nothingBehind(name), item.place) }
        excluded.append(operand)
        continue
      default:
        if let operand = try readOperand() {
          required.append(operand)
          and = nil
        }
        continue
      }
      break
    }
    if let and { throw fault(.nothingBehind("AND"), and) }
    let all = Self.joined(required, by: TextExpression.all) { operand in
      if case .all(let operands) = operand { operands } else { nil }
    }
    let none = Self.joined(excluded, by: TextExpression.any) { operand in
      if case .any(let operands) = operand { operands } else { nil }
    }
    guard let none else { return all }
    guard let all else { throw fault(.onlyExclusions, exclusion ?? 0..<text.utf8.count) }
    return .excluding(all, none)
  }

  /// Reads words or a group in parentheses, possibly with a column; nil for empty parentheses, and for other items,
  /// which are not consumed.
  private mutating func readOperand() throws(TextQueryFault) -> TextExpression? {
    guard index < items.count else { return nil }
    let item = items[index]
    switch item.kind {
    case .words(let expression):
      index += 1
      return expression
    case .column(let name, let number):
      index += 1
      if column != nil { throw fault(.columnInColumn(name), item.place) }
      column = name
      defer { column = nil }
      if index < items.count, case .not = items[index].kind {
        throw fault(.exclusionInColumn(name), items[index].place)
      }
      guard let operand = try readOperand() else {
        throw fault(.nothingBehind(name + ":"), item.place)
      }
      return .column(operand, number)
    case .open:
      if depth == TextQueryParser.maximumDepth { throw fault(.tooDeep, item.place) }
      depth += 1
      index += 1
      let expression = try readAlternatives()
      guard index < items.count else { throw fault(.unclosedParenthesis, item.place) }
      index += 1
      depth -= 1
      return expression
    default: return nil
    }
  }

  /// Joins operands by an operator, and flattens operands with the same operator; nil if there are no operands.
  private static func joined(
    _ operands: [TextExpression],
    by join: ([TextExpression]) -> TextExpression,
    _ operandsOf: (TextExpression) -> [TextExpression]?
  ) -> TextExpression? {
    let flat = operands.flatMap { operandsOf($0) ?? [$0] }
    return flat.count > 1 ? join(flat) : flat.first
  }

  private func fault(_ kind: TextQueryFault.Kind, _ place: Range<Int>) -> TextQueryFault {
    let end = text.utf8.index(text.startIndex, offsetBy: place.lowerBound)
    return TextQueryFault(kind: kind, place: place, characterOffset: text[..<end].count)
  }
}
