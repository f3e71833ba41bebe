/// A token of a condition.
struct ConditionToken: Equatable {
  enum Kind: Equatable {
    /// A name or a keyword.
    case word
    /// A name in backticks, which is never a keyword.
    case quotedName
    /// A number, a date, bytes, or an invalid literal.
    case literal
    /// A quoted text, without its quotes.
    case text
    case symbol
    case end
  }

  var kind: Kind
  /// The name, the symbol, the digits, or the content of the text.
  var text: String
  var range: Range<String.Index>
}

/// Splits a condition into tokens, by scalars: a quote and a combining mark would be one character.
struct ConditionTokens {
  private static let symbols = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", ",", ".",
  ]

  private let source: String
  private var index: String.Index
  private(set) var all: [ConditionToken] = []

  /// - Parameter source: The condition.
  /// - Throws: ``ConditionFault`` for a character that begins no token, and for an unterminated
  ///   text.
  init(_ source: String) throws(ConditionFault) {
    self.source = source
    index = source.startIndex
    while let first = peek {
      if first.properties.isWhitespace {
        advance()
      } else {
        all.append(try token(first))
      }
    }
    all.append(ConditionToken(kind: .end, text: "", range: index..<index))
  }

  private init(reading source: String, from index: String.Index) {
    self.source = source
    self.index = index
    all = []
  }

  private var peek: Unicode.Scalar? {
    index < source.endIndex ? source.unicodeScalars[index] : nil
  }

  private mutating func advance() { source.unicodeScalars.formIndex(after: &index) }

  private mutating func token(_ first: Unicode.Scalar) throws(ConditionFault) -> ConditionToken {
    let start = index
    if first == "\"" || first == "'" { return try text(in: first) }
    if first == "`" { return try quotedName() }
    if ("0"..."9").contains(first) || first == "-" || first == "+" {
      return run(.literal, while: Self.isOfLiteral)
    }
    if first == "_" || first.properties.isAlphabetic { return run(.word, while: Self.isOfName) }
    for symbol in Self.symbols
    where source.unicodeScalars[index...].starts(with: symbol.unicodeScalars) {
      source.unicodeScalars.formIndex(&index, offsetBy: symbol.unicodeScalars.count)
      return ConditionToken(kind: .symbol, text: symbol, range: start..<index)
    }
    // The whole visible character.
    let shown = source[start...].prefix(1)
    let hint =
      switch first {
      case "=": "; write '=='"
      case "&": "; write '&&'"
      case "|": "; write '||'"
      case "!": "; write '!=', 'not in' or 'is not null': a condition has no negation as a whole"
      case _ where first.properties.numericType != nil: "; write numbers with the digits 0 to 9"
      default: ""
      }
    throw ConditionFault("'\(shown)' has no meaning here\(hint)", source, start..<shown.endIndex)
  }

  private static func isOfLiteral(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z", "+", "-", ".", ":", "_": true
    default: false
    }
  }

  /// Returns whether a scalar can continue a name, such as a combining mark.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return scalar == "_" || properties.isAlphabetic || properties.numericType != nil
      || properties.isXIDContinue || properties.isGraphemeExtend || scalar == "\u{200D}"
  }

  private mutating func run(
    _ kind: ConditionToken.Kind,
    while isPart: (Unicode.Scalar) -> Bool
  ) -> ConditionToken {
    let start = index
    while let next = peek, isPart(next) { advance() }
    return ConditionToken(
      kind: kind,
      text: String(source.unicodeScalars[start..<index]),
      range: start..<index
    )
  }

  /// Reads a name in backticks; backticks inside are doubled.
  private mutating func quotedName() throws(ConditionFault) -> ConditionToken {
    let start = index
    var name = String.UnicodeScalarView()
    advance()
    while let next = peek {
      advance()
      if next == "`" {
        guard peek == "`" else {
          return ConditionToken(kind: .quotedName, text: String(name), range: start..<index)
        }
        advance()
      }
      name.append(next)
    }
    throw ConditionFault("the name has no end; close it with '`'", source, start..<index)
  }

  private mutating func text(in quote: Unicode.Scalar) throws(ConditionFault) -> ConditionToken {
    let start = index
    var text = String.UnicodeScalarView()
    advance()
    while let next = peek, next != quote { text.append(try scalar(next)) }
    guard peek != nil else {
      throw ConditionFault("the text has no end; close it with \(quote)", source, start..<index)
    }
    advance()
    return ConditionToken(kind: .text, text: String(text), range: start..<index)
  }

  /// Reads a scalar of a text, which may be an escape.
  private mutating func scalar(_ next: Unicode.Scalar) throws(ConditionFault) -> Unicode.Scalar {
    if next == "\\" { return try escape() }
    advance()
    return next
  }

  /// Returns the part of a condition that stands for a part of a text in it.
  ///
  /// - Parameters:
  ///   - bytes: A part of the content of the text, in bytes of UTF-8.
  ///   - text: The range of the text's token, with its quotes.
  ///   - source: The condition.
  /// - Returns: The range.
  static func range(
    of bytes: Range<Int>,
    inText text: Range<String.Index>,
    of source: String
  ) -> Range<String.Index> {
    let scalars = source.unicodeScalars
    let end = scalars.index(before: text.upperBound)
    var reader = Self(reading: source, from: scalars.index(after: text.lowerBound))
    var size = 0
    func skip(to byte: Int) -> String.Index {
      while size < byte, reader.index < end, let next = reader.peek,
        let scalar = try? reader.scalar(next)
      {
        size += UTF8.width(scalar)
      }
      return reader.index
    }
    let start = skip(to: bytes.lowerBound)
    return start..<skip(to: bytes.upperBound)
  }

  private mutating func escape() throws(ConditionFault) -> Unicode.Scalar {
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
      while let next = peek, next.properties.isASCIIHexDigit { advance() }
      let digits = String(source.unicodeScalars[first..<index])
      if peek == "}", digits.utf8.count <= 8,
        let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      {
        advance()
        return scalar
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
