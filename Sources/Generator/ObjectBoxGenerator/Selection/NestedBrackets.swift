internal import Foundation

/// Finds types and literals that SwiftParser cannot parse: its time doubles with each further `[` after `[`,
/// and hundreds of types as arguments of each other end the process.
package enum NestedBrackets {
  /// Maximum number of `[` that follow each other.
  private static let maximumRun = 16
  /// Maximum number of nested brackets, each after the name in the previous one.
  package static let maximumDepth = 200

  /// Returns the offset of the first bracket beyond a limit; nil when there is none, or when comments and
  /// literals cannot be distinguished from code.
  package static func firstTooDeep(in bytes: SourceBytes) -> Int? {
    // Nearly all sources end here.
    let run = String(repeating: "[", count: maximumRun + 1)
    guard bytes.first(run) != nil || bytes.offsets(of: "<").count > maximumDepth else { return nil }
    var offset = 0
    var squares = 0
    var depth = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      let isSquare = byte == UInt8(ascii: "[")
      squares = isSquare ? squares + 1 : 0
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "<") where offset > 0 && SourceBytes.isWord(bytes[offset - 1]): depth += 1
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "/"), UInt8(ascii: "#"):
        guard let end = TopLevelBlocks.endOfToken(bytes, at: offset) else { return nil }
        offset = end
        depth = 0
        continue
      case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
        UInt8(ascii: "\r"):
        break
      default: if !SourceBytes.isWord(byte) { depth = 0 }
      }
      if squares > maximumRun || depth > maximumDepth { return offset }
      offset += 1
    }
    return nil
  }
}

extension DiagnosticMessage {
  package static let nestedTooDeep: Self =
    "brackets are nested too deep to be read; give the inner types or values names of their own"
}
