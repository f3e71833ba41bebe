/// Finds the annotation comments of a declaration.
///
/// These are line comments directly above the declaration or between its attributes, and block
/// comments before it on its own line. A blank line or a line of code ends the search. A comment
/// after code does not count.
package struct AnnotationScanner {
  /// A declaration with the comments that may annotate it.
  package struct Surroundings {
    /// End of the code before the declaration.
    var previousEnd: Int
    /// Start of its first attribute or modifier.
    var start: Int
    /// Start of its keyword, such as `var` or `class`.
    var keyword: Int
    /// Comments between `previousEnd` and `keyword`, from top to bottom.
    package var comments: [Range<Int>]

    package init(previousEnd: Int, start: Int, keyword: Int, comments: [Range<Int>]) {
      self.previousEnd = previousEnd
      self.start = start
      self.keyword = keyword
      self.comments = comments
    }
  }

  let source: SourceText
  /// The word before the colon.
  package let prefix: String

  package init(source: SourceText, prefix: String) {
    self.source = source
    self.prefix = prefix
  }

  /// Returns the texts after the prefix in a declaration's comments, from top to bottom.
  package func annotations(of declaration: Surroundings) -> [Range<Int>] {
    segments(of: declaration).compactMap(annotation)
  }

  /// Returns the declaration's comments that look like annotations with a misspelt prefix.
  package func misspelt(of declaration: Surroundings) -> [MisspeltPrefix] {
    segments(of: declaration).compactMap { segment in
      guard let body = body(of: segment),
        let match = MisspeltPrefix.match(source.bytes[body], prefix: prefix)
      else { return nil }
      let start = body.lowerBound
      return MisspeltPrefix(
        text: source.text(start..<start + match.prefixLength),
        span: source.span(of: start..<start + match.length),
        names: match.names,
        isCertain: match.isCertain
      )
    }
  }

  /// Returns the lines of the comments that belong to a declaration.
  private func segments(of declaration: Surroundings) -> [Range<Int>] {
    let firstLine = source.line(at: declaration.start)
    // Code may begin on the first line of the file.
    let previousLine =
      declaration.previousEnd > 0 ? source.line(at: declaration.previousEnd - 1) : -1
    var top = firstLine
    while top - 1 > previousLine, isComment(line: top - 1, declaration) { top -= 1 }
    return declaration.comments.flatMap(segments).filter { segment in
      source.line(at: segment.lowerBound) >= top
        && (segment.upperBound <= declaration.start || !isBehindCode(segment, declaration))
    }
  }

  /// Returns the texts after the prefix, for each line of a comment.
  package func annotations(in comment: Range<Int>) -> [Range<Int>] {
    segments(of: comment).compactMap(annotation)
  }

  /// Returns whether a line without code is a comment or lies within one.
  private func isComment(line: Int, _ declaration: Surroundings) -> Bool {
    let start = source.trimmed(source.range(ofLine: line)).lowerBound
    return declaration.comments.contains { $0.contains(start) }
  }

  /// Returns whether a comment stands at the end of a line with attributes or modifiers.
  private func isBehindCode(_ segment: Range<Int>, _ declaration: Surroundings) -> Bool {
    let line = source.range(ofLine: source.line(at: segment.lowerBound))
    guard !line.contains(declaration.keyword) else { return false }
    let holdsOnlyComments = { (range: Range<Int>) in
      range.allSatisfy { offset in
        SourceText.isBlank(source.bytes[offset])
          || declaration.comments.contains { $0.contains(offset) }
      }
    }
    return holdsOnlyComments(segment.upperBound..<line.upperBound)
      && !holdsOnlyComments(line.lowerBound..<segment.lowerBound)
  }

  /// Returns the part of a comment on each of its lines, trimmed.
  private func segments(of comment: Range<Int>) -> [Range<Int>] {
    guard !comment.isEmpty else { return [] }
    return (source.line(at: comment.lowerBound)...source.line(at: comment.upperBound - 1)).map {
      source.trimmed(source.range(ofLine: $0).clamped(to: comment))
    }
  }

  /// Returns the text after the prefix in one line of a comment; nil when it is no annotation.
  private func annotation(in segment: Range<Int>) -> Range<Int>? {
    guard let body = body(of: segment) else { return nil }
    let word = Array((prefix + ":").utf8)
    guard source.bytes[body].starts(with: word) else { return nil }
    return source.trimmed(body.lowerBound + word.count..<body.upperBound)
  }

  /// Returns one line of a comment without its opener and closer; nil for a line without an opener.
  private func body(of segment: Range<Int>) -> Range<Int>? {
    let openers: [StaticString] = ["///", "//", "/**", "/*", "*"]
    guard
      let opener = openers.first(where: {
        source.hasPrefix($0, at: segment.lowerBound, before: segment.upperBound)
      })
    else { return nil }
    let start = segment.lowerBound + opener.utf8CodeUnitCount
    var end = segment.upperBound
    if !source.hasPrefix("//", at: segment.lowerBound, before: end),
      let close = (start..<end).first(where: { source.hasPrefix("*/", at: $0, before: end) })
    {
      end = close
    }
    return source.trimmed(start..<end)
  }
}
