/// A token of a condition.
struct ConditionToken: Equatable {
  enum Kind: Equatable {
    /// A name or a word of the language.
    case word
    /// A name in backticks, which is never a word of the language.
    case quotedName
    /// A number, a date, bytes, or what is none of them.
    case literal
    /// A text in quotes, without them.
    case text
    case symbol
    case end
  }

  var kind: Kind
  /// The name, the symbol, the digits, or the content of the text.
  var text: String
  var range: Range<String.Index>
}

/// Takes the text of a condition apart.
struct ConditionTokens {
  private static let symbols = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", ",", ".",
  ]

  private let source: String
  private var index: String.Index
  private(set) var all: [ConditionToken] = []

  /// - Parameter source: The condition.
  /// - Throws: ``ConditionFault`` for a character that begins no token, and for a text without an end.
  init(_ source: String) throws(ConditionFault) {
    self.source = source
    index = source.startIndex
    while let first = peek {
      if first.isWhitespace {
        advance()
      } else {
        all.append(try token(first))
      }
    }
    all.append(ConditionToken(kind: .end, text: "", range: index..<index))
  }

  private var peek: Character? { index < source.endIndex ? source[index] : nil }

  private mutating func advance() { source.formIndex(after: &index) }

  private mutating func token(_ first: Character) throws(ConditionFault) -> ConditionToken {
    let start = index
    if first == "\"" || first == "'" { return try text(in: first) }
    if first == "`" { return try quotedName() }
    if (first.isASCII && first.isNumber) || first == "-" || first == "+" {
      return run(.literal) { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.:_".contains($0)) }
    }
    if first == "_" || first.isLetter {
      return run(.word) { $0 == "_" || $0.isLetter || $0.isNumber }
    }
    for symbol in Self.symbols where source[index...].hasPrefix(symbol) {
      index = source.index(index, offsetBy: symbol.count)
      return ConditionToken(kind: .symbol, text: symbol, range: start..<index)
    }
    advance()
    let hint =
      switch first {
      case "=": "; write '=='"
      case "&": "; write '&&'"
      case "|": "; write '||'"
      case "!": "; write '!=', 'not in' or 'is not null': a condition has no negation as a whole"
      case _ where first.isNumber: "; write numbers with the digits 0 to 9"
      default: ""
      }
    throw ConditionFault("'\(first)' has no meaning here\(hint)", source, start..<index)
  }

  private mutating func run(
    _ kind: ConditionToken.Kind,
    while isPart: (Character) -> Bool
  ) -> ConditionToken {
    let start = index
    while let next = peek, isPart(next) { advance() }
    return ConditionToken(kind: kind, text: String(source[start..<index]), range: start..<index)
  }

  private mutating func quotedName() throws(ConditionFault) -> ConditionToken {
    let start = index
    advance()
    let first = index
    while let next = peek, next != "`" { advance() }
    guard peek != nil else {
      throw ConditionFault("the name has no end; close it with '`'", source, start..<index)
    }
    defer { advance() }
    return ConditionToken(
      kind: .quotedName,
      text: String(source[first..<index]),
      range: start..<source.index(after: index)
    )
  }

  private mutating func text(in quote: Character) throws(ConditionFault) -> ConditionToken {
    let start = index
    var text = ""
    advance()
    while let next = peek, next != quote {
      if next == "\\" {
        text.append(try escape())
      } else {
        text.append(next)
        advance()
      }
    }
    guard peek != nil else {
      throw ConditionFault("the text has no end; close it with \(quote)", source, start..<index)
    }
    advance()
    return ConditionToken(kind: .text, text: text, range: start..<index)
  }

  private mutating func escape() throws(ConditionFault) -> Character {
    let start = index
    advance()
    guard let letter = peek else {
      throw ConditionFault("the text has no end", source, start..<index)
    }
    advance()
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "\\", "\"", "'": return letter
    case "u" where peek == "{":
      advance()
      let first = index
      while let next = peek, next.isHexDigit { advance() }
      let digits = source[first..<index]
      if peek == "}", digits.count <= 8,
        let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      {
        advance()
        return Character(scalar)
      }
    default: break
    }
    throw ConditionFault(
      "this is no escape; write \\\\ for a backslash, and \\n, \\t, \\\", \\' or \\u{1F600}",
      source,
      start..<index
    )
  }
}
