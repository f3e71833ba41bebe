internal import ObjectBoxGenerator

/// Makes unique names that other languages accept.
struct IdentifierNames {
  private var used: Set<String>

  /// Makes an empty set of names; the names in `reserved` are never given, and case does not count.
  init(reserved: [String] = []) {
    used = Set(reserved.map { $0.lowercased() })
  }

  /// Returns the name with `_` for everything but ASCII letters and digits; a number is appended if
  /// the result is taken.
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
