import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Fixes that can be made together, and the files that they produce.
struct FixPlanTests {
  private func fix(
    _ line: Int,
    _ column: Int,
    _ length: Int,
    _ replacement: String,
    isSafe: Bool = true
  ) -> FixIt {
    let position = SourcePosition(path: "A.swift", line: line, column: column)
    let span = SourceSpan(position: position, length: length)
    return FixIt(
      "fix \(replacement)",
      edits: [.init(span, replacement: replacement)],
      isSafe: isSafe
    )
  }

  private func apply(_ fixIts: [FixIt], to text: String) -> String? {
    FixPlan(fixIts).apply(to: [
      SourceFile(path: "B.swift", text: text), SourceFile(path: "A.swift", text: text),
    ]).map { file in
      #expect(file.path == "A.swift")
      return file.text
    }.first
  }

  @Test func `edits of one line do not move each other`() {
    #expect(
      apply([fix(1, 1, 2, "xxxx"), fix(1, 4, 1, ""), fix(1, 6, 0, "+")], to: "ab c d") == "xxxx  +d"
    )
  }

  @Test func `lines may end as on Windows, and begin with a byte order mark`() {
    #expect(
      apply([fix(1, 1, 1, "y"), fix(2, 2, 2, "z")], to: "\u{FEFF}a\r\nbä\r\n")
        == "\u{FEFF}y\r\nbz\r\n"
    )
  }

  @Test func `equal fixes count once`() {
    #expect(apply([fix(1, 1, 1, "xy"), fix(1, 1, 1, "xy")], to: "a") == "xy")
  }

  @Test(arguments: [(1, 2), (2, 1), (2, 3), (1, 4), (3, 0)])
  func `fixes that change the same characters are all refused`(_ column: Int, _ length: Int) {
    let plan = FixPlan([fix(1, 2, 2, "x"), fix(1, column, length, "y"), fix(2, 1, 1, "z")])
    #expect(plan.accepted.map(\.text) == ["fix z"])
    #expect(plan.refused.count == 2)
  }

  @Test(arguments: [(4, 1), (1, 1)])
  func `neighbours are no conflict`(_ column: Int, _ length: Int) {
    #expect(FixPlan([fix(1, 2, 2, "x"), fix(1, column, length, "y")]).refused == [])
  }

  @Test func `places that the file does not have change nothing`() {
    #expect(apply([fix(9, 1, 1, "x"), fix(1, 9, 1, "x"), fix(1, 1, 9, "x")], to: "abc") == "abc")
  }

  @Test func `of a finding only the safe fix counts`() {
    let finding = Diagnostic(
      DiagnosticMessage(.error, "text"),
      at: nil,
      fixIts: [fix(1, 1, 1, "x", isSafe: false), fix(1, 1, 1, "y"), fix(1, 1, 1, "z")]
    )
    #expect(FixPlan([finding, finding]).accepted.map(\.text) == ["fix y"])
  }
}
