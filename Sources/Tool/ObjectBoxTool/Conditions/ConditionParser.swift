internal import ObjectBox

/// Parses conditions, such as `born < 1990-01-01 && name startsWith "A"`.
///
/// It uses the words of the plans of `explain`, so that a plan's conditions can be parsed. `&&` and `||` may be
/// written as `and` and `or`, ignoring case. `&&` binds more tightly than `||`.
package struct ConditionParser {
  /// The greatest depth of parentheses; deeper nesting would overflow the stack.
  private static let greatestDepth = 100

  private let source: String
  private let tokens: [ConditionToken]
  private var position = 0
  private var depth = 0

  private init(_ source: String) throws(ConditionFault) {
    self.source = source
    tokens = try ConditionTokens(source).all
  }

  /// Parses a condition.
  ///
  /// - Parameter source: The text.
  /// - Returns: The condition; nil for blank text.
  /// - Throws: ``ConditionFault`` with the position.
  package static func parse(_ source: String) throws(ConditionFault) -> ConditionNode? {
    var parser = try Self(source)
    if parser.next.kind == .end { return nil }
    let node = try parser.disjunction()
    guard parser.next.kind == .end else {
      throw parser.fault("the condition ends before this; join conditions with '&&' or '||'")
    }
    return node
  }

  // MARK: Tokens

  private var next: ConditionToken { tokens[position] }

  private func fault(_ text: String) -> ConditionFault {
    ConditionFault(next.kind == .end ? text + "; the text ends here" : text, source, next.range)
  }

  private mutating func take() -> ConditionToken {
    defer { if position < tokens.count - 1 { position += 1 } }
    return tokens[position]
  }

  private mutating func takes(symbol: String) -> Bool {
    guard next.kind == .symbol, next.text == symbol else { return false }
    _ = take()
    return true
  }

  /// Consumes words of the language, all or none.
  private mutating func takes(_ words: String...) -> Bool {
    for (offset, word) in words.enumerated() {
      let index = position + offset
      guard index < tokens.count, tokens[index].kind == .word,
        tokens[index].text.lowercased() == word
      else { return false }
    }
    position += words.count
    return true
  }

  private mutating func expect(_ symbol: String, _ reason: String) throws(ConditionFault) {
    guard takes(symbol: symbol) else { throw fault("'\(symbol)' is expected here, \(reason)") }
  }

  // MARK: Conditions

  private mutating func disjunction() throws(ConditionFault) -> ConditionNode {
    var parts = [try conjunction()]
    while takes(symbol: "||") || takes("or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(ConditionFault) -> ConditionNode {
    var parts = [try primary()]
    while takes(symbol: "&&") || takes("and") { parts.append(try primary()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func primary() throws(ConditionFault) -> ConditionNode {
    let opening = next
    guard takes(symbol: "(") else { return try predicate() }
    return try nested(opening)
  }

  /// Parses a condition up to its closing parenthesis.
  private mutating func nested(_ opening: ConditionToken) throws(ConditionFault) -> ConditionNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.greatestDepth else {
      throw ConditionFault(
        "there are more than \(Self.greatestDepth) parentheses in each other",
        source,
        opening.range
      )
    }
    let node = try disjunction()
    try expect(")", "to close the parenthesis")
    return node
  }

  private mutating func predicate() throws(ConditionFault) -> ConditionNode {
    let path = try path()
    let opening = next
    if takes(symbol: "(") {
      let inner = takes(symbol: ")") ? nil : try nested(opening)
      if let inner, !takes(symbol: ".") { return .link(path, inner) }
      return try aggregate(path, inner)
    }
    let (operation, values) = try operation(path)
    let ignoresCase = try ignoresCase()
    return .comparison(
      ConditionNode.Comparison(
        path: path,
        operation: operation,
        values: values,
        ignoresCase: ignoresCase,
        range: path.range.lowerBound..<tokens[position - 1].range.upperBound
      )
    )
  }

  /// Parses the comparison after a relation with parentheses, such as `.count > 3` and
  /// `.sum(stars) > 10`.
  private mutating func aggregate(
    _ path: ConditionNode.Path,
    _ inner: ConditionNode?
  ) throws(ConditionFault) -> ConditionNode {
    // A point after a condition has been consumed already.
    if inner == nil { try expect(".", "as in '().count > 3'") }
    let functions: [LinkAggregate.Function] = [.count, .sum, .average, .min, .max]
    var taken: LinkAggregate.Function?
    for function in functions where taken == nil && takes(function.rawValue) { taken = function }
    guard let function = taken else {
      throw fault(
        "'count', 'sum', 'average', 'min' or 'max' is expected here, as in '.count > 3' or '.sum(stars) > 10'"
      )
    }
    var property: ConditionNode.Word?
    if function != .count {
      try expect("(", "and the name of a property, as in '.\(function.rawValue)(stars)'")
      let name = try self.path()
      guard name.names.count == 1 else {
        throw ConditionFault(
          "one property of the related objects is expected here; write the relation before '(…)'",
          source,
          name.range
        )
      }
      property = name.names[0]
      try expect(")", "behind the name of the property")
    }
    let start = next.range.lowerBound
    let (operation, values) = try operation(path)
    let comparison = ConditionNode.Comparison(
      path: path,
      operation: operation,
      values: values,
      ignoresCase: false,
      range: start..<tokens[position - 1].range.upperBound
    )
    return .aggregate(
      path,
      inner,
      ConditionNode.Aggregate(function: function, property: property, comparison: comparison)
    )
  }

  private mutating func path() throws(ConditionFault) -> ConditionNode.Path {
    var names: [ConditionNode.Word] = []
    repeat {
      guard next.kind == .word || next.kind == .quotedName else {
        throw fault("the name of a property is expected here")
      }
      let token = take()
      names.append(ConditionNode.Word(text: token.text, range: token.range))
    } while takes(symbol: ".")
    return ConditionNode.Path(names: names)
  }

  private mutating func ignoresCase() throws(ConditionFault) -> Bool {
    if takes("ignoring", "case") { return true }
    guard next.kind == .symbol, next.text == "(", position + 1 < tokens.count,
      tokens[position + 1].text.lowercased() == "ignoring"
    else { return false }
    _ = take()
    guard takes("ignoring", "case") else { throw fault("'ignoring case' is expected here") }
    try expect(")", "after 'ignoring case'")
    return true
  }

  // MARK: Comparisons

  private mutating func operation(
    _ path: ConditionNode.Path
  ) throws(ConditionFault) -> (ConditionNode.Operation, [ConditionNode.Value]) {
    let symbols: [(String, ConditionNode.Operation)] = [
      ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
      ("<", .less), (">", .greater),
    ]
    for (symbol, operation) in symbols where takes(symbol: symbol) {
      return try compared(operation, try value())
    }
    if takes("is", "not", "null") || takes("is", "not", "nil") { return (.isNotNull, []) }
    if takes("is", "null") || takes("is", "nil") { return (.isNull, []) }
    if takes("is", "nearest", "to") { return try nearest() }
    if takes("between") {
      let first = try value()
      guard takes("and") || takes(symbol: "&&") else {
        throw fault("'and' is expected here, as in 'between 1 and 5'")
      }
      return (.between, [first, try value()])
    }
    if takes("not", "in") { return (.isNotIn, try list()) }
    if takes("in") { return (.isIn, try list()) }
    if takes("starts", "with") || takes("startswith") { return (.startsWith, [try value()]) }
    if takes("ends", "with") || takes("endswith") { return (.endsWith, [try value()]) }
    if takes("contains", "element") || takes("contains") { return (.contains, [try value()]) }
    if takes("matches") { return (.matches, [try value()]) }
    let name = path.names.last?.text ?? ""
    throw fault(
      "a comparison is expected here, such as '\(name) == …': ==, !=, <, <=, >, >=, between … and …, in […], "
        + "not in […], startsWith, endsWith, contains, matches, is null, is not null, is nearest to […] at most …"
    )
  }

  private func compared(
    _ operation: ConditionNode.Operation,
    _ value: ConditionNode.Value
  ) throws(ConditionFault) -> (ConditionNode.Operation, [ConditionNode.Value]) {
    guard value.content == .null else { return (operation, [value]) }
    switch operation {
    case .equal: return (.isNull, [])
    case .notEqual: return (.isNotNull, [])
    default:
      throw ConditionFault(
        "null is neither less nor greater than anything; write 'is null'",
        source,
        value.range
      )
    }
  }

  private mutating func nearest() throws(ConditionFault) -> (
    ConditionNode.Operation, [ConditionNode.Value]
  ) {
    let start = next.range.lowerBound
    let numbers = try list()
    let vector = ConditionNode.Value(
      content: .list(numbers),
      range: start..<tokens[position - 1].range.upperBound
    )
    _ = takes(symbol: ",")
    guard takes("at", "most") else {
      throw fault("'at most' and the number of neighbours are expected here")
    }
    return (.isNearest, [vector, try value()])
  }

  private mutating func list() throws(ConditionFault) -> [ConditionNode.Value] {
    try expect("[", "to begin a list, such as [1, 2]")
    var values: [ConditionNode.Value] = []
    if takes(symbol: "]") { return values }
    repeat { values.append(try value()) } while takes(symbol: ",")
    try expect("]", "or a comma")
    return values
  }

  private mutating func value() throws(ConditionFault) -> ConditionNode.Value {
    let token = next
    let content: ConditionNode.Value.Content
    switch (token.kind, token.text.lowercased()) {
    case (.literal, _): content = .literal(token.text)
    case (.text, _): content = .text(token.text)
    case (.word, "true"): content = .boolean(true)
    case (.word, "false"): content = .boolean(false)
    case (.word, "null"), (.word, "nil"): content = .null
    case (.word, "nan"), (.word, "infinity"), (.word, "inf"): content = .literal(token.text)
    case (.word, _):
      throw fault("a value is expected here; write texts in quotes, such as \"\(token.text)\"")
    default:
      throw fault("a value is expected here: a number, a date, true, false, or a text in quotes")
    }
    _ = take()
    return ConditionNode.Value(content: content, range: token.range)
  }
}
