package import ObjectBoxGenerator

/// Formats findings with their source lines, with marks under the characters concerned.
package struct SnippetRenderer: Sendable {
  private let lines: SourceLines
  /// True to style the text with the escape sequences of terminals.
  private let isColored: Bool

  package init(_ lines: SourceLines, isColored: Bool) {
    self.lines = lines
    self.isColored = isColored
  }

  /// Returns the lines of a finding, its notes and its fixes, without a line feed at the end.
  package func text(of finding: Diagnostic) -> String {
    let followers = finding.followers.map { follower in
      // The lines above already show the position.
      follower.position == finding.position ? title(of: follower) : text(of: follower)
    }
    return ([snippet(of: finding)] + followers).joined(separator: "\n")
  }

  private func title(of finding: Diagnostic) -> String {
    let severity = finding.message.severity
    return styled(finding.place, .bold) + styled("\(severity.rawValue): ", Style(severity))
      + styled(finding.message.text, .bold)
  }

  private func snippet(of finding: Diagnostic) -> String {
    let title = title(of: finding)
    guard let position = finding.position, let line = lines.line(at: position) else { return title }
    let start = line.index(line.startIndex, offsetBy: position.column - 1, limitedBy: line.endIndex)
    let place = start ?? line.endIndex
    let marked = line[place...].prefix(lines.length(of: finding))
    let blank = String(decoding: line[..<place], as: UTF8.self).map(Self.blank).joined()
    let width = String(decoding: marked, as: UTF8.self).reduce(0) { $0 + TextWidth.columns(of: $1) }
    let marks = "^" + String(repeating: "~", count: max(width - 1, 0))
    let shown = String(decoding: line, as: UTF8.self).map(Self.shown).joined()
    return "\(title)\n\(shown)\n\(blank)\(styled(marks, .green))"
  }

  /// Returns blanks as wide as a character; a tab for a tab.
  private static func blank(_ character: Character) -> String {
    character == "\t" ? "\t" : String(repeating: " ", count: TextWidth.columns(of: character))
  }

  /// Returns a character, or a replacement for a control character.
  private static func shown(_ character: Character) -> String {
    guard character != "\t", let first = character.unicodeScalars.first,
      first.properties.generalCategory == .control
    else { return String(character) }
    return "\u{FFFD}"
  }

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case magenta = "1;35"
    case cyan = "1;36"
    case green = "1;32"

    init(_ severity: DiagnosticMessage.Severity) {
      switch severity {
      case .error: self = .red
      case .warning: self = .magenta
      case .note: self = .cyan
      }
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
