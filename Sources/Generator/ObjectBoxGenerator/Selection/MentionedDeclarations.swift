/// The names of types that a source may declare or extend.
///
/// The search does not parse: words in comments and strings count too. It may find too many names,
/// but never too few.
struct MentionedDeclarations: Sendable {
  /// Names of classes, structs, enums, typealiases, protocols and actors.
  var declared: Set<String> = []
  /// All parts of the names of extended types and of the types that typealiases name.
  var extended: Set<String> = []

  private static let keywords = ["class", "struct", "enum", "typealias", "protocol", "actor"]

  init(in text: String) {
    SourceBytes.of(text) { bytes in
      Self.forEach(in: bytes) { kind, _, names in
        switch kind {
        case .declared: declared.formUnion(names)
        case .extended: extended.formUnion(names)
        }
      }
    }
  }

  /// Returns the offset after each keyword whose declaration may be needed.
  static func offsets(of needed: NeededNames, in bytes: SourceBytes) -> [Int] {
    var offsets: [Int] = []
    forEach(in: bytes) { kind, offset, names in
      let wanted = kind == .declared ? needed.declared : needed.extended
      if names.contains(where: wanted.contains) { offsets.append(offset) }
    }
    return offsets
  }

  private enum Kind {
    case declared, extended
  }

  /// Calls a closure with the names after each keyword, and the offset at which the keyword ends.
  private static func forEach(in bytes: SourceBytes, _ body: (Kind, Int, [String]) -> Void) {
    for keyword in keywords {
      for end in bytes.ends(ofWord: keyword) {
        body(.declared, end, declaredNames(bytes, from: end))
      }
    }
    for end in bytes.ends(ofWord: "extension") {
      body(.extended, end, extendedNames(bytes, from: end))
    }
    for end in bytes.ends(ofWord: "typealias") {
      body(.extended, end, aliasedNames(bytes, from: end))
    }
  }

  /// Returns the name after a keyword; if no name follows, all names of the line.
  private static func declaredNames(_ bytes: SourceBytes, from offset: Int) -> [String] {
    let start = skipTrivia(bytes, from: offset)
    guard SourceBytes.isWord(bytes[start]) else {
      return Identifiers.of(bytes, in: start..<endOfLine(bytes, from: start))
    }
    var end = start
    while SourceBytes.isWord(bytes[end]) { end += 1 }
    return Identifiers.of(bytes, in: start..<end)
  }

  /// Returns the names before the inherited types or the body.
  private static func extendedNames(_ bytes: SourceBytes, from offset: Int) -> [String] {
    var names: [String] = []
    var offset = skipTrivia(bytes, from: offset)
    while offset < bytes.count {
      var end = offset + 1
      switch bytes[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: ";"): return names
      case UInt8(ascii: "`"):
        while end < bytes.count, bytes[end] != UInt8(ascii: "`") { end += 1 }
        names += Identifiers.of(bytes, in: offset..<end)
        end += 1
      case let byte where SourceBytes.isWord(byte):
        while SourceBytes.isWord(bytes[end]) { end += 1 }
        names += Identifiers.of(bytes, in: offset..<end)
      default: break
      }
      offset = skipTrivia(bytes, from: end)
    }
    return names
  }

  /// Returns the names on the line on which a typealias's type begins.
  private static func aliasedNames(_ bytes: SourceBytes, from offset: Int) -> [String] {
    var start = skipTrivia(bytes, from: offset)
    while start < bytes.count, bytes[start] != UInt8(ascii: "=") {
      start = skipTrivia(bytes, from: start + 1)
    }
    start = skipTrivia(bytes, from: min(start + 1, bytes.count))
    return Identifiers.of(bytes, in: start..<endOfLine(bytes, from: start))
  }

  private static func endOfLine(_ bytes: SourceBytes, from start: Int) -> Int {
    var end = start
    while end < bytes.count, !SourceBytes.isLineEnd(bytes[end]) { end += 1 }
    return end
  }

  /// Returns the first offset that is neither blank nor in a comment.
  private static func skipTrivia(_ bytes: SourceBytes, from start: Int) -> Int {
    var offset = start
    while offset < bytes.count {
      switch (bytes[offset], bytes[offset + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "/")):
        while offset < bytes.count, !SourceBytes.isLineEnd(bytes[offset]) { offset += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): offset = bytes.endOfComment(from: offset)
      case (0...UInt8(ascii: " "), _): offset += 1
      default: return offset
      }
    }
    return min(offset, bytes.count)
  }
}
