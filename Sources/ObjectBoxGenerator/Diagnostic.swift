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

/// The text and weight of a finding, without its place.
///
/// Each text is a static member or function in an extension beside the code that raises it.
/// A text starts in lower case, has no full stop and says what to do.
package struct DiagnosticMessage: Hashable, Codable, Sendable {
  package enum Severity: String, Codable, Sendable {
    case error, warning, note
  }

  package var severity: Severity
  package var text: String

  package init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }
}

/// A finding of the generator: what is wrong, and where.
///
/// Findings are collected and returned as values, not thrown, so that one run tells all of them.
package struct Diagnostic: Hashable, Codable, Sendable {
  package var message: DiagnosticMessage
  /// Nil only for findings that concern no file, such as a missing option.
  package var position: SourcePosition?
  /// Other places that explain the finding, for example the earlier declaration.
  package var notes: [Diagnostic]

  package init(
    _ message: DiagnosticMessage,
    at position: SourcePosition?,
    notes: [Diagnostic] = []
  ) {
    self.message = message
    self.position = position
    self.notes = notes
  }

  package var isError: Bool { message.severity == .error }

  /// The finding in the form `path:line:column: error: text` that editors make clickable.
  ///
  /// Notes follow, each on a line of its own.
  package var description: String {
    var line = "\(message.severity.rawValue): \(message.text)"
    if let position {
      line = "\(position.path):\(position.line):\(position.column): \(line)"
    }
    return ([line] + notes.map(\.description)).joined(separator: "\n")
  }
}
