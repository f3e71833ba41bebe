/// Parses Mustache templates.
struct MustacheParser {
  /// A section that is open.
  private struct Open {
    var name: String
    var isInverted: Bool
    var position: SourcePosition
    var nodes: [MustacheTemplate.Node]
  }

  /// Maximum depth of nested sections: rendering uses the stack for each.
  private static let maximumDepth = 100

  private let name: String
  private let characters: [Character]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var opener = Array("{{")
  private var closer = Array("}}")
  private var open: [Open] = []
  private var nodes: [MustacheTemplate.Node] = []

  init(_ text: String, name: String) {
    self.name = name
    // "\r\n" is one Character.
    characters = Array(text)
  }

  mutating func parse() throws(MustacheError) -> [MustacheTemplate.Node] {
    var text = ""
    while offset < characters.count {
      guard isAt(opener, offset) else {
        text.append(characters[offset])
        offset += 1
        if characters[offset - 1].isNewline { beginLine(at: offset) }
        continue
      }
      try parseTag(after: &text)
    }
    append(.text(text))
    if let unclosed = open.last {
      throw MustacheError("section '\(unclosed.name)' is not closed", at: unclosed.position)
    }
    return nodes
  }

  private mutating func beginLine(at start: Int) {
    line += 1
    lineStart = start
  }

  private func isAt(_ word: [Character], _ place: Int) -> Bool {
    place + word.count <= characters.count
      && zip(characters[place...], word).allSatisfy { $0 == $1 }
  }

  private mutating func append(_ node: MustacheTemplate.Node) {
    if case .text(let text) = node, text.isEmpty { return }
    nodes.append(node)
  }

  private mutating func parseTag(after text: inout String) throws(MustacheError) {
    let start = offset
    let bytes = characters[lineStart..<start].reduce(0) { $0 + $1.utf8.count }
    let position = SourcePosition(path: name, line: line, column: bytes + 1)
    var inside = offset + opener.count
    let isTriple = opener == Array("{{") && inside < characters.count && characters[inside] == "{"
    let end = isTriple ? Array("}}}") : closer
    if isTriple { inside += 1 }
    var close = inside
    while !isAt(end, close) {
      guard close < characters.count else {
        throw MustacheError("a tag is not closed", at: position)
      }
      close += 1
      if characters[close - 1].isNewline { beginLine(at: close) }
    }
    var content = String(characters[inside..<close])
    offset = close + end.count
    let kind = isTriple ? "{" : content.first.map(String.init) ?? ""
    let isStandaloneKind = ["#", "^", "/", ">", "!", "="].contains(kind)
    if isStandaloneKind || kind == "&" { content.removeFirst() }
    content = content.trimmed(where: \.isWhitespace)
    let indentation = isStandaloneKind ? standaloneIndentation(from: start) : nil
    if indentation != nil {
      while let last = text.last, last == " " || last == "\t" { text.removeLast() }
      skipLineEnd()
    }
    append(.text(text))
    text = ""
    try addTag(kind, content, indentation: indentation ?? "", at: position)
  }

  private mutating func addTag(
    _ kind: String,
    _ content: String,
    indentation: String,
    at position: SourcePosition
  ) throws(MustacheError) {
    guard !content.isEmpty || kind == "!" else {
      throw MustacheError("a tag has no name", at: position)
    }
    switch kind {
    case "!": break
    case "#", "^":
      guard open.count < Self.maximumDepth else {
        throw MustacheError("sections are nested deeper than \(Self.maximumDepth)", at: position)
      }
      open.append(Open(name: content, isInverted: kind == "^", position: position, nodes: nodes))
      nodes = []
    case "/":
      guard let section = open.popLast() else {
        throw MustacheError("section '\(content)' is closed and was not opened", at: position)
      }
      guard section.name == content else {
        throw MustacheError(
          "section '\(section.name)' of line \(section.position.line) is closed as '\(content)'",
          at: position
        )
      }
      let children = nodes
      nodes = section.nodes
      nodes.append(
        .section(
          name: content,
          isInverted: section.isInverted,
          children: children,
          at: section.position
        )
      )
    case ">": nodes.append(.partial(name: content, indentation: indentation, at: position))
    case "=": try setDelimiters(content, at: position)
    default: nodes.append(.variable(name: content, at: position))
    }
  }

  private mutating func setDelimiters(
    _ content: String,
    at position: SourcePosition
  ) throws(MustacheError) {
    let words = content.dropLast(content.hasSuffix("=") ? 1 : 0)
      .split(whereSeparator: \.isWhitespace)
    guard content.hasSuffix("="), words.count == 2, !words.joined().contains("=") else {
      throw MustacheError("delimiters are set with {{=<% %>=}}", at: position)
    }
    opener = Array(words[0])
    closer = Array(words[1])
  }

  // MARK: Tags alone on a line

  /// Returns the blanks before a tag that is alone on its line; nil for other tags.
  private func standaloneIndentation(from start: Int) -> String? {
    var place = start
    while place > 0, !characters[place - 1].isNewline {
      guard characters[place - 1].isBlank else { return nil }
      place -= 1
    }
    let indentation = String(characters[place..<start])
    place = offset
    while place < characters.count, !characters[place].isNewline {
      guard characters[place].isBlank else { return nil }
      place += 1
    }
    return indentation
  }

  private mutating func skipLineEnd() {
    while offset < characters.count, !characters[offset].isNewline { offset += 1 }
    if offset < characters.count {
      offset += 1
      beginLine(at: offset)
    }
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
