import ObjectBoxGenerator
import Testing

struct EntityRuleTests {
  @Test(arguments: [
    "// objectbox: entity\nclass A { var id: Id = 0 }",
    "// objectbox: Entity\nstruct A { var id: Id }",
    "class A: Entity { var id: Id = 0 }", "struct A: Codable, Entity { var id: Id }",
    "class A: ObjectBox.Entity { var id: Id = 0 }",
    "class A { var id: Id = 0 }\nextension A: Entity {}",
  ])
  func `an annotation or the protocol makes an entity`(source: String) {
    let result = schema(source)
    #expect(result.diagnostics.isEmpty)
    #expect(result.schema.entities.map(\.typeName) == ["A"])
    #expect(result.schema.entities.first?.declaresConformance == !source.contains("objectbox"))
  }

  @Test func `a subclass of an entity is none, nor are protocols and enums`() {
    let result = schema(
      "class A: Entity { var id: Id = 0 }\nclass B: A {}\nprotocol Entity2 {}\n"
        + "// objectbox: name = \"x\"\nenum C { case a }"
    )
    #expect(result.schema.entities.map(\.typeName) == ["A"])
  }

  @Test func `entities come in the order of their names, whatever the order of files`() {
    let a = SourceFile(path: "1.swift", text: "class Zebra: Entity { var id: Id = 0 }")
    let b = SourceFile(path: "2.swift", text: "class Ape: Entity { var id: Id = 0 }")
    #expect(SchemaBuilder.build([a, b]).schema == SchemaBuilder.build([b, a]).schema)
    #expect(SchemaBuilder.build([a, b]).schema.entities.map(\.typeName) == ["Ape", "Zebra"])
  }

  @Test func `nested entities are qualified, and extensions in other files add properties`() {
    let result = SchemaBuilder.build([
      SourceFile(path: "1.swift", text: "enum Outer { struct A: Entity { var id: Id } }"),
      SourceFile(path: "2.swift", text: "extension Outer.A { /* objectbox: x */ func f() {} }"),
    ])
    #expect(result.schema.entities.map(\.qualifiedName) == ["Outer.A"])
    #expect(result.schema.entities.map(\.databaseName) == ["A"])
  }

  @Test func `only stored instance variables are properties`() throws {
    let result = schema(
      """
      // objectbox: entity
      class A {
        var id: Id = 0
        static var s = 0
        class var c: Int { 0 }
        var computed: Int { 1 }
        var both: Int { get { 1 } set {} }
        // objectbox: transient
        var cache: [Int: Int] = [:]
        var observed: Int = 0 { didSet {} }
        private(set) var readable: Int = 0
        lazy var later: Int = 0
        let fixed: Int = 0
        var a: Int = 0, b: String = ""
        func f() { var local: Foo = Foo() }
      }
      """
    )
    #expect(result.diagnostics.isEmpty)
    let names = result.schema.entities[0].properties.map(\.name)
    #expect(names == ["id", "observed", "readable", "later", "fixed", "a", "b"])
    #expect(result.schema.entities[0].properties.first { $0.name == "fixed" }?.isMutable == false)
  }

  @Test func `names of entities and properties come from annotations, empty ones do not count`() {
    let result = schema(
      """
      // objectbox: entity, name = "Books"
      class Book {
        var id: Id = 0
        // objectbox: name = "headline"
        var title: String = ""
        // objectbox: name = ""
        var text: String = ""
      }
      """
    )
    #expect(result.schema.entities[0].databaseName == "Books")
    #expect(result.schema.entities[0].properties.map(\.databaseName) == ["id", "headline", "text"])
  }

  // MARK: Findings

  @Test func `faults of entities are told at their places`() {
    expectFinding(["entity 'A'", "no ID", "EntityId<A>"], in: "class 1️⃣A: Entity { var x = 0 }")
    expectFinding(["generic"], in: "class 1️⃣A<T>: Entity { var id: Id = 0 }")
    expectFinding(
      ["'id'", "private"],
      in: "class A: Entity { private var 1️⃣id: Id = 0 }"
    )
    expectFinding(
      ["'A'", "declaration is not in the sources"],
      in: "extension 1️⃣A: Entity { var id: Id { 0 } }"
    )
    expectFinding(
      ["'b'", "case does not count"],
      in: "// objectbox: name = \"B\"\nclass A: Entity { var id: Id = 0 }\n"
        + "// objectbox: name = \"b\"\nclass 1️⃣Z: Entity { var id: Id = 0 }"
    )
    expectFinding(
      ["'x' and 'X'"],
      in: "class A: Entity { var id: Id = 0; var x = 0; var 1️⃣X = 0 }"
    )
  }

