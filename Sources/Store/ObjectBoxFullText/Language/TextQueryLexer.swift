/// Cuts the text of a query into items.
struct TextQueryLexer {
  private let words: QueryWords
  private let columns: [String]
  private let bytes: [UInt8]
  private let scalars: [Unicode.Scalar]
  /// Place of each scalar in UTF-8 bytes, and the end.
  private let offsets: [Int]
  private var index = 0
  private var count = 0
  private var isInNear = false
  private(set) var items: [TextQueryItem] = []

  init(_ text: String, tokenizer: Tokenizer, columns: [String]) {
    words = QueryWords(tokenizer: tokenizer)
    self.columns = columns
    bytes = Array(text.utf8)
    var scalars: [Unicode.Scalar] = []
    var offsets: [Int] = []
    scalars.reserveCapacity(bytes.count)
    offsets.reserveCapacity(bytes.count + 1)
    var offset = 0
    for scalar in text.unicodeScalars {
      scalars.append(scalar)
      offsets.append(offset)
      offset += UTF8.width(scalar)
    }
    offsets.append(offset)
    self.scalars = scalars
    self.offsets = offsets
  }

  /// Returns the items of a whole text.
  static func items(
    of text: String,
    tokenizer: Tokenizer,
    columns: [String]
  ) throws(TextQueryFault) -> [TextQueryItem] {
    var lexer = Self(text, tokenizer: tokenizer, columns: columns)
    while try lexer.readItem() {}
    return lexer.items
  }

  /// Reads the next item; false at the end.
  private mutating func readItem() throws(TextQueryFault) -> Bool {
    skipSpaces()
    guard index < scalars.count else { return false }
    let start = index
    switch scalars[start] {
    case "(":
      index += 1
      add(.open, from: start)
    case ")":
      index += 1
      add(.close, from: start)
    case _ where Self.isQuote(scalars[start]):
      if let expression = try readPhrase() { add(.words(expression), from: start) }
    case "-" where isOperand(at: start + 1):
      index += 1
      try readAfterMinus(from: start)
    default: try readPiece()
    }
    return true
  }

  /// Reads the words that a minus excludes.
  ///
  /// A piece without words excludes nothing, and its minus is left out.
  private mutating func readAfterMinus(from start: Int) throws(TextQueryFault) {
    let before = items.count
    add(.not("-"), from: start)
    if scalars[index] == "(" { return }
    if Self.isQuote(scalars[index]) {
      let place = index
      if let expression = try readPhrase() { add(.words(expression), from: place) }
    } else {
      try readPiece(isOperator: false)
    }
    if items.count == before + 1 { items.removeLast() }
  }

  /// Reads letters up to a space, quote or parenthesis: an operator, NEAR, a column, or words.
  private mutating func readPiece(isOperator: Bool = true) throws(TextQueryFault) {
    let start = index
    let end = endOfPiece(from: start)
    let piece = text(start..<end)
    if isOperator, let kind = Self.operators[piece] {
      index = end
      return add(kind, from: start)
    }
    if piece == "NEAR", end < scalars.count, scalars[end] == "(" {
      index = end + 1
      return try readNear(from: start)
    }
    if let colon = scalars[start..<end].firstIndex(of: ":"),
      let column = columns.firstIndex(of: text(start..<colon))
    {
      index = colon + 1
      return add(.column(columns[column], column), from: start)
    }
    index = end
    if let expression = try expression(start..<end) { add(.words(expression), from: start) }
  }

  /// Returns the expression for a piece that may end with a star; nil if it has no words.
  private mutating func expression(
    _ piece: Range<Int>
  ) throws(TextQueryFault) -> TextExpression? {
    var end = piece.upperBound
    var isPrefix = false
    if let star = scalars[piece].firstIndex(of: "*") {
      guard star > piece.lowerBound else { throw fault(.starWithoutWord, star..<star + 1) }
      guard star == end - 1 else { throw fault(.starInsideWord, star..<star + 1) }
      isPrefix = true
      end = star
    }
    return try expression(for: piece.lowerBound..<end, isPrefix: isPrefix)
  }

  private mutating func expression(
    for range: Range<Int>,
    isPrefix: Bool
  ) throws(TextQueryFault) -> TextExpression? {
    guard let found = words.expression(for: text(range), isPrefix: isPrefix, isOperand: isInNear)
    else {
      if isPrefix { throw fault(.starWithoutWord, range.upperBound..<range.upperBound + 1) }
      return nil
    }
    count += found.count
    if count > TextQueryParser.maximumCount { throw fault(.tooManyWords, range) }
    return found.0
  }

