/// A Swift type as declared, in one spelling, with its optionality apart.
struct DeclaredType: Hashable {
  /// Without optionality, blanks and the modules Swift and Foundation; arrays in brackets.
  var name: String
  var isOptional: Bool

  init(name: String, isOptional: Bool) {
    self.name = name
    self.isOptional = isOptional
  }

  /// Reads a type as written, such as `Swift.Optional<Array<UInt8>>`.
  init(_ text: String) {
    var name = String(text.filter { !$0.isWhitespace })
    var isOptional = false
    while true {
      if name.hasSuffix("?") || name.hasSuffix("!") {
        name.removeLast()
      } else if let inner = Self.argument(of: "Optional", in: name)
        ?? Self.argument(of: "ImplicitlyUnwrappedOptional", in: name)
      {
        name = inner
      } else if name.hasPrefix("("), name.hasSuffix(")"), !name.contains(",") {
        name = String(name.dropFirst().dropLast())
        continue
      } else {
        break
      }
      isOptional = true
    }
    for module in ["Swift.", "Foundation.", "ObjectBox."] where name.hasPrefix(module) {
      name.removeFirst(module.count)
    }
    if let element = Self.argument(of: "Array", in: name) { name = "[\(element)]" }
    self.name = name
    self.isOptional = isOptional
  }

  /// The type as Swift writes it.
  var text: String { isOptional ? name + "?" : name }

  /// Returns X of `Name<X>`; nil for other types.
  static func argument(of generic: String, in name: String) -> String? {
    for prefix in [generic + "<", "Swift." + generic + "<", "ObjectBox." + generic + "<"]
    where name.hasPrefix(prefix) && name.hasSuffix(">") {
      return String(name.dropFirst(prefix.count).dropLast())
    }
    return nil
  }
}
