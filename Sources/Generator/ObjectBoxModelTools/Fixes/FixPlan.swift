package import ObjectBoxGenerator

/// The safe fixes of a run, split into fixes to make and fixes that overlap.
package struct FixPlan: Sendable {
  /// Fixes to make, in the order of their positions.
  package private(set) var accepted: [FixIt] = []
  /// Fixes that are not made because they change the same characters as another fix.
  package private(set) var refused: [FixIt] = []

  /// Plans the first safe fix of each finding.
  package init(_ findings: [Diagnostic]) {
    self.init(findings.compactMap { $0.fixIts.first(where: \.isSafe) })
  }

  /// Plans the given fixes; equal ones count once.
  package init(_ fixIts: [FixIt]) {
    var seen: Set<FixIt> = []
    let fixIts = fixIts.filter { seen.insert($0).inserted && !$0.edits.isEmpty }
      .sorted { $0.edits[0].span.position < $1.edits[0].span.position }
    for fix in fixIts {
      let isFree = fixIts.allSatisfy { other in
        other == fix || !other.edits.contains { edit in fix.edits.contains(where: edit.overlaps) }
      }
      if isFree { accepted.append(fix) } else { refused.append(fix) }
    }
  }

  /// Returns the files that accepted fixes change, with their new texts.
  package func apply(to files: [SourceFile]) -> [SourceFile] {
    let edits = Dictionary(grouping: accepted.flatMap(\.edits), by: \.span.position.path)
    return files.compactMap { file in
      guard let edits = edits[file.path] else { return nil }
      let source = SourceText(file)
      var bytes = source.bytes
      // From the end, which keeps earlier offsets valid.
      for edit in edits.sorted(by: { $1.span.position < $0.span.position }) {
        guard let range = source.range(of: edit.span) else { continue }
        bytes.replaceSubrange(range, with: edit.replacement.utf8)
      }
      return SourceFile(path: file.path, text: String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension FixIt.Edit {
  /// Returns whether two edits change the same bytes, or insert at the same position.
  fileprivate func overlaps(_ other: Self) -> Bool {
    let (start, otherStart) = (span.position, other.span.position)
    guard start.path == otherStart.path, start.line == otherStart.line else { return false }
    return start == otherStart || start < other.span.end && otherStart < span.end
  }
}

extension SourceText {
  /// Returns the bytes of a span; nil outside of the text.
  fileprivate func range(of span: SourceSpan) -> Range<Int>? {
    guard span.position.line >= 1, span.position.line <= lineCount else { return nil }
    let line = range(ofLine: span.position.line - 1)
    let start = line.lowerBound + span.position.column - 1
    let end = start + span.length
    return start >= line.lowerBound && end <= line.upperBound ? start..<end : nil
  }
}
