import ObjectBoxGenerator
import Testing

/// The types that are entities, and their facts.
struct EntityRuleTests {
  private func names(_ files: String...) -> [String] {
    let sources = files.enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    let result = SchemaBuilder.build(sources)
    #expect(result.diagnostics.map(\.description) == [])
    return result.schema.entities.map(\.qualifiedName)
  }

  @Test(arguments: [
    "class Note: Entity { var id: Id = 0 }", "struct Note: Entity { var id: Id }",
    "struct Note: ObjectBox.Entity { var id: Id }", "class Note: Base, Entity { var id: Id = 0 }",
    "struct Note: Sendable & Entity { var id: Id }",
    "struct Note { var id: Id }\nextension Note: Entity {}",
    "extension Note: Entity {}\nstruct Note { var id: Id }",
    "struct Note { var id: Id }\nextension App.Note: Entity {}",
    "struct Note { var id: Id }\nextension Note: @retroactive Entity {}",
    "@Observable @MainActor final class Note: Entity { @ObservationIgnored var id: Id = 0 }",
  ])
  func `a type that states the conformance is an entity`(_ text: String) throws {
    let entity = try entity(text)
    #expect(entity.qualifiedName == "Note")
    #expect(entity.declaresConformance)
  }

  @Test(arguments: [
    "// objectbox: entity\nclass Note { var id: Id = 0 }",
    "// objectbox: Entity\nstruct Note { var id: Id }",
    "// objectbox: entity = whatever\nstruct Note { var id: Id }",
    "// objectbox: entity\nextension Note {}\nstruct Note { var id: Id }",
  ])
  func `an annotated type is an entity whose conformance is generated`(_ text: String) throws {
    let entity = try entity(text)
    #expect(entity.qualifiedName == "Note")
    #expect(!entity.declaresConformance)
  }

