/// A place in a JSON text.
///
/// Lines and columns count from 1; columns count UTF-8 bytes.
package struct JSONPlace: Hashable, Sendable {
  /// The path of the file, as the caller gave it.
  package var path: String
  package var line: Int
  package var column: Int

  package init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The place in the form `path:line:column`.
  package var description: String { "\(path):\(line):\(column)" }
}

/// A fault of a JSON text.
package struct JSONFault: Error, Sendable {
  package var text: String
  package var place: JSONPlace
  /// True when the place holds the mark of a merge conflict.
  package var isConflict = false
  /// The first place of a key that is there twice.
  package var otherPlace: JSONPlace?
}
