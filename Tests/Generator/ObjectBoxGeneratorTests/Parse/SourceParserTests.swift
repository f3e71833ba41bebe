import ObjectBoxGenerator
import ObjectBoxSwiftReader
import Testing

/// Whole files: generated files, syntax errors, annotations without effect.
struct SourceParserTests {
  @Test func `files that the generator wrote are skipped`() {
    let text = GeneratedFile.marker + "\nclass Note: Entity { this is no Swift"
    let parsed = SourceParser().parse(SourceFile(path: "EntityInfo.generated.swift", text: text))
    #expect(parsed.types.isEmpty)
    #expect(parsed.syntaxErrors.isEmpty && parsed.diagnostics.isEmpty)
  }

  @Test func `characters of the number 0 in a source with syntax errors are told`() {
    let text = "class Note {\n  var id: \0\0\0 Id = 0\n  let = 1\n}"
    let errors = SourceParser().parse(SourceFile(path: "Note.swift", text: text)).syntaxErrors
    #expect(errors.count == 1)
    #expect(errors.first?.message.text.contains("a character of the number 0") == true)
    #expect(errors.first?.position?.line == 2)
  }

  @Test func `characters that Swift does not know are told beside syntax errors`() {
    // SwiftSyntax's generator of diagnostics crashes on these characters.
    let text = "class Note {\n  var tags: [Int] \u{1}\u{1}= []\n  let = 1\n}"
    let errors = SourceParser().parse(SourceFile(path: "Note.swift", text: text)).syntaxErrors
    #expect(errors.count == 1)
    #expect(errors.first?.message.text.contains("characters that Swift does not know") == true)
    #expect(errors.first?.position?.line == 2)
  }

  @Test func `the marker elsewhere skips nothing`() {
    let text = "\n" + GeneratedFile.marker + "\nclass Note {}"
    #expect(SourceParser().parse(SourceFile(path: "Note.swift", text: text)).types.count == 1)
  }

  @Test(arguments: [
    ("[", "]", 17), ("[", "]", 64), ("Optional<", ">", 500), ("(", ")", 100_000),
    ("Optional<[", "]>", 300),
  ])
  func `types that are nested too deep are refused at their place`(
    open: String,
    close: String,
    count: Int
  ) {
    let type =
      String(repeating: open, count: count) + "Int" + String(repeating: close, count: count)
    let text = "class Note {\n  // [[[[[[[[[[[[[[[[[[[[[[\n  var it: \(type)\n}"
    let errors = SourceParser().parse(SourceFile(path: "Note.swift", text: text)).syntaxErrors
    #expect(errors.map(\.message.text) == [DiagnosticMessage.nestedTooDeep.text])
    #expect(errors.first?.position?.line == 3)
  }

  @Test func `many brackets beside each other, in comments and in literals are read`() {
    let brackets = String(repeating: "[", count: 64)
    let lines = (0..<300).map { "  var it\($0): Optional<Array<(Int)>> = [(1, 2)]" }
    let text =
      "// \(brackets)\nlet text = \"\(brackets)\"\nclass Note {\n\(lines.joined(separator: "\n"))\n}"
    let parsed = SourceParser().parse(SourceFile(path: "Note.swift", text: text))
    #expect(parsed.syntaxErrors.isEmpty)
    #expect(parsed.types.first?.variables.count == 300)
  }

  @Test func `an empty file has nothing`() {
    expectFindings("", [])
    expectFindings("\n", [])
  }

  @Test func `syntax errors are told in the parser's words, at their place`() {
    expectFindings(
      """
      class Note: Entity {
        var id1️⃣ Id = 0
      }
      """,
      ["1️⃣ error: expected ':'"]
    )
  }

  @Test func `a file with many syntax errors tells the first ten`() {
    let text = String(repeating: "let = 1\n", count: 30) + "let Entity = 1\n"
    let findings = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)]).diagnostics
    #expect(findings.count == 10)
    #expect(findings.first?.position?.line == 1)
  }

  @Test func `findings that only follow from a syntax error are not told`() {
    let files = [
      SourceFile(path: "A.swift", text: "class A: Entity { var }"),
      SourceFile(path: "B.swift", text: "class B: Entity {}"),
    ]
    let findings = SchemaBuilder.build(files).diagnostics
    #expect(Set(findings.compactMap(\.position?.path)) == ["A.swift"])
    #expect(SchemaBuilder.build(files).schema.entities.isEmpty)
  }

  @Test func `what the compiler may skip is no syntax error`() throws {
    let text = "#if compiler(>=99)\n  let = future syntax\n#endif\n"
    #expect(try entity(text + "struct Note: Entity { var id: Id }").typeName == "Note")
  }

  @Test(arguments: ["", "import ObjectBox\n\nclass Note: Entity {\n"])
  func `a merge conflict is the only finding of its file`(_ start: String) {
    expectFindings(
      start + "1️⃣<<<<<<< HEAD\nvar a: Int\n=======\nvar b: Int\n>>>>>>> branch\n",
      ["1️⃣ error: merge conflict"]
    )
  }

  @Test func `conflict markers within a string are text`() {
    expectFindings("let text = \"\"\"\n<<<<<<< HEAD\n\"\"\"\n", [])
  }

  @Test func `annotations without effect are warned of`() {
    expectFindings(
      """
      // objectbox: 1️⃣entity
      enum Kind { /* objectbox: 2️⃣index */ case a }
      // objectbox: 3️⃣id

      class Note {
        var a: Int // objectbox: 4️⃣index
        // objectbox: transient
        var b: Int
        // objectbox: 5️⃣unique
        func c() {
          // objectbox: 6️⃣convert
        }
      }
      /* text
       * objectbox: 7️⃣sync
       */
      """,
      (1...7).map { "\($0)\u{FE0F}\u{20E3} warning: has no effect here" }
    )
  }

  @Test func `comments that only talk of annotations are left alone`() {
    expectFindings("// See objectbox: entity.\nlet text = \"// objectbox: id\"", [])
  }
}
