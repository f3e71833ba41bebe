internal import Foundation

/// Selects the top-level blocks `{ … }` of a source that must be parsed.
///
/// The content of other blocks is replaced by blanks, so positions stay the same.
struct NeededBlocks: Equatable, Sendable {
  /// Ranges of the omitted content between braces, in ascending order.
  private let leftOut: [Range<Int>]

  /// Finds the blocks that can be omitted.
  ///
  /// Neither these blocks nor the code before them may declare or extend a needed type, or contain
  /// one of the ``SourceMarks``.
  init(of text: String, for needed: NeededNames, annotationPrefix: String) {
    leftOut = SourceBytes.of(text) { bytes in
      guard let marks = SourceMarks.offsets(in: bytes, annotationPrefix),
        let blocks = TopLevelBlocks(in: bytes)
      else { return [] }
      let mentions = MentionedDeclarations.offsets(of: needed, in: bytes)
      var offsets = (marks + mentions).sorted()[...]
      return blocks.interiors.filter { interior in
        let holdsNeeded = (offsets.first ?? .max) <= interior.upperBound
        offsets = offsets.drop { $0 <= interior.upperBound }
        return !holdsNeeded
      }
    }
  }

  /// Returns the text without the omitted blocks; nil when nothing is omitted.
  func pruned(_ text: String) -> String? {
    if leftOut.isEmpty { return nil }
    return String(unsafeUninitializedCapacity: text.utf8.count) { memory in
      SourceBytes.of(text) { bytes in
        guard let start = memory.baseAddress else { return 0 }
        memcpy(start, bytes.start, bytes.count)
        for range in leftOut {
          memset(start + range.lowerBound, Int32(UInt8(ascii: " ")), range.count)
        }
        return bytes.count
      }
    }
  }
}
