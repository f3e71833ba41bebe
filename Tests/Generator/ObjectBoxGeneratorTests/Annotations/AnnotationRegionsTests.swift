import ObjectBoxGenerator
import ObjectBoxSwiftReader
import Testing

/// Annotations for all declarations of a region or a file, and the code of templates.
struct AnnotationRegionsTests {
  private func parse(_ text: String, prefix: String = "objectbox") -> ParsedSource {
    SourceParser().parse(SourceFile(path: "Note.swift", text: text), annotationPrefix: prefix)
  }

  /// Returns the variables of all types with their annotations' names.
  private func variables(_ body: String) -> [String] {
    let parsed = parse("struct Note {\n\(body)\n}\n")
    #expect(parsed.diagnostics.map(\.description) == [])
    return parsed.types.flatMap(\.variables).map { variable in
      ([variable.name] + variable.annotations.names).joined(separator: " ")
    }
  }

  @Test func `a region gives its annotations to each declaration within it, and to no other`() {
    let body = """
      var a: Int
      // objectbox:begin: index, unique
      var b: Int

      /// Text.
      var c: Int; var d: Int
      // objectbox:end
      var e: Int
      """
    #expect(variables(body) == ["a", "b index unique", "c index unique", "d index unique", "e"])
  }

  @Test(arguments: [
    "// objectbox:begin: index", "// objectbox: begin: index", "/* objectbox:begin:index */",
    "/// objectbox: begin : index", "/*\n * objectbox:begin: index\n */",
  ])
  func `a region begins in any comment`(_ opening: String) {
    #expect(
      variables("\(opening)\nvar a: Int\n/* objectbox:end */ var b: Int") == ["a index", "b"]
    )
  }

  @Test
  func `the nearest gives a name: the declaration, then the inner region, then the outer one`()
    throws
  {
    let parsed = parse(
      """
      // objectbox:file: name = "file", uid
      struct Note {
        // objectbox:begin: index = hash, externalName = "outer"
        var a: Int
        // objectbox:begin: index = hash64, unique
        var b: Int
        // objectbox: index = value
        var c: Int
        // objectbox:end
        var d: Int
        // objectbox:end
        var e: Int
      }
      """
    )
    #expect(parsed.diagnostics.isEmpty)
    let variables = try #require(parsed.types.first).variables
    let index = variables.map { $0.annotations["index"]?.value.string ?? "" }
    #expect(index == ["hash", "hash64", "value", "hash", ""])
    let external = variables.map { $0.annotations.has("externalName") }
    #expect(external == [true, true, true, true, false])
    #expect(variables.map { $0.annotations.has("unique") } == [false, true, true, false, false])
    #expect(
      variables.map { $0.annotations["name"]?.value.string } == Array(repeating: "file", count: 5)
    )
    #expect(variables.map { $0.annotations["uid"]?.value } == Array(repeating: .bare, count: 5))
  }

  @Test func `a file annotation holds from its line on`() {
    let parsed = parse(
      "class A {}\n// objectbox:file: entity\nclass B { var a: Int }\nclass C {}\n"
    )
    #expect(parsed.types.map(\.annotations.names) == [[], ["entity"], ["entity"]])
    // A variable takes only annotations of variables.
    #expect(parsed.types[1].variables[0].annotations.names == [])
    #expect(parsed.diagnostics.isEmpty)
  }

  @Test func `a region around types makes entities, nested ones too`() throws {
    let text = """
      // objectbox:begin: entity, sync
      struct Note { var id: Id; struct Part { var id: Id } }
      enum Kind { case a }
      // objectbox:end
      struct Other { var id: Id }
      """
    let result = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
    #expect(result.diagnostics.map(\.description) == [])
    #expect(result.schema.entities.map(\.qualifiedName) == ["Note", "Note.Part"])
    #expect(result.schema.entities.map(\.flags) == [.syncEnabled, .syncEnabled])
  }

  @Test func `a region takes dictionaries and namespaces as any annotation does`() throws {
    let parsed = parse(
      """
      struct Note {
        // objectbox:begin: hnswIndex: dimensions=2
        // objectbox:begin: unique = { "onConflict": "replace" }
        var a: [Float]
        // objectbox:end
        // objectbox:end
      }
      """
    )
    let annotations = try #require(parsed.types.first?.variables.first).annotations
    #expect(annotations["hnswIndex"]?.value == .dictionary(["dimensions": .integer(2)]))
    #expect(annotations["unique"]?.value == .dictionary(["onConflict": .text("replace")]))
  }

  @Test func `an extension in a region replaces nothing that its type says`() throws {
    let text = """
      // objectbox:file: name = "all"
      // objectbox: name = "own"
      struct Note: Entity { var id: Id }
      extension Note {}
      extension String {}
      """
    #expect(try entity(text).databaseName == "own")
  }

  @Test func `a region makes no entity of an extension of another module's type`() throws {
    let text = "// objectbox:file: entity\nextension String {}\nstruct Note { var id: Id }"
    #expect(try entity(text).qualifiedName == "Note")
  }

  @Test func `the prefix of regions changes with that of all annotations`() {
    let text = "// stored:file: entity\n// objectbox:file: sync\nclass Note {}"
    #expect(parse(text, prefix: "stored").types.map(\.annotations.names) == [["entity"]])
  }

  @Test func `the code of a template is left out, with its annotations`() {
    let body = """
      var a: Int
      // objectbox:inline:Note.Stored
      var b: Int
      // objectbox: index
      // objectbox:begin: unique
      struct Inner {}
      enum Kind { case a }
      init() {}
      // objectbox:end
      var c: Int
      """
    #expect(variables(body) == ["a", "c"])
    let parsed = parse("// objectbox:inline:A\nactor A {}\ntypealias B = Int\n// objectbox:end\n")
    #expect(parsed.typealiases.isEmpty && parsed.types.isEmpty && parsed.diagnostics.isEmpty)
  }

  @Test func `ends without a beginning and beginnings without an end are warned of`() {
    expectFindings(
      """
      // objectbox: 1️⃣end
      // objectbox:2️⃣begin: entity
      struct Note {
        var id: Id
        // objectbox:begin: index
        var a: Int
        // objectbox:end
      }
      // objectbox:3️⃣inline:Rest
      struct Other: Entity {}
      """,
      [
        "1️⃣ warning: this ends no region", "2️⃣ warning: reaches to the end of the file",
        "3️⃣ warning: the rest of the file is left out",
      ]
    )
  }

  @Test func `a region without an end reaches to the end of the file`() {
    let parsed = parse("class A {}\n// objectbox:begin: entity\nclass B {}\n\nclass C {}")
    #expect(parsed.types.map(\.annotations.names) == [[], ["entity"], ["entity"]])
  }

  @Test func `what is wrong with a region is told once, at the region`() {
    expectFindings(
      """
      // objectbox:begin: 1️⃣entty, 2️⃣= 3
      struct Note: Entity {
        var id: Id
        var a: Int
      }
      // objectbox:end
      """,
      ["1️⃣ error: unknown annotation 'entty'", "2️⃣ error: has a value and no name"]
    )
  }

  @Test func `other annotations that look like the words of a region stay annotations`() {
    expectFindings(
      "// objectbox: entity, 1️⃣begin\nstruct Note { var id: Id\n// objectbox: 2️⃣file\nvar a: Int }",
      ["1️⃣ error: unknown annotation 'begin'", "2️⃣ error: unknown annotation 'file'"]
    )
  }
}
