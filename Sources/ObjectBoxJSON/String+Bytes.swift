extension String {
  /// Returns the text with another one in place of each occurrence of a part, compared by its UTF-8.
  ///
  /// `replacing(_:with:)` compares characters. It passes over a quote before a combining mark, or behind U+0600, since
  /// the two are one character.
  ///
  /// - Parameters:
  ///   - part: The part; an empty one occurs nowhere.
  ///   - other: The text to put in its place.
  /// - Returns: The changed text.
  /// - Complexity: O(*n* · *m*) for a text of *n* bytes and a part of *m*.
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
