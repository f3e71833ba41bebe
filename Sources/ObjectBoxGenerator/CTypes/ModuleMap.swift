/// The headers in a module map.
enum ModuleMap {
  enum Part: Equatable {
    case header(String)
    case umbrellaFolder(String)
  }

  private enum Token: Equatable {
    case word(String)
    case text(String)
  }

  /// Returns the headers of all modules of a map, in their order, without `exclude` and `textual` ones,
  /// which are not parts of the module.
  static func parts(of map: String) -> [Part] {
    let tokens = tokens(of: map)
    var parts: [Part] = []
    for (place, token) in tokens.enumerated() {
      guard case .text(let text) = token, place > 0 else { continue }
      let before = place > 1 ? tokens[place - 2] : nil
      switch tokens[place - 1] {
      case .word("header") where before != .word("exclude") && before != .word("textual"):
        parts.append(.header(text))
      case .word("umbrella"): parts.append(.umbrellaFolder(text))
      default: break
      }
    }
    return parts
  }

  /// Returns the words and texts, without comments; signs count as words.
  private static func tokens(of map: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(map)
    while let first = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        let end = rest.firstRange(of: "*/")?.upperBound ?? rest.endIndex
        rest = rest[end...]
      } else if first == "\"" {
        let text = rest.dropFirst().prefix { $0 != "\"" }
        tokens.append(.text(String(text)))
        rest = rest[text.endIndex...].dropFirst()
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        tokens.append(.word(String(word)))
        rest = rest[word.endIndex...]
      } else {
        if !first.isWhitespace { tokens.append(.word(String(first))) }
        rest.removeFirst()
      }
    }
    return tokens
  }
}
