import Testing

@testable import ObjectBoxGenerator

/// The whole stage: all findings are collected, in one order.
struct SchemaBuilderTests {
  private let files = [
    SourceFile(
      path: "B.swift",
      text: "struct B: Entity {}\n\nclass C: Entity { var id: Id = make }"
    ),
    SourceFile(
      path: "A.swift",
      text: "struct A: Entity {\n  var a: Locale; var id: Id\n  // objectbox: indx\n  var b: Int\n}"
    ),
  ]

  @Test func `the findings of all files come together, sorted by place`() {
    let places = SchemaBuilder.build(files).diagnostics.compactMap(\.position)
    #expect(
      places.map { "\($0.path):\($0.line):\($0.column)" } == [
        "A.swift:2:7", "A.swift:3:17", "B.swift:1:8",
      ]
    )
  }

  @Test func `the order of files does not matter`() {
    let first = SchemaBuilder.build(files)
    let second = SchemaBuilder.build(files.reversed())
    #expect(first.diagnostics == second.diagnostics)
    #expect(first.schema == second.schema)
  }

  @Test func `a finding is one line that editors can follow`() {
    let finding = SchemaBuilder.build(files).diagnostics.first?.description
    #expect(
      finding?.hasPrefix("A.swift:2:7: error: property 'a' of entity 'A' has type 'Locale'") == true
    )
  }

  @Test func `the prefix of annotations can be another word`() {
    let file = SourceFile(
      path: "A.swift",
      text:
        "// stored: entity\nstruct A { var id: Id }\n// objectbox: entity\nstruct B { var id: Id }"
    )
    let result = SchemaBuilder.build([file], annotationPrefix: "stored")
    #expect(result.schema.entities.map(\.typeName) == ["A"])
    #expect(result.diagnostics.isEmpty)
  }

  @Test func `no files make an empty schema`() {
    #expect(SchemaBuilder.build([SourceFile]()).schema == Schema())
  }

  @Test func `a whole entity`() throws {
    let entity = try entity(
      """
      import ObjectBox

      enum Priority: Int { case low, high }

      /// A note.
      // objectbox: entity, name = "notes"
      public final class Note {
        public var id: Id = 0
        /// Its address.
        // objectbox: unique = { "onConflict": "replace" }
        public var slug = ""
        // objectbox: index, name = "made"
        var created: Date = Date()
        // objectbox: convert = { "default": ".low" }, index
        var priority: Priority = .low
        var tags: [String] = []
        // objectbox: transient
        var cache: [String: Int] = [:]
        var isEmpty: Bool { tags.isEmpty }
        init() {}
      }
      """
    )
    #expect(entity.databaseName == "notes")
    #expect(entity.position == SourcePosition(path: "Note.swift", line: 7, column: 20))
    #expect(
      entity.properties.map { "\($0.databaseName) \($0.type?.rawValue ?? 0) \($0.flags.rawValue)" }
        == ["id 6 1", "slug 9 34856", "made 10 8", "priority 6 8", "tags 30 0"]
    )
  }
}
