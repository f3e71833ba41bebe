internal import Foundation

/// A source without the content of the outermost `{ … }` that hold nothing needed.
///
/// Blanks take the place of what is left out, so positions stay the same.
struct NeededBlocks: Equatable, Sendable {
  /// The offsets between the braces that are left out, in ascending order.
  private let leftOut: [Range<Int>]

  /// Finds the blocks to leave out: neither they nor the code before them may declare or extend a needed type, or
  /// hold what makes a source matter by itself.
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

  /// Returns the text without the blocks to leave out; nil when it is the whole text.
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
