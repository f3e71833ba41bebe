/// A declared Swift type in a normalised spelling, with its optionality apart.
struct DeclaredType: Hashable {
  /// The name without optionality, extra blanks and the modules of known types; arrays are in
  /// brackets.
  var name: String
  var isOptional: Bool
  /// True for an optional of an optional.
  var isNestedOptional = false
  /// The module of a known type that is written with it.
  var module: String?

  init(name: String, isOptional: Bool) {
    self.name = name
    self.isOptional = isOptional
  }

  /// Reads a type as written, such as `Swift.Optional<Array<UInt8>>`.
  init(_ text: String) {
    var name = Self.withoutBlanks(text)
    var optionals = 0
    while true {
      if name.hasSuffix("?") || name.hasSuffix("!") {
        name.removeLast()
        optionals += 1
      } else if let inner = Self.argument(of: "Optional", in: name)
        ?? Self.argument(of: "ImplicitlyUnwrappedOptional", in: name)
      {
        name = inner
        optionals += 1
      } else if let inner = Self.content(of: name, "(", ")"), !inner.isEmpty,
        !inner.contains(",")
      {
        name = inner
      } else {
        break
      }
    }
    for module in ["Swift", "Foundation", "ObjectBox"] where name.hasPrefix(module + ".") {
      name.removeFirst(module.count + 1)
      self.module = module
    }
    if let element = Self.argument(of: "Array", in: name) ?? Self.content(of: name, "[", "]"),
      !element.contains(":")
    {
      name = "[\(DeclaredType(element).text)]"
    }
    self.name = name
    isOptional = optionals > 0
    isNestedOptional = optionals > 1
  }

  /// The type as Swift writes it.
  var text: String { isOptional ? name + "?" : name }

  /// The element type of an array; nil for other types.
  var element: DeclaredType? {
    guard let inner = Self.content(of: name, "[", "]"), !inner.contains(":") else { return nil }
    return DeclaredType(inner)
  }

  /// Returns X of `Name<X>`; nil for other types.
  static func argument(of generic: String, in name: String) -> String? {
    for prefix in [generic + "<", "Swift." + generic + "<", "ObjectBox." + generic + "<"]
    where name.hasPrefix(prefix) && name.hasSuffix(">") {
      return String(name.dropFirst(prefix.count).dropLast())
    }
    return nil
  }

  /// Returns the text within the brackets around the whole text; nil for other texts.
  private static func content(of text: String, _ open: Character, _ close: Character) -> String? {
    guard text.first == open, text.last == close, text.count >= 2 else { return nil }
    var depth = 0
    for (place, character) in text.enumerated() {
      if character == open { depth += 1 }
      if character == close { depth -= 1 }
      // The first bracket closes before the end, as in `(A) -> (B)`.
      if depth == 0, place < text.count - 1 { return nil }
    }
    return String(text.dropFirst().dropLast())
  }

  /// Returns the text with blanks only between words, as in `any Sequence`, and around arrows.
  private static func withoutBlanks(_ text: String) -> String {
    var result = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = result.last, let first = word.first, isPartOfName(last), isPartOfName(first) {
        result += " "
      }
      result += word
    }
    return result.replacing("->", with: " -> ")
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "`"
  }
}
