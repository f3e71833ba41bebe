package import ObjectBoxGenerator

/// Lines of a run's files, for findings that show them.
package struct SourceLines: Sendable {
  private let files: [String: SourceText]

  package init(_ files: [SourceFile]) {
    self.files = Dictionary(files.map { ($0.path, SourceText($0)) }, uniquingKeysWith: { $1 })
  }

  /// Returns the bytes of the line at a position; nil for an unknown file or line.
  func line(at position: SourcePosition) -> ArraySlice<UInt8>? {
    guard let file = files[position.path], position.line >= 1, position.line <= file.lineCount,
      position.column >= 1
    else { return nil }
    return file.bytes[file.range(ofLine: position.line - 1)]
  }

  /// Returns the number of bytes that a finding is about, at most up to the end of its line.
  ///
  /// This is the finding's length; 0 stands for the word at its position. For a position outside of
  /// the known files, the finding's length is returned unchanged.
  func length(of finding: Diagnostic) -> Int {
    guard let position = finding.position, let line = line(at: position) else {
      return finding.length
    }
    let rest = line.dropFirst(position.column - 1)
    if finding.length > 0 { return min(finding.length, rest.count) }
    guard rest.first == UInt8(ascii: "\"") else {
      return rest.prefix { SourceBytes.isWord($0) || $0 == UInt8(ascii: "`") }.count
    }
    // A string of the model file, with its quotes.
    return rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")).map { $0 - rest.startIndex + 1 }
      ?? rest.count
  }
}
