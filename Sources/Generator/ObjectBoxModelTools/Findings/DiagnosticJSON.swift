internal import Foundation
package import ObjectBoxGenerator

/// Formats findings as JSON for editors, one object a line.
package struct DiagnosticJSON: Sendable {
  private let lines: SourceLines

  package init(_ lines: SourceLines) {
    self.lines = lines
  }

  /// Returns the JSON object of a finding, without a line feed.
  ///
  /// Lines and columns count from 1, columns in UTF-8 bytes; `endColumn` lies after the last byte.
  /// A finding without a file has no `path`, `line`, `column` and `endColumn`.
  package func text(of finding: Diagnostic) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(Finding(finding, lines)), as: UTF8.self)
  }

  private struct Finding: Encodable {
    var path: String?
    var line: Int?
    var column: Int?
    var endColumn: Int?
    var severity: String
    var message: String
    var notes: [Finding]
    var fixIts: [Fix]

    init(_ finding: Diagnostic, _ lines: SourceLines) {
      path = finding.position?.path
      line = finding.position?.line
      column = finding.position?.column
      endColumn = finding.position.map { $0.column + lines.length(of: finding) }
      severity = finding.message.severity.rawValue
      message = finding.message.text
      notes = finding.notes.map { Finding($0, lines) }
      fixIts = finding.fixIts.map(Fix.init)
    }
  }

  private struct Fix: Encodable {
    var message: String
    var isSafe: Bool
    var edits: [Edit]

    init(_ fix: FixIt) {
      message = fix.text
      isSafe = fix.isSafe
      edits = fix.edits.map(Edit.init)
    }
  }

  private struct Edit: Encodable {
    var path: String
    var line: Int
    var column: Int
    var endColumn: Int
    var replacement: String

    init(_ edit: FixIt.Edit) {
      path = edit.span.position.path
      line = edit.span.position.line
      column = edit.span.position.column
      endColumn = edit.span.end.column
      replacement = edit.replacement
    }
  }
}
