/// Names and literals as Swift source writes them.
enum SwiftName {
  /// The words that need backticks as a name of a member or variable.
  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "Type", "Protocol", "Any",
  ]

  /// The name with backticks where Swift needs them.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The qualified name of a type with backticks where Swift needs them.
  static func escaped(qualified name: String) -> String {
    name.split(separator: ".").map { escaped(String($0)) }.joined(separator: ".")
  }

  /// The name as the label of an argument; few words are no label.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }
}
