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
    keywords.contains(name) || !isIdentifier(name) ? "`\(name)`" : name
  }

  /// Returns false for a name such as `first name`, which Swift takes in backticks only.
  private static func isIdentifier(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return scalars.allSatisfy(\.properties.isXIDContinue)
  }

  /// Returns the name of a type without its backticks.
  static func plain(_ name: String) -> String { name.filter { $0 != "`" } }

  /// Returns the qualified name of a type, with backticks where Swift needs them.
  static func escaped(qualified name: String) -> String {
    name.split(separator: ".").map { escaped(String($0)) }.joined(separator: ".")
  }

  /// Returns the name as an argument label.
  ///
  /// Only three words need backticks there.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) || !isIdentifier(name) ? "`\(name)`" : name
  }

  /// Names that mean something else in an extension of `Property` or `Box`: their parameters and the
  /// types that they declare.
  private static let namesOfGenerics: Set<String> = [
    "E", "V", "R", "EntityType", "ValueType", "ReferencedType",
  ]

  /// Returns the name of an entity in an extension of `Property` or `Box`.
  static func inGenerics(entity name: String) -> String {
    namesOfGenerics.contains(String(name.prefix { $0 != "." }))
      ? binding(of: name) + ".EntityType" : escaped(qualified: name)
  }

  /// Returns the name of an entity's binding; includes the outer names, since bindings are not nested.
  static func binding(of entity: String) -> String {
    escaped(entity.split(separator: ".").joined(separator: "_") + "Binding")
  }
}
