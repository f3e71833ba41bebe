/// Makes unique names that other languages accept.
struct IdentifierNames {
  private var used: Set<String>

  /// The names in `reserved` are never given; case does not count.
  init(reserved: [String] = []) {
    used = Set(reserved.map { $0.lowercased() })
  }

  /// Returns the name with everything but ASCII letters, digits and `_` replaced, and a number behind it
  /// when it is taken.
  mutating func identifier(for name: String) -> String {
    var text = ""
    for character in name {
      let isAllowed = character.isASCII && (character.isLetter || character.isNumber)
      text.append(isAllowed ? character : "_")
    }
    if text.first?.isNumber ?? true { text = "_" + text }
    var candidate = text
    var count = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(text)_\(count)"
      count += 1
    }
    return candidate
  }
}
