/// A position in a text file.
///
/// Lines and columns count from 1; columns count UTF-8 bytes, as the Swift compiler does.
package struct SourcePosition: Hashable, Comparable, Codable, CustomStringConvertible, Sendable {
  /// Path of the file, as the user gave it or below a folder that the user gave.
  package var path: String
  package var line: Int
  package var column: Int

  /// The position in the form `path:line:column`.
  package var description: String { "\(path):\(line):\(column)" }

  package static func < (left: Self, right: Self) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}

extension SourcePosition {
  /// Makes the position of findings about a file as a whole.
  package init(startOf path: String) {
    self.init(path: path, line: 1, column: 1)
  }
}

/// A part of one line of a text file.
package struct SourceSpan: Hashable, Codable, Sendable {
  /// Start of the part.
  package var position: SourcePosition
  /// Number of UTF-8 bytes; 0 for a position between two characters.
  package var length: Int

  /// Position directly after the part.
  package var end: SourcePosition {
    var end = position
    end.column += length
    return end
  }
}
