import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Declarations that were probably meant to be entities.
struct NearMissesTests {
  private func expectNotes(
    _ marked: String,
    _ expected: [String],
    prefix: String = "objectbox",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let source = MarkedSource(marked)
    let found = NearMisses(prefix: prefix, conditions: BuildConditions(), outputPath: "out.swift")
      .find(in: [source.file])
    #expect(
      found.map { source.mark(at: $0.position) + " " + $0.message.text } == expected,
      sourceLocation: sourceLocation
    )
    #expect(found.allSatisfy { $0.message.severity == .note }, sourceLocation: sourceLocation)
  }

  @Test func `a type with annotated properties and without an annotation of its own`() {
    expectNotes(
      """
      class Plain { var x = 0 }
      // objectbox: name = "N"
      class 1️⃣Note {
        // objectbox: index
        var title = ""
      }
      extension Note { var entity: Int { 0 } }
      """,
      [
        "1️⃣ 'Note' has the annotated property 'title' and is no entity; put `// objectbox: entity` on the "
          + "line above its declaration"
      ]
    )
  }

  @Test(arguments: [
    ("// 1️⃣Objectbox: entity", "Objectbox:"), ("/// 1️⃣objectBox : entity", "objectBox :"),
    ("//1️⃣objectbox : entity", "objectbox :"), ("/* 1️⃣objctbox: entity */", "objctbox:"),
    ("// 1️⃣entity", "entity"), ("// 1️⃣@Entity", "@Entity"),
    ("/** 1️⃣objectbox entity */", "objectbox entity"),
    ("// 1️⃣OBJECTBOX: entity\n\n// A comment between.", "OBJECTBOX:"),
    ("/*\n * 1️⃣ObjectBox: entity, sync\n */\n@MainActor public", "ObjectBox:"),
  ])
  func `a misspelt prefix above a type`(_ comment: String, _ found: String) {
    expectNotes(
      "\(comment)\nfinal class Note { var x = 0 }",
      ["1️⃣ '\(found)' is no annotation; write `// objectbox: entity`, in this spelling"]
    )
    expectNotes(
      "enum Box {\n\(comment)\nstruct Note { var x = 0 }\n}",
      ["1️⃣ '\(found)' is no annotation; write `// objectbox: entity`, in this spelling"]
    )
  }

  @Test(arguments: [
    "// The entity of notes.", "// Not an entity: a plain class.", "// ObjectBox makes this fast.",
    "// objectbox: name = \"x\"", "// entity\n// of mine\nlet x = 1",
  ])
  func `prose and what is spelt right is no miss`(_ comment: String) {
    expectNotes("\(comment)\nclass Note {}", [])
  }

  @Test func `a prefix of one's own counts instead`() {
    expectNotes(
      "// 1️⃣Store: entity\nclass Note {}\n// objectbox: entity\nclass Memo {}",
      ["1️⃣ 'Store:' is no annotation; write `// store: entity`, in this spelling"],
      prefix: "store"
    )
  }

  @Test func `the fix of a misspelt prefix makes an entity, on demand`() throws {
    for comment in ["// Objectbox : entity", "/* @entity */", "// objectbox entity"] {
      let file = SourceFile(path: "A.swift", text: "\(comment)\nclass A { var id: UInt64 = 0 }\n")
      let fixIts = NearMisses(prefix: "objectbox", conditions: BuildConditions(), outputPath: "")
        .find(in: [file]).flatMap(
          \.fixIts
        )
      #expect(fixIts.map(\.isSafe) == [false])
      let fixed = try #require(FixPlan(fixIts).apply(to: [file]).first)
      #expect(fixed.text.contains(" objectbox: entity"))
      #expect(
        SchemaBuilder.build([fixed]).diagnostics.map(\.message) == [
          .unfitID("id", "UInt64", entity: "A", "A")
        ]
      )
    }
  }

  @Test func `entities that are neither class nor struct`() {
    expectNotes(
      """
      enum 1️⃣A: Int, Entity { case a }
      actor 2️⃣B: ObjectBox.Entity {}
      protocol 3️⃣C: Entity {}
      enum D: Int {}
      """,
      [
        "1️⃣ 'A' is an enum, and entities are classes and structs; make it one of these",
        "2️⃣ 'B' is an actor, and entities are classes and structs; make it one of these",
        "3️⃣ 'C' is a protocol, and entities are classes and structs; make it one of these",
      ]
    )
  }

  @Test func `generated files are told, but for the one that the run writes`() {
    let files = ["out.swift", "Other.swift"].map {
      SourceFile(path: $0, text: GeneratedFile.marker + "\nclass A: Entity {}")
    }
    let found = NearMisses(
      prefix: "objectbox",
      conditions: BuildConditions(),
      outputPath: "./out.swift"
    ).find(in: files)
    #expect(found.map(\.description).count == 1)
    #expect(
      found.first?.description.hasPrefix("Other.swift:1:1: note: this file is not read") == true
    )
  }

  @Test(arguments: [
    (["src"], "'src'"), (["src/A.swift", "src/B.swift", "/C.swift", "D.swift"], "'src', '/', '.'"),
    (["a", "b", "c", "d", "e/x.swift"], "'a', 'b', 'c' and 2 more folders"),
  ])
  func `the folders of a run are told in short`(_ sources: [String], _ expected: String) {
    var options = Generator.Options()
    options.sources = sources
    #expect(options.sourceFolders == expected)
  }

  @Test func `the list ends before it gets long`() {
    let text = (0..<50).map { "// entity\nclass A\($0) {}" }.joined(separator: "\n")
    let found = NearMisses(prefix: "objectbox", conditions: BuildConditions(), outputPath: "")
      .find(in: [SourceFile(path: "A.swift", text: text)])
    #expect(found.count == 20)
  }
}
