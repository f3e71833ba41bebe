import Foundation
import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Findings for editors.
struct DiagnosticJSONTests {
  private func json(_ text: String) throws -> [String] {
    let file = SourceFile(path: "a/Note.swift", text: text)
    let json = DiagnosticJSON(SourceLines([file]))
    return try SchemaBuilder.build([file]).diagnostics.map(json.text)
  }

  @Test func `a finding is one line with its place, its notes and its fixes`() throws {
    #expect(
      try json(
        """
        struct Note: Entity {
          var id: Id
          // objectbox: index = hsh
          var a: String
          var A: String
        }
        """
      ) == [
        #"{"column":25,"endColumn":28,"fixIts":[{"edits":[{"column":25,"endColumn":28,"line":3,"#
          + #""path":"a/Note.swift","replacement":"hash"}],"isSafe":true,"message":"replace 'hsh' by"#
          + #" 'hash'"}],"line":3,"message":"the index annotation of 'Note.a' is none of `index`, `index"#
          + #" = value`, and for strings `index = hash` and `index = hash64`; write one of these","#
          + #""notes":[],"path":"a/Note.swift","severity":"error"}"#,
        #"{"column":7,"endColumn":8,"fixIts":[],"line":5,"message":"properties 'a' and 'A' of entity"#
          + #" 'Note' are both named 'A' in the database, where case does not count; rename one, or"#
          + #" annotate it with `name`","notes":[{"column":7,"endColumn":8,"fixIts":[],"line":4,"#
          + #""message":"the other one is declared here","notes":[],"path":"a/Note.swift","#
          + #""severity":"note"}],"path":"a/Note.swift","severity":"error"}"#,
      ]
    )
  }

  @Test func `a finding that concerns no file has no place, and texts are escaped`() throws {
    let finding = Diagnostic(DiagnosticMessage(.warning, "a \"b\"\n\u{1}é"), at: nil)
    #expect(
      try DiagnosticJSON(SourceLines([])).text(of: finding)
        == #"{"fixIts":[],"message":"a \"b\"\n\u0001é","notes":[],"severity":"warning"}"#
    )
  }
}
