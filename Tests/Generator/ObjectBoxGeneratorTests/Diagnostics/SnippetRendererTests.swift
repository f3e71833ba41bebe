import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Findings with their source lines.
struct SnippetRendererTests {
  private let message = DiagnosticMessage(.error, "it is wrong")

  private func text(
    _ line: String,
    column: Int,
    length: Int,
    isColored: Bool = false,
    notes: [Diagnostic] = [],
    fixIts: [FixIt] = []
  ) -> [String] {
    let lines = SourceLines([SourceFile(path: "A.swift", text: "first\n\(line)\nlast")])
    let finding = Diagnostic(
      message,
      at: SourcePosition(path: "A.swift", line: 2, column: column),
      length: length,
      notes: notes,
      fixIts: fixIts
    )
    return SnippetRenderer(lines, isColored: isColored).text(of: finding)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the line and marks stand below the finding`() {
    #expect(
      text("// objectbox: indx", column: 15, length: 4) == [
        "A.swift:2:15: error: it is wrong", "// objectbox: indx", "              ^~~~",
      ]
    )
  }

  @Test(arguments: [
    // Tabs stay tabs, so the caret is below the text in every terminal.
    ("\tlet x", 2, 3, "\t^~~"), ("a\tb\tlet", 5, 3, " \t \t^~~"),
    ("größe x", 9, 1, "      ^"), ("日本 x", 8, 1, "     ^"), ("x 日本", 3, 6, "  ^~~~"),
    ("👩‍👩‍👧 x", 20, 1, "   ^"), ("e\u{301} x", 5, 1, "  ^"), ("abc", 4, 0, "   ^"),
    ("abc", 9, 2, "   ^"),
    ("ab", 1, 99, "^~"),
  ])
  func `marks align with the characters above them`(
    _ line: String,
    _ column: Int,
    _ length: Int,
    _ marks: String
  ) {
    #expect(text(line, column: column, length: length).last == marks)
  }

  @Test func `what would command the terminal is shown as unknown`() {
    #expect(text("a\u{1B}[2Jb\tc", column: 1, length: 1)[1] == "a\u{FFFD}[2Jb\tc")
  }

  @Test func `notes come with lines of their own, and a fix of the same place without`() {
    let span = SourceSpan(position: SourcePosition(path: "A.swift", line: 2, column: 1), length: 1)
    let elsewhere = SourcePosition(path: "A.swift", line: 1, column: 2)
    #expect(
      text(
        "x",
        column: 1,
        length: 1,
        notes: [
          Diagnostic(.otherPlace, at: elsewhere),
          Diagnostic(.otherPlace, at: SourcePosition(path: "B.swift", line: 1, column: 1)),
        ],
        fixIts: [FixIt("do it", edits: [FixIt.Edit(span, replacement: "y")], isSafe: true)]
      ) == [
        "A.swift:2:1: error: it is wrong", "x", "^", "A.swift:1:2: note: the other one is here",
        "first", " ^~~~", "B.swift:1:1: note: the other one is here",
        "A.swift:2:1: note: fix: do it",
      ]
    )
  }

  @Test func `colours tell weights, and are left out without a place`() {
    #expect(
      text("x", column: 1, length: 1, isColored: true) == [
        "\u{1B}[1mA.swift:2:1: \u{1B}[0m\u{1B}[1;31merror: \u{1B}[0m\u{1B}[1mit is wrong\u{1B}[0m",
        "x", "\u{1B}[1;32m^\u{1B}[0m",
      ]
    )
    let plain = SnippetRenderer(SourceLines([]), isColored: false)
    #expect(plain.text(of: Diagnostic(message, at: nil)) == "error: it is wrong")
  }
}
