internal import Foundation

/// Finds the top-level blocks `{ … }` of a source without parsing it.
///
/// Braces in comments and string literals do not count. There is no result when the search cannot
/// recognise all braces: after `#if`, a regular expression, an editor placeholder or braces that do
/// not match.
struct TopLevelBlocks {
  /// Ranges between the braces, in ascending order.
  private(set) var interiors: [Range<Int>] = []

  init?(in bytes: SourceBytes) {
    // For the C library, a zero byte ends the text.
    guard strlen(bytes.start) == bytes.count else { return nil }
    var offset = 0
    var depth = 0
    var start = 0
    while true {
      offset += strcspn(bytes.start + offset, Self.marks)
      switch bytes[offset] {
      case UInt8(ascii: "{"):
        depth += 1
        offset += 1
        if depth == 1 { start = offset }
      case UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { return nil }
        if depth == 0 { interiors.append(start..<offset) }
        offset += 1
      case 0:
        if depth > 0 { return nil }
        return
      default:
        guard let end = Self.endOfToken(bytes, at: offset) else { return nil }
        offset = end
      }
    }
  }

  /// First bytes of braces, and of tokens that may contain braces.
  private static let marks = "{}\"'`/#"
  /// First bytes of the tokens that matter in a string interpolation.
  private static let interpolationMarks = "()\"'`/#\n\r"

  /// Maximum depth of nested string literals; limits the use of the stack.
  private static let maximumDepth = 16

  /// Returns the offset after a token that begins with a mark other than a brace; nil when
  /// uncertain.
  static func endOfToken(_ bytes: SourceBytes, at offset: Int, depth: Int = 0) -> Int? {
    let next = bytes[offset + 1]
    switch bytes[offset] {
    case UInt8(ascii: "\""): return endOfString(bytes, at: offset, hashes: 0, depth: depth + 1)
    case UInt8(ascii: "/"):
      if next == UInt8(ascii: "/") { return offset + strcspn(bytes.start + offset, "\n\r") }
      if next == UInt8(ascii: "*") { return bytes.endOfComment(from: offset) }
      // A regular expression never begins with a blank.
      return next <= UInt8(ascii: " ") ? offset + 1 : nil
    case UInt8(ascii: "`"):
      let length = strcspn(bytes.start + offset + 1, "`\n\r")
      return bytes[offset + 1 + length] == UInt8(ascii: "`") ? offset + length + 2 : nil
    case UInt8(ascii: "#"):
      let count = strspn(bytes.start + offset, "#")
      switch bytes[offset + count] {
      case UInt8(ascii: "\""):
        return endOfString(bytes, at: offset + count, hashes: count, depth: depth + 1)
      case UInt8(ascii: "/"), UInt8(ascii: ">"): return nil
      default:
        let isUncertain =
          strncmp(bytes.start + offset, "#if", 3) == 0
          || offset > 0 && bytes[offset - 1] == UInt8(ascii: "<")
        return isUncertain ? nil : offset + count
      }
    default: return nil
    }
  }

  /// Returns the offset after a string literal and its hashes; nil when it does not end.
  private static func endOfString(
    _ bytes: SourceBytes,
    at start: Int,
    hashes: Int,
    depth: Int
  ) -> Int? {
    if depth > maximumDepth { return nil }
    let isLong = strncmp(bytes.start + start, "\"\"\"", 3) == 0
    let quotes = isLong ? 3 : 1
    var offset = start + quotes
    if isLong {
      offset += strspn(bytes.start + offset, " \t")
      // A literal of one line may begin with the same quotes.
      if !SourceBytes.isLineEnd(bytes[offset]) { return nil }
    }
    while true {
      offset += strcspn(bytes.start + offset, isLong ? "\"\\" : "\"\\\n\r")
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        let isEnd =
          (!isLong || strncmp(bytes.start + offset, "\"\"\"", 3) == 0)
          && strspn(bytes.start + offset + quotes, "#") >= hashes
        if isEnd { return offset + quotes + hashes }
        offset += 1
      case UInt8(ascii: "\\"):
        offset += 1
        // In a literal with hashes, a backslash without hashes is an ordinary character.
        guard strspn(bytes.start + offset, "#") >= hashes else { continue }
        offset += hashes
        if bytes[offset] == UInt8(ascii: "(") {
          guard let end = endOfInterpolation(bytes, at: offset, depth: depth) else { return nil }
          offset = end
        } else if !SourceBytes.isLineEnd(bytes[offset]), bytes[offset] != 0 {
          offset += 1
        }
      default: return nil
      }
    }
  }

  /// Returns the offset after an interpolation's parentheses; nil when it spans several lines.
  private static func endOfInterpolation(
    _ bytes: SourceBytes,
    at start: Int,
    depth: Int
  ) -> Int? {
    var offset = start
    var parentheses = 0
    while true {
      offset += strcspn(bytes.start + offset, interpolationMarks)
      switch bytes[offset] {
      case UInt8(ascii: "("):
        parentheses += 1
        offset += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        offset += 1
        if parentheses == 0 { return offset }
      case 0, UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
      default:
        guard let end = endOfToken(bytes, at: offset, depth: depth) else { return nil }
        offset = end
      }
    }
  }
}