  @Test(arguments: ["entityInfo", "entityBinding", "EntityType", "EntityBindingType"])
  func `a property with the name of a member that each entity has is refused at its place`(
    name: String
  ) {
    let text = "// objectbox: entity\nclass Note { var id: Id = 0\n  var \(name) = \"\" }"
    let found = SchemaBuilder.build([SourceFile(path: "a.swift", text: text)]).diagnostics
    #expect(
      found.map(\.description) == [
        "a.swift:3:7: error: property '\(name)' of entity 'Note' has the name of a static member that "
          + "each entity has; give it another name, and `// objectbox: name = \"\(name)\"` to keep its "
          + "name in the store"
      ]
    )
    let transient = text.replacing("  var", with: "  // objectbox: transient\n  var")
    #expect(names(transient) == ["Note"])
  }

  @Test func `a type written with its module is not the type of the sources with its name`() throws
  {
    let entity = try entity(
      """
      struct Data {}
      // objectbox: entity
      class Note {
        enum String {}
        var id: Id = 0
        var text: Swift.String = ""
        var bytes: Foundation.Data?
        var date: Foundation.Date?
        // objectbox: transient
        var own: Data?
      }
      """
    )
    #expect(entity.properties.map(\.type) == [.long, .string, .byteVector, .date])
    #expect(
      entity.properties.map(\.swiftType) == ["Id", "Swift.String", "Foundation.Data?", "Date?"]
    )
  }

  @Test(arguments: [
    "class Note { var id: Id = 0 }", "class Note: Base { var id: Id = 0 }",
    "class Base: Entity { var id: Id = 0 }\nclass Derived: Base {}",
    "protocol Stored: Entity {}", "enum Note: Entity { case a }", "extension Note {}",
    "struct Note: MyEntity {}", "struct Note: Entities.Entity {}",
  ])
  func `others are none`(_ text: String) {
    #expect(names(text).allSatisfy { $0 == "Base" })
  }

  @Test func `entities come sorted by qualified name, whatever the order of files`() {
    let first = "struct B: Entity { var id: Id }\nenum Z { struct A: Entity { var id: Id } }"
    let second = "class A2: Entity { var id: Id = 0 }"
    #expect(names(first, second) == ["A2", "B", "Z.A"])
    #expect(names(second, first) == ["A2", "B", "Z.A"])
  }

  @Test func `a nested entity has a local and a qualified name`() throws {
    let entity = try entity("enum Library { struct Shelf: Entity { var id: Id } }")
    #expect(entity.typeName == "Shelf")
    #expect(entity.qualifiedName == "Library.Shelf")
    #expect(entity.databaseName == "Shelf")
  }

  @Test(arguments: [
    "enum Library { struct Shelf { var id: Id } }\nextension Library.Shelf: Entity {}",
    "enum Library {}\nextension Library { struct Shelf: Entity { var id: Id } }",
    "extension Library { struct Shelf { var id: Id } }\nextension Library.Shelf: Entity {}",
    "enum Library { actor Inner {}\n// objectbox: entity\nstruct Shelf { var id: Id } }",
  ])
  func `extensions and outer types in any combination name one entity`(_ text: String) throws {
    #expect(try entity(text).qualifiedName == "Library.Shelf")
  }

  @Test func `an entity may be spread over extensions of several files`() throws {
    let files = [
      "extension Note { static var all: [Note] { [] }\nvar title: String { text } }",
      "struct Note { var id: Id\nvar text: String }",
      "// objectbox: sync\nextension Note {}", "extension Note: Entity {}",
    ].enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    let result = SchemaBuilder.build(files)
    #expect(result.diagnostics.isEmpty)
    #expect(result.schema.entities.map(\.flags) == [.syncEnabled])
    #expect(result.schema.entities.map { $0.properties.map(\.name) } == [["id", "text"]])
  }

  @Test(arguments: [("class", SchemaEntity.Kind.class), ("struct", .struct)])
  func `classes and structs are told apart`(_ keyword: String, _ kind: SchemaEntity.Kind) throws {
    #expect(try entity("\(keyword) Note: Entity { var id: Id }").kind == kind)
  }

  @Test func `extensions in other files add their annotations, and later names replace`() throws {
    let files = [
      SourceFile(path: "A.swift", text: "// objectbox: name = \"a\"\nstruct Note { var id: Id }"),
      SourceFile(
        path: "B.swift",
        text: "// objectbox: entity, name = \"b\", uid = 5\nextension Note {}"
      ),
    ]
    let result = SchemaBuilder.build(files)
    #expect(result.diagnostics.isEmpty)
    let entity = try #require(result.schema.entities.first)
    #expect(entity.databaseName == "b")
    #expect(entity.uid == .value(5))
    #expect(entity.position.path == "A.swift")
  }

  @Test(arguments: [
    ("name = \"Memo\"", "Memo"), ("name = Memo", "Memo"), ("name = \"\"", "Note"), ("name", "Note"),
  ])
  func `the name annotation names the entity in the database`(
    _ annotation: String,
    _ name: String
  ) throws {
    let text = "// objectbox: \(annotation)\nstruct Note: Entity { var id: Id }"
    #expect(try entity(text).databaseName == name)
  }

  @Test func `the external name is kept`() throws {
    let text = "// objectbox: externalName = \"notes\"\nstruct Note: Entity { var id: Id }"
    #expect(try entity(text).externalName == "notes")
  }

  @Test(arguments: [
    ("uid", UIDRequest.tell), ("uid = 1", .tell), ("uid = 17664", .value(17664)),
    ("uid = 9223372036854775807", .value(9_223_372_036_854_775_807)), ("name = \"Note\"", .none),
  ])
  func `a UID may be asked for or given`(_ annotation: String, _ request: UIDRequest) throws {
    let text = "// objectbox: \(annotation)\nstruct Note: Entity { var id: Id }"
    #expect(try entity(text).uid == request)
    #expect(try property("// objectbox: \(annotation)\nvar it: Int").uid == request)
  }

  @Test(arguments: ["-1", "0", "abc", "1.5", "[1]"])
  func `other UIDs are faults`(_ value: String) {
    expectFindings(
      """
      // objectbox: uid = 1️⃣\(value)
      struct Note: Entity {
        var id: Id
        // objectbox: uid = 2️⃣\(value)
        var it: Int
      }
      """,
      ["1️⃣ error: uid of 'Note' is no positive number", "2️⃣ error: uid of 'Note.it'"]
    )
  }

  @Test(arguments: [
    ("sync", EntityFlags.syncEnabled),
    ("sync = { \"sharedGlobalIds\": true }", EntityFlags(rawValue: 6)),
    ("sync = { \"sharedGlobalIds\": false }", .syncEnabled), ("sync = {}", .syncEnabled),
    ("sync = whatever", .syncEnabled), ("name = \"Note\"", EntityFlags()),
  ])
  func `sync sets the flags of the entity`(_ annotation: String, _ flags: EntityFlags) throws {
    let text = "// objectbox: \(annotation)\nstruct Note: Entity { var id: Id }"
    #expect(try entity(text).flags == flags)
  }

  @Test(arguments: [
    ("{ \"1️⃣sharedGlobalIds\": 1 }", "sharedGlobalIds"), ("{ \"1️⃣shared\": true }", "shared"),
    ("{ \"1️⃣sharedGlobalIds\": \"true\" }", "sharedGlobalIds"),
  ])
  func `sync takes one Boolean only`(_ value: String, _ key: String) {
    expectFindings(
      "// objectbox: sync = \(value)\nstruct Note: Entity { var id: Id }",
      ["1️⃣ error: entity 'Note' has '\(key)'"]
    )
  }

  @Test func `generic entities, their own and those within generic types, are faults`() {
    expectFindings(
      """
      struct 1️⃣Note<T>: Entity { var id: Id }
      enum Box<T> { struct 2️⃣Memo: Entity { var id: Id } }
      """,
      ["1️⃣ error: 'Note' is generic", "2️⃣ error: 'Box.Memo' is generic"]
    )
  }

  @Test func `private entities are faults`() {
    expectFindings(
      """
      private struct 1️⃣Note: Entity { var id: Id }
      fileprivate enum Box { struct 2️⃣Memo: Entity { var id: Id } }
      """,
      ["1️⃣ error: 'Note' is private", "2️⃣ error: 'Box.Memo' is private"]
    )
  }

  @Test func `an extension of an unknown type makes no entity, and no other finding`() {
    expectFindings(
      "extension 1️⃣Note: Entity { var it: Int { 1 } }",
      ["1️⃣ error: 'Note' is made an entity by an extension"]
    )
  }

  @Test(arguments: [
    "struct NoteBinding {}\nstruct 1️⃣Note: Entity { var id: Id }",
    "class 1️⃣Note: Entity { var id: Id = 0 }\ntypealias A = Int\nenum NoteBinding { case a }",
    "enum Memo { struct 1️⃣Note: Entity { var id: Id } }\nfinal class Memo_NoteBinding {}",
  ])
  func `a binding may not have the name of a type of the sources`(_ text: String) {
    expectFindings(text, ["1️⃣ error: and the sources declare a type of this name; remove that type"])
  }

  @Test func `bindings of different entities may not have equal names`() {
    expectFindings(
      "struct Memo_Note: Entity { var id: Id }\nenum Memo { struct 1️⃣Note: Entity { var id: Id } }",
      ["1️⃣ error: declare 'Memo_NoteBinding' twice, for the entities 'Memo_Note', 'Memo.Note'"]
    )
  }

  @Test func `two entities may not share a database name, ignoring case`() {
    expectFindings(
      """
      struct 1️⃣Note: Entity { var id: Id }
      // objectbox: name = "note"
      struct 2️⃣Memo: Entity { var id: Id }
      enum Box { struct 3️⃣Note: Entity { var id: Id } }
      """,
      [
        "2️⃣ error: two entities are named 'note'",
        "3️⃣ error: two entities are named 'Note'",
      ]
    )
  }
}
