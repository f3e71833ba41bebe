import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Annotations with a misspelt prefix.
struct MisspeltPrefixTests {
  @Test(arguments: [
    ("// 1️⃣ObjectBox: unique", "unique"), ("// 1️⃣objectbox unique", "unique"),
    ("// 1️⃣Objectbox: index, unique", "index, unique"), ("// 1️⃣objectbox : unique", "unique"),
    ("//1️⃣OBJECTBOX:unique", "unique"), ("/// 1️⃣objectBox : name = \"n\"", "name = \"n\""),
    ("/* 1️⃣ObjectBox: index */", "index"), ("/*\n * 1️⃣objectbox index\n */", "index"),
    ("// 1️⃣ObjectBox: Unique", "Unique"), ("// 1️⃣ObjectBox transient", "transient"),
    ("// 1️⃣ObjectBox:hnswIndex: dimensions=2", "hnswIndex: dimensions=2"),
  ])
  func `a property with a misspelt prefix is a warning with a fix`(
    comment: String,
    items: String
  ) throws {
    let source = MarkedSource("struct Note: Entity {\nvar id: Id\n\(comment)\nvar it: String\n}")
    let found = SchemaBuilder.build([source.file]).diagnostics
    #expect(found.map { source.mark(at: $0.position) } == ["1️⃣"], "\(found)")
    let finding = try #require(found.first)
    #expect(finding.message.severity == .warning)
    #expect(finding.message.text.contains("has no effect on 'Note.it'; write `objectbox:`"))
    #expect(finding.length > 0)
    let fixed = try #require(FixPlan(finding.fixIts).apply(to: [source.file]).first)
    #expect(fixed.text.contains("objectbox: \(items)"), "\(fixed.text)")
  }

  @Test(arguments: [
    "// ObjectBox: a database", "// objectbox is fast", "// ObjectBox", "// ObjectBox:",
    "// objectbox", "// The ObjectBox: unique.", "// ObjectBox ID", "/// ObjectBox Index of notes",
    "// ObjectBox: index of all notes", "// ObjectBox: type: the kind of the note",
    "// objectboxes: unique", "// ObjectBox: name, type and index", "// ObjectBoxSwift: unique",
    "// objectbox index is used for queries", "// import ObjectBox // unique", "// 🗳 ObjectBox: id",
  ])
  func `prose about ObjectBox is no annotation`(comment: String) {
    expectFindings("struct Note: Entity {\nvar id: Id\n\(comment)\nvar it: String\n}", [])
    expectFindings("\(comment)\nstruct Note: Entity { var id: Id }", [])
  }

  @Test func `a type that would be an entity is told, one that is another thing is not`() {
    expectFindings(
      "// 1️⃣ObjectBox: entity\nclass Note { var id: UInt64 = 0 }",
      [
        "1️⃣ warning: 'ObjectBox:' is not the prefix of annotations, so 'entity' has no effect on 'Note'"
      ]
    )
    expectFindings("// 1️⃣objectbox entity, sync\nclass Note {}", ["1️⃣ warning: 'objectbox'"])
    expectFindings("// ObjectBox: sync\nclass Synchronizer {}", [])
    expectFindings("struct DTO {\n// ObjectBox: id\nvar id: Int\n}", [])
    expectFindings("// ObjectBox: entity\nstruct Note: Entity { var id: Id }", [])
    expectFindings(
      "// 1️⃣ObjectBox: sync\nstruct Note: Entity { var id: Id }",
      ["1️⃣ warning: 'ObjectBox:'"]
    )
  }

  @Test func `what is there in the right spelling is not asked for`() {
    expectFindings(
      "struct Note: Entity {\nvar id: Id\n// ObjectBox: index\n// objectbox: index\nvar it: Int\n}",
      []
    )
  }

  @Test func `a comment that is no annotation here is left alone`() {
    expectFindings(
      "struct Note: Entity {\nvar id: Id\n// ObjectBox: index\n\nvar it: Int // ObjectBox: index\n}",
      []
    )
  }

  @Test func `certain ones are fixed by --fix, the others on demand`() {
    func isSafe(_ comment: String) -> [Bool] {
      let text = "struct Note: Entity {\nvar id: Id\n// \(comment)\nvar it: Int\n}"
      return SchemaBuilder.build([SourceFile(path: "A.swift", text: text)]).diagnostics
        .flatMap(\.fixIts).map(\.isSafe)
    }
    #expect(isSafe("ObjectBox: index") == [true])
    #expect(isSafe("objectbox index") == [true])
    #expect(isSafe("ObjectBox index") == [false])
  }

  @Test func `a prefix of one's own counts instead`() {
    let text = "struct Note: Entity {\nvar id: Id\n// Store: index\nvar it: Int\n}"
    let files = [SourceFile(path: "A.swift", text: text)]
    #expect(SchemaBuilder.build(files).diagnostics == [])
    let found = SchemaBuilder.build(files, annotationPrefix: "store").diagnostics
    #expect(found.map(\.message.text).first?.contains("write `store:`") == true)
  }

  @Test(arguments: [
    ("// ObjectBox: entity", true), ("//  OBJECTBOX entity", true), (" * objectBox : sync", true),
    ("import ObjectBox", false), ("// ObjectBox is fast", false), ("//  ObjectBoxNotes", false),
    ("let box = ObjectBox.Box()", false), ("// ObjectBox", false), ("ObjectBox: entity", false),
  ])
  func `only files that may hold one are parsed for it`(text: String, isChosen: Bool) {
    let files = [SourceFile(path: "A.swift", text: "\n\(text)\nclass Note {}")]
    let parsed = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
    #expect(parsed.isEmpty != isChosen)
  }
}
