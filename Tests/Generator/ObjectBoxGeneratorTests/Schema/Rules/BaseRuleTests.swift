import Testing

@testable import ObjectBoxGenerator

/// Entities that inherit stored variables from base classes.
struct BaseRuleTests {
  private func build(_ texts: String...) -> SchemaBuilder.Result {
    SchemaBuilder.build(
      texts.enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    )
  }

  private func names(_ result: SchemaBuilder.Result) -> [String: [String]] {
    #expect(result.diagnostics.map(\.description) == [])
    return Dictionary(
      uniqueKeysWithValues: result.schema.entities.map { entity in
        (entity.qualifiedName, (entity.properties.map(\.name) + entity.relations.map(\.name)))
      }
    )
  }

  @Test func `several entities inherit the variables of a chain of bases in other files`() {
    let result = build(
      "class Order: Titled, Entity { var total = 0.0 }\nclass Memo: Titled, Entity {}",
      "// objectbox: base\nclass Titled: Middle { var title = \"\"; var all: ToMany<Order> = nil }",
      "class Middle: Root { var unsaved = 0 }",
      "typealias Root = Outer.Dated",
      """
      enum Outer {
        // objectbox: base
        class Dated {
          enum Kind: Int { case a }
          var id: Id = 0
          // objectbox: convert = { "default": ".a" }
          var kind: Kind = .a
          // objectbox: transient
          var skipped = 0
          static let one = 1
          var text: String { "" }
        }
      }
      """
    )
    #expect(
      names(result) == [
        "Order": ["id", "kind", "title", "total", "all"], "Memo": ["id", "kind", "title", "all"],
      ]
    )
    let order = result.schema.entities.first { $0.typeName == "Order" }
    #expect(order?.idProperty?.name == "id")
    #expect(order?.properties[1].swiftType == "Outer.Dated.Kind")
    #expect(order?.properties[2].position.path == "1.swift")
  }

  @Test func `annotations of a base's properties and its indexes apply to each entity`() throws {
    let result = build(
      """
      // objectbox: base, indexTogether = ["a", "b"]
      // objectbox: fulltextTogether = { "name": "words", "properties": { "b": 1, "d": 2 } }
      @MainActor class Root {
        // objectbox: id = { "assignable": true }
        var key: UInt64 = 0
        // objectbox: unique, name = "first"
        var a = 1
        // objectbox: index = value
        var b = ""
        var d = ""
        // objectbox: onDelete = "cascade"
        var next: ToOne<One> = nil
      }
      // objectbox: uniqueTogether = ["c", "b"]
      class One: Root, Entity { var c = 0 }
      class Two: Root, Entity { }
      """
    )
    #expect(result.diagnostics.map(\.description) == [])
    for entity in result.schema.entities {
      #expect(entity.idProperty?.flags == [.id, .idSelfAssignable])
      #expect(entity.properties[1].databaseName == "first")
      #expect(entity.properties[1].flags.contains(.unique))
      #expect(entity.properties[2].index == .value)
      #expect(entity.properties[4].onDelete == .cascade)
      #expect(entity.fullTextIndexes.map(\.name) == ["words"])
      #expect(entity.isolation == .mainActor)
    }
    #expect(result.schema.entities.map(\.compoundIndexes.count) == [2, 1])
    #expect(result.schema.entities[0].compoundIndexes[0].properties == ["a", "b"])
  }

  @Test func `a superclass without the annotation is left out, as before`() {
    let result = build(
      "class Plain { var a = 1; var b: URL? }",
      "class Note: Plain, Entity { var id: Id = 0; override var a: Int { didSet {} } }"
    )
    #expect(names(result) == ["Note": ["id", "a"]])
  }

  @Test
  func `a base in a region of entities is none of them, and an entity in one of bases no base`() {
    let entities = build(
      "// objectbox: file: entity\n// objectbox: base\nclass Root { var id: Id = 0 }\nclass A: Root {}"
    )
    #expect(names(entities) == ["A": ["id"]])
    let bases = build(
      "// objectbox: begin: base\nclass Root { var id: Id = 0 }\nclass A: Root, Entity {}\n// objectbox: end"
    )
    #expect(names(bases) == ["A": ["id"]])
  }

  @Test func `an entity or one of its bases declares the ID, and only one of them`() {
    expectFindings(
      """
      // objectbox: base
      class Root { var name = "" }
      class 1️⃣A: Root, Entity {}
      class B: Root, Entity { var id: Id = 0 }
      // objectbox: base
      class Keyed: Root {
        // objectbox: id
        var key: Id = 0
      }
      class C: Keyed, Entity {
        // objectbox: 2️⃣id
        var other: Id = 0
      }
      """,
      ["1️⃣ error: entity 'A' has no ID", "2️⃣ error: entity 'C' has two IDs, 'key' and 'other'"]
    )
  }

  @Test func `faults of a base's properties are told once, at the base`() {
    expectFindings(
      """
      // objectbox: base
      class Root {
        var id: Id = 0
        private var 1️⃣secret = 1
        var 2️⃣view: Set<Int> = []
        let 3️⃣fixed = 1
        var 4️⃣next: ToOne<Root> = nil
        // objectbox: 5️⃣indx
        var name = ""
      }
      class A: Root, Entity {}
      """,
      [
        "1️⃣ error: property 'secret' of base 'Root' is private",
        "2️⃣ error: property 'view' of base 'Root' has type",
        "3️⃣ error: property 'fixed' of base 'Root' is a constant", "4️⃣ error: which is a base",
        "5️⃣ error: unknown annotation 'indx' on 'Root.name'",
      ]
    )
  }

  @Test func `two entities share the findings about their base`() {
    let base = "// objectbox: base\nclass Root { var id: Id = 0; private var x = 1 }\n"
    let one = build(base + "class A: Root, Entity {}")
    let two = build(base + "class A: Root, Entity {}\nclass B: Root, Entity {}")
    #expect(one.diagnostics.count == 1)
    #expect(two.diagnostics == one.diagnostics)
  }

  @Test func `equal database names of a base and an entity are told`() {
    expectFindings(
      """
      // objectbox: base
      class Root { var id: Id = 0; var title = "" }
      class A: Root, Entity { var 1️⃣Title = "" }
      """,
      ["1️⃣ error: properties 'title' and 'Title' of entity 'A'"]
    )
  }

  @Test func `what cannot be a base is refused`() {
    expectFindings(
      """
      // objectbox: 1️⃣base
      struct S { var id: Id = 0 }
      // objectbox: 2️⃣base
      protocol P { var id: Id { get } }
      // objectbox: entity, 3️⃣base
      class E { var id: Id = 0 }
      // objectbox: base
      class 4️⃣G<T> { var id: Id = 0 }
      class A: G<Int>, Entity {}
      // objectbox: base
      private class 5️⃣H {}
      // objectbox: base, 6️⃣name = "x", 7️⃣sync
      class I {}
      // objectbox: base
      extension 8️⃣Elsewhere {}
      """,
      [
        "1️⃣ error: 'S' is a struct", "2️⃣ error: 'P' is a protocol",
        "3️⃣ error: 'E' is annotated as an entity and as a base", "4️⃣ error: base 'G' is generic",
        "5️⃣ error: base 'H' is private", "6️⃣ error: the annotation 'name' cannot be used on base 'I'",
        "7️⃣ error: the annotation 'sync' cannot be used on base 'I'",
        "8️⃣ error: 'Elsewhere' is made a base by an extension",
      ]
    )
  }

  @Test func `an entity inherits from no other entity`() {
    expectFindings(
      """
      class 1️⃣A: Entity { var id: Id = 0 }
      class B: A {}
      class 2️⃣C: B, Entity { var other: Id = 0 }
      """,
      ["2️⃣ error: entity 'C' inherits from entity 'A', and an entity has no subclasses that"]
    )
  }

  @Test func `an override of a stored property of a base is refused, that of others is not`() {
    expectFindings(
      """
      // objectbox: base
      class Root {
        var id: Id = 0
        var name = ""
        // objectbox: transient
        var isOpen = false
        var size: Int { 1 }
      }
      // objectbox: base
      class Middle: Root { override var 1️⃣id: Id { didSet {} } }
      class A: Middle, Entity {
        override var 2️⃣name: String { get { "" } set {} }
        override var isOpen: Bool { didSet {} }
        override var size: Int { 2 }
      }
      """,
      [
        "1️⃣ error: 'id' of base 'Middle' overrides a stored property of base 'Root'",
        "2️⃣ error: 'name' of entity 'A' overrides a stored property of base 'Root'",
      ]
    )
  }

  @Test func `annotated requirements of a struct's protocols are refused, at any depth`() {
    let result = build(
      "struct Place: Named, Entity { var id: Id; var name: String }\nclass Note: Named, Entity { var id: Id = 0; var name = \"\" }",
      "protocol Named: Middle {}",
      "protocol Middle: Base {}",
      "protocol Base {\n  // objectbox: index\n  var name: String { get }\n}"
    )
    let errors = result.diagnostics.filter(\.isError)
    #expect(
      errors.map(\.line) == [
        "0.swift:1:8: error: entity 'Place' conforms to 'Base', whose requirement 'name' has "
          + "annotations, and structs inherit none; put them on the property of the struct, and "
          + "remove them from the protocol"
      ]
    )
    #expect(errors.first?.notes.first?.position?.path == "3.swift")
    // As before: the annotation has no effect.
    #expect(result.diagnostics.filter { !$0.isError }.map(\.position?.path) == ["3.swift"])
  }

  @Test func `a misspelt annotation of a base is told`() {
    expectFindings(
      "// 1️⃣ObjectBox: base\nclass Root { var id: Id = 0 }\nclass A: Root, Entity { var key: Id = 0 }",
      ["1️⃣ warning: is not the prefix of annotations"]
    )
  }

  @Test func `superclasses in a circle end`() {
    expectFindings(
      "// objectbox: base\nclass A: B {}\n// objectbox: base\nclass B: A {}\nclass C: A, Entity { var id: Id = 0 }",
      []
    )
  }
}
