internal import Foundation
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

/// Writes findings in one form.
///
/// JSON goes to standard output, and nothing else does. Text and snippets go to standard error.
struct FindingsOutput {
  enum Form: String, CaseIterable {
    /// One line for each finding, note and fix.
    case text
    /// One JSON object for each finding.
    case json
    /// The source line below each finding, with marks.
    case snippets
  }

  let form: Form
  let isQuiet: Bool
  private let isColored: Bool

  /// Makes an output.
  ///
  /// Without a form, terminals get snippets, and files and pipes get text.
  init(_ form: Form?, isQuiet: Bool) {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let environment = ProcessInfo.processInfo.environment
    self.form = form ?? (isTerminal ? .snippets : .text)
    self.isQuiet = isQuiet
    isColored =
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Writes the findings; with `--quiet` only errors.
  func write(_ findings: [Diagnostic], files: [SourceFile]) {
    let findings = findings.filter { $0.isError || !isQuiet }
    if findings.isEmpty { return }
    let paths = Set((findings + findings.flatMap(\.notes)).compactMap(\.position?.path))
    let lines = SourceLines(files.filter { paths.contains($0.path) })
    switch form {
    case .text: for finding in findings { GeneratorConsole.tell(finding.description) }
    case .snippets:
      let renderer = SnippetRenderer(lines, isColored: isColored)
      for finding in findings { GeneratorConsole.tell(renderer.text(of: finding)) }
    case .json:
      let json = DiagnosticJSON(lines)
      for finding in findings {
        // Cannot fail: texts and numbers always have a JSON form.
        if let text = try? json.text(of: finding) { print(text) }
      }
    }
  }

  /// Writes the error that ends the run.
  func fail(_ text: String) {
    write([Diagnostic(DiagnosticMessage(.error, text), at: nil)], files: [])
  }

  /// Writes the messages of a run.
  func tell(_ messages: [String]) {
    for message in messages {
      if form == .json {
        GeneratorConsole.tell("note: \(message)")
      } else {
        print("note: \(message)")
      }
    }
  }
}
