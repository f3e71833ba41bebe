extension String {
  /// Returns the text with each occurrence of a part replaced, compared by UTF-8 bytes.
  ///
  /// `replacing(_:with:)` compares characters: it misses a quote before a combining mark or after
  /// U+0600, since the two are one character.
  ///
  /// - Parameters:
  ///   - part: The part to replace; an empty part never occurs.
  ///   - other: The replacement.
  /// - Returns: The changed text.
  /// - Complexity: O(*n* · *m*) for a text of *n* bytes and a part of *m* bytes.
  package func replacingBytes(of part: String, with other: String) -> String {
    let part = Array(part.utf8)
    guard let first = part.first, utf8.contains(first) else { return self }
    let bytes = Array(utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + other.utf8.count)
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == first, bytes[offset...].starts(with: part) {
        result += other.utf8
        offset += part.count
      } else {
        result.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