  /// Reads a phrase in quotes and a star directly after it; nil if it has no words.
  private mutating func readPhrase() throws(TextQueryFault) -> TextExpression? {
    let start = index
    guard let end = scalars[(start + 1)...].firstIndex(where: Self.isQuote) else {
      throw fault(.unclosedQuote, start..<start + 1)
    }
    index = end + 1
    let next = index < scalars.count ? scalars[index] : " "
    if next == "~" { throw fault(.tildeAfterPhrase, index..<index + 1) }
    if next == "*" { index += 1 }
    return try expression(for: start + 1..<end, isPrefix: next == "*")
  }

  /// Reads the operands of NEAR and its distance, up to the parenthesis.
  private mutating func readNear(from start: Int) throws(TextQueryFault) {
    isInNear = true
    defer { isInNear = false }
    var operands: [TextExpression] = []
    var distance = 10
    while true {
      skipSpaces()
      guard index < scalars.count else {
        throw fault(.unclosedParenthesis, start + 4..<start + 5)
      }
      let place = index
      if scalars[place] == ")" { break }
      if scalars[place] == "," {
        distance = try readDistance()
        break
      }
      if scalars[place] == "(" { throw fault(.otherInNear("("), place..<place + 1) }
      if Self.isQuote(scalars[place]) {
        if let phrase = try readPhrase() { operands.append(phrase) }
        continue
      }
      index = endOfPiece(from: place)
      let piece = text(place..<index)
      let isColumn = piece.firstIndex(of: ":").map { columns.contains(String(piece[..<$0])) }
      let isExclusion = scalars[place] == "-" && index > place + 1
      if Self.operators[piece] != nil || isExclusion || isColumn == true {
        throw fault(.otherInNear(piece), place..<index)
      }
      if let operand = try expression(place..<index) { operands.append(operand) }
    }
    index += 1
    guard let first = operands.first else { throw fault(.emptyNear, start..<index) }
    add(.words(operands.count == 1 ? first : .near(operands, distance: distance)), from: start)
  }

  /// Reads the distance after a comma; the parenthesis is next.
  private mutating func readDistance() throws(TextQueryFault) -> Int {
    let comma = index
    while index < scalars.count, scalars[index] != ")" { index += 1 }
    guard index < scalars.count else { throw fault(.unclosedParenthesis, comma..<comma + 1) }
    let range = comma + 1..<index
    let digits = scalars[range].filter { !$0.properties.isWhitespace }
    let written = String(String.UnicodeScalarView(digits))
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let distance = Int(written),
      distance <= TextQueryParser.maximumDistance
    else {
      throw fault(.invalidDistance(written), range)
    }
    return distance
  }
}

extension TextQueryLexer {
  private static let operators: [String: TextQueryItem.Kind] = [
    "AND": .and, "OR": .or, "NOT": .not("NOT"),
  ]

  /// True for the straight quotation mark and for the marks that keyboards write in its place.
  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || ("\u{201c}"..."\u{201f}").contains(scalar) || scalar == "\u{ff02}"
  }

  private mutating func skipSpaces() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }

  /// True if the place has a character other than a space or a closing parenthesis.
  private func isOperand(at place: Int) -> Bool {
    place < scalars.count && !scalars[place].properties.isWhitespace && scalars[place] != ")"
  }

  private func endOfPiece(from start: Int) -> Int {
    var end = start
    while end < scalars.count {
      let scalar = scalars[end]
      if scalar == "(" || scalar == ")" || scalar.properties.isWhitespace { break }
      if Self.isQuote(scalar) || (isInNear && scalar == ",") { break }
      end += 1
    }
    return end
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[offsets[range.lowerBound]..<offsets[range.upperBound]], as: UTF8.self)
  }

  private mutating func add(_ kind: TextQueryItem.Kind, from start: Int) {
    items.append(TextQueryItem(kind: kind, place: offsets[start]..<offsets[index]))
  }

  private func fault(_ kind: TextQueryFault.Kind, _ range: Range<Int>) -> TextQueryFault {
    TextQueryFault(
      kind: kind,
      place: offsets[range.lowerBound]..<offsets[range.upperBound],
      characterOffset: text(0..<range.lowerBound).count
    )
  }
}
