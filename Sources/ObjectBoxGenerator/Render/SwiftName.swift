/// Names as written in Swift.
enum SwiftName {
  /// Words that need backticks as the name of a member or variable.
  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "Type", "Protocol", "Any",
  ]

  /// Returns the name, with backticks where Swift needs them.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns the qualified name of a type, with backticks where Swift needs them.
  static func escaped(qualified name: String) -> String {
    name.split(separator: ".").map { escaped(String($0)) }.joined(separator: ".")
  }

  /// Returns the name as an argument label.
  ///
  /// Only three words need backticks there.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }
}
