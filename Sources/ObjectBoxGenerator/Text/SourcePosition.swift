/// A place in a text file.
///
/// Lines and columns count from 1; columns count UTF-8 bytes, as the Swift compiler does.
package struct SourcePosition: Hashable, Comparable, Codable, Sendable {
  /// The path of the file as the user gave it or as it was found below a given folder.
  package var path: String
  package var line: Int
  package var column: Int

  package init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}

/// A part of one line of a text file.
package struct SourceSpan: Hashable, Codable, Sendable {
  /// Where the part begins.
  package var position: SourcePosition
  /// How long the part is, in UTF-8 bytes; 0 for a place between two characters.
  package var length: Int

  package init(position: SourcePosition, length: Int) {
    self.position = position
    self.length = length
  }

  /// The place directly behind the part.
  package var end: SourcePosition {
    var end = position
    end.column += length
    return end
  }
}
