/// Finds the annotation comments that belong to a declaration.
///
/// They stand in the comment lines directly above it, with attributes between them allowed, and in
/// block comments before it on its own line. A blank line or a line of code ends the search.
/// Comments behind a declaration do not count.
struct AnnotationScanner {
  /// The text behind `objectbox:`, as a range of the source.
  struct Found: Equatable {
    var range: Range<Int>
  }

  let source: SourceText
  /// The word before the colon.
  let prefix: String

  /// Returns the annotations of a declaration, from top to bottom.
  ///
  /// `start` is the offset of its first attribute or modifier, `keyword` that of `var`, `class` and
  /// so on.
  func annotations(start: Int, keyword: Int) -> [Found] {
    let firstLine = source.line(at: start)
    let keywordLine = source.line(at: keyword)
    var above: [Found] = []
    var line = keywordLine - 1
    while line >= 0 {
      let isInside = line >= firstLine
      if !isInside && hasCode(before: start) { break }
      let range = source.trimmed(source.range(ofLine: line))
      guard isComment(range) else {
        // Attributes on lines of their own do not end the search.
        if isInside {
          line -= 1
          continue
        }
        break
      }
      if let found = annotation(inCommentAt: range.lowerBound, end: range.upperBound) {
        above.append(found)
      }
      line -= 1
    }
    return above.reversed() + inline(before: keyword, onLine: keywordLine)
      + (firstLine < keywordLine ? inline(before: start, onLine: firstLine) : [])
  }

  /// Returns whether a line is a comment, and nothing but comments.
  private func isComment(_ range: Range<Int>) -> Bool {
    if source.hasPrefix("//", at: range.lowerBound, before: range.upperBound) { return true }
    guard
      source.hasPrefix("/*", at: range.lowerBound, before: range.upperBound)
        || source.hasPrefix("*", at: range.lowerBound, before: range.upperBound)
    else { return false }
    // Code behind the end of a block comment belongs to the declaration of that line.
    let close = range.first { source.hasPrefix("*/", at: $0, before: range.upperBound) }
    guard let close else { return true }
    let rest = source.trimmed(close + 2..<range.upperBound)
    return rest.isEmpty || isComment(rest)
  }

  /// Returns the annotations in block comments on a line before an offset.
  private func inline(before end: Int, onLine line: Int) -> [Found] {
    blockComments(in: source.range(ofLine: line).lowerBound..<end).compactMap {
      annotation(inCommentAt: $0.lowerBound, end: $0.upperBound)
    }
  }

  /// Returns whether a line holds something else than comments before an offset.
  private func hasCode(before offset: Int) -> Bool {
    let lineStart = source.range(ofLine: source.line(at: offset)).lowerBound
    var rest = lineStart
    for comment in blockComments(in: lineStart..<offset) {
      if !source.trimmed(rest..<comment.lowerBound).isEmpty { return true }
      rest = comment.upperBound
    }
    return !source.trimmed(rest..<max(rest, offset)).isEmpty
  }

  private func blockComments(in range: Range<Int>) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard source.hasPrefix("/*", at: offset, before: range.upperBound) else {
        offset += 1
        continue
      }
      var end = offset + 2
      while end < range.upperBound, !source.hasPrefix("*/", at: end, before: range.upperBound) {
        end += 1
      }
      let close = min(end + 2, range.upperBound)
      comments.append(offset..<close)
      offset = close
    }
    return comments
  }

  /// Returns what follows the prefix in one comment; nil when it is no annotation.
  private func annotation(inCommentAt start: Int, end: Int) -> Found? {
    var end = end
    var offset = start
    let isLineComment = source.hasPrefix("//", at: start, before: end)
    for opener in ["///", "//", "/**", "/*", "*"] as [StaticString]
    where source.hasPrefix(opener, at: start, before: end) {
      offset += opener.utf8CodeUnitCount
      break
    }
    if !isLineComment, offset < end {
      for place in offset..<end where source.hasPrefix("*/", at: place, before: end) {
        end = place
        break
      }
    }
    let body = source.trimmed(min(offset, end)..<end)
    let word = Array((prefix + ":").utf8)
    guard body.count >= word.count,
      source.bytes[body.lowerBound..<body.lowerBound + word.count].elementsEqual(word)
    else { return nil }
    return Found(range: source.trimmed(body.lowerBound + word.count..<body.upperBound))
  }
}
