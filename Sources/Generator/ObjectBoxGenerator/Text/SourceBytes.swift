internal import Foundation

/// The bytes of a source, for searches that are fast in unoptimised builds too.
///
/// A zero byte follows the last byte. The pointer comes from `withCString`: the value must not
/// leave the closure that receives it.
package struct SourceBytes {
  let start: UnsafePointer<CChar>
  let count: Int

  /// Calls a closure with the bytes of a text; native strings are not copied.
  package static func of<Result>(_ text: String, _ body: (SourceBytes) -> Result) -> Result {
    text.withCString { body(SourceBytes(start: $0, count: text.utf8.count)) }
  }

  /// The byte at an offset; 0 at the end.
  subscript(offset: Int) -> UInt8 { UInt8(bitPattern: start[offset]) }

  /// Returns the offset of a text's first occurrence; nil when there is none.
  package func first(_ wanted: String, from offset: Int = 0) -> Int? {
    wanted.withCString { wanted in
      var offset = offset
      while offset < count {
        if let found = strstr(start + offset, wanted) { return UnsafePointer(found) - start }
        // The C library stops at a zero byte, so the search goes on after it.
        offset += strlen(start + offset) + 1
      }
      return nil
    }
  }

  /// Returns the offset of each occurrence of a text.
  package func offsets(of wanted: String) -> [Int] {
    var offsets: [Int] = []
    while let found = first(wanted, from: offsets.last.map { $0 + 1 } ?? 0) {
      offsets.append(found)
    }
    return offsets
  }

  /// Returns the offset after each occurrence of a word with no ASCII letter, digit or `_` next to
  /// it.
  ///
  /// Letters outside of ASCII are not recognised, so there may be too many results.
  func ends(ofWord word: String) -> [Int] {
    var ends: [Int] = []
    var offset = 0
    while let found = first(word, from: offset) {
      let end = found + word.utf8.count
      let isWord =
        (found == 0 || !Self.isASCIIWord(self[found - 1])) && !Self.isASCIIWord(self[end])
      if isWord { ends.append(end) }
      offset = end
    }
    return ends
  }

  package static func isASCIIWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// True for bytes of identifiers, which may contain letters outside of ASCII.
  package static func isWord(_ byte: UInt8) -> Bool { byte >= 0x80 || isASCIIWord(byte) }

  /// Returns the offset after a block comment, which may contain others.
  func endOfComment(from start: Int) -> Int {
    var depth = 0
    var offset = start
    while offset < count {
      switch (self[offset], self[offset + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        offset += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        offset += 2
        if depth == 0 { return offset }
      default: offset += 1
      }
    }
    return offset
  }

  static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
