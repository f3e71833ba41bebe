/// The text and severity of a finding, without its position.
///
/// Each text is a static member or function in an extension next to the code that raises it. It starts in lower
/// case, has no full stop and says what to do. A string literal makes an error; use ``warning(_:)`` and
/// ``note(_:)`` for the other severities.
package struct DiagnosticMessage: Hashable, Codable, Sendable, ExpressibleByStringInterpolation {
  package enum Severity: String, Codable, Sendable {
    case error, warning, note
  }

  package var severity: Severity
  package var text: String

  package init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }

  package init(stringLiteral text: String) {
    self.init(.error, text)
  }

  package static func warning(_ text: String) -> Self { Self(.warning, text) }

  package static func note(_ text: String) -> Self { Self(.note, text) }

  /// Joins the parts of one text.
  package static func + (left: Self, right: Self) -> Self {
    Self(left.severity, left.text + right.text)
  }
}

/// A finding of the generator: a message and its position.
///
/// Findings are returned as values, not thrown, so that one run reports all of them.
package struct Diagnostic: Hashable, Codable, Sendable {
  package var message: DiagnosticMessage
  /// The position; nil only for findings without a file, such as a missing option.
  package var position: SourcePosition?
  /// Number of UTF-8 bytes that the finding is about; 0 for the word at the position.
  package var length: Int
  /// Notes at other positions, for example at an earlier declaration.
  package var notes: [Diagnostic]
  /// Changes of the sources; each removes the finding.
  package var fixIts: [FixIt]

  package init(
    _ message: DiagnosticMessage,
    at position: SourcePosition?,
    length: Int = 0,
    notes: [Diagnostic] = [],
    fixIts: [FixIt] = []
  ) {
    self.message = message
    self.position = position
    self.length = length
    self.notes = notes
    self.fixIts = fixIts
  }

  /// Makes a finding about exactly the characters of a span.
  package init(
    _ message: DiagnosticMessage,
    at span: SourceSpan,
    notes: [Diagnostic] = [],
    fixIts: [FixIt] = []
  ) {
    self.init(message, at: span.position, length: span.length, notes: notes, fixIts: fixIts)
  }

  package var isError: Bool { message.severity == .error }

  /// The finding in the form `path:line:column: error: text` that editors make clickable.
  ///
  /// Notes and fixes follow on lines of their own.
  package var description: String {
    ([line] + followers.map(\.description)).joined(separator: "\n")
  }

  /// The finding without its notes and fixes.
  var line: String {
    "\(place)\(message.severity.rawValue): \(message.text)"
  }

  /// The position as the start of a line, with a blank after it; empty without a position.
  package var place: String {
    position.map { "\($0): " } ?? ""
  }

  /// The notes, and the fixes as notes.
  package var followers: [Diagnostic] {
    notes
      + fixIts.map { fix in
        let place = fix.edits.first?.span
        return Diagnostic(
          .fix(fix.text),
          at: place?.position ?? position,
          length: place?.length ?? 0
        )
      }
  }
}

extension DiagnosticMessage {
  static func fix(_ text: String) -> Self { note("fix: \(text)") }

  static let earlierDeclaration = note("the other one is declared here")

  static let otherPlace = note("the other one is here")
}