  @Test func `two IDs are told at the second, with a note at the first`() {
    let source = Marked(
      """
      // objectbox: entity
      class A {
        // objectbox: id
        var a: Id = 0
        // objectbox: 1️⃣id
        var b: Id = 0
      }
      """
    )
    let findings = schema(source.text).diagnostics
    #expect(findings.map(\.position) == [source.position])
    #expect(findings.first?.message.text.contains("'a' and 'b'") == true)
    #expect(findings.first?.notes.first?.position?.line == 4)
  }

  @Test func `the ID is the annotated one, the only candidate, or the best name`() {
    func id(_ members: String) -> String? {
      schema("class A: Entity { \(members) }").schema.entities.first?.idProperty?.name
    }
    #expect(id("var key: Id = 0") == "key")
    #expect(id("var key: EntityId<A> = 0") == "key")
    #expect(id("var key: Id = 0; var ID: Id = 0") == "ID")
    #expect(id("var key: Id = 0; var uniqueId: Id = 0") == "uniqueId")
    #expect(id("var key: Id = 0\n/* objectbox: id */ var other: UInt64 = 0") == "other")
    #expect(id("/* objectbox: id */ var signed: Int64 = 0") == "signed")
    #expect(id("var key: EntityId<B> = 0; var id: Id = 0") == "id")
    expectFinding(
      ["'one', 'two'"],
      in: "class 1️⃣A: Entity { var one: Id = 0; var two: Id = 0 }"
    )
    expectFinding(
      ["'key'", "'String'"],
      in: "class A: Entity {\n // objectbox: id\n var 1️⃣key: String = \"\"\n}"
    )
  }

  @Test func `assignable IDs have their flag, and an ID is never unsigned`() throws {
    let result = schema(
      "class A: Entity {\n// objectbox: id = { \"assignable\": true }\nvar id: UInt64 = 0\n}"
    )
    #expect(result.schema.entities[0].idProperty?.flags == [.id, .idSelfAssignable])
    #expect(result.schema.entities[0].idProperty?.type == .long)
  }

  @Test func `a source with a merge conflict or a syntax error is told`() {
    expectFinding(
      ["merge conflict"],
      in: "class A {}\n1️⃣<<<<<<< HEAD\nclass B {}\n=======\nclass C {}\n>>>>>>> other\n"
    )
    let findings = schema("class A: Entity {\n  var id: Id = \n}\n").diagnostics
    #expect(findings.contains { $0.isError && ($0.position?.line ?? 0) >= 2 })
  }

  @Test func `all findings of a run are told, in the order of their places`() {
    let result = schema(
      """
      class A: Entity { var x: Foo = Foo() }
      class B: Entity { var y: Bar? }
      """
    )
    #expect(result.diagnostics.count == 4)
    #expect(
      result.diagnostics.compactMap(\.position)
        == result.diagnostics.compactMap(\.position).sorted()
    )
  }

  @Test func `generated files are skipped`() {
    let text = GeneratedFile.marker + "\nclass A: Entity {}\n"
    #expect(schema(text).schema.entities.isEmpty)
  }

  @Test func `sync sets the flags of the entity`() {
    func flags(_ annotation: String) -> EntityFlags? {
      schema("// objectbox: entity, \(annotation)\nclass A { var id: Id = 0 }").schema.entities
        .first?
        .flags
    }
    #expect(flags("sync") == .syncEnabled)
    #expect(flags("sync = { \"sharedGlobalIds\": true }") == [.syncEnabled, .sharedGlobalIds])
    expectFinding(
      ["'A'", "'other'"],
      in: "// objectbox: entity, 1️⃣sync = { \"other\": true }\nclass A { var id: Id = 0 }"
    )
  }
}
