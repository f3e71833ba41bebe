/// Finds the identifiers in a text, such as `Array` and `Note` in `Array<Note>`.
enum Identifiers {
  static func of(_ text: String) -> [String] {
    SourceBytes.of(text) { of($0, in: 0..<$0.count) }
  }

  /// Returns the identifiers in a part of a source, also those in quotes and backticks.
  static func of(_ bytes: SourceBytes, in range: Range<Int>) -> [String] {
    var found: [String] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      var end = offset
      while end < range.upperBound, SourceBytes.isWord(bytes[end]) { end += 1 }
      if end > offset { found += names(bytes, offset..<end) }
      offset = end + 1
    }
    return found
  }

  private static func names(_ bytes: SourceBytes, _ range: Range<Int>) -> [String] {
    let raw = UnsafeRawBufferPointer(start: bytes.start + range.lowerBound, count: range.count)
    let name = String(decoding: raw, as: UTF8.self)
    if name.utf8.count == name.unicodeScalars.count { return [name] }
    // Some blanks and signs outside of ASCII end a name, so each part counts.
    let parts = name.unicodeScalars.split { !$0.properties.isXIDContinue }
    return [name] + parts.map { String($0) }.filter { $0 != name }
  }
}
