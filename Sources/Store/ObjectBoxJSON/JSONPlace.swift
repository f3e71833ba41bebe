/// A position in a JSON text.
///
/// Lines and columns count from 1; columns count UTF-8 bytes.
package struct JSONPlace: Hashable, Sendable {
  /// Path of the file, as the caller gave it.
  package var path: String
  package var line: Int
  package var column: Int

  package init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The position in the form `path:line:column`.
  package var description: String { "\(path):\(line):\(column)" }
}

/// An error in a JSON text.
package struct JSONFault: Error, Sendable {
  package var text: String
  package var place: JSONPlace
  /// True when there is a merge conflict marker at the position.
  package var isConflict = false
  /// Position of the first occurrence of a duplicate key.
  package var otherPlace: JSONPlace?
}
