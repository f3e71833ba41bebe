/// Reads the headers of a module map.
enum ModuleMap {
  enum Part: Equatable {
    case header(String)
    case umbrellaFolder(String)
  }

  private enum Token: Equatable {
    case word(String)
    case text(String)
  }

  /// Returns the headers of all modules of a map, in order, without `exclude` and `textual`
  /// headers, which are not part of the module.
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

  /// Returns the words and quoted texts, without comments.
  ///
  /// A sign is a word.
  private static func tokens(of map: String) -> [Token] {
    var tokens: [Token] = []
    // By scalars: a quote with a combining mark after it is another character.
    var rest = map.unicodeScalars[...]
    while let first = rest.first {
      if rest.starts(with: "//".unicodeScalars) {
        rest = rest.drop { !Character($0).isNewline }
      } else if rest.starts(with: "/*".unicodeScalars) {
        let end = rest.firstRange(of: "*/".unicodeScalars)?.upperBound ?? rest.endIndex
        rest = rest[end...]
      } else if first == "\"" {
        let text = rest.dropFirst().prefix { $0 != "\"" }
        tokens.append(.text(String(text)))
        rest = rest[text.endIndex...].dropFirst()
      } else if isPartOfWord(first), first != ".", first.properties.numericType == nil {
        let word = rest.prefix(while: isPartOfWord)
        tokens.append(.word(String(word)))
        rest = rest[word.endIndex...]
      } else {
        if !first.properties.isWhitespace { tokens.append(.word(String(first))) }
        rest.removeFirst()
      }
    }
    return tokens
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "." || scalar.properties.isXIDContinue
  }
}
