import ObjectBoxGenerator
import Testing

struct AnnotationPlacementTests {
  @Test(arguments: [
    "  // objectbox: index\n  var x: Int = 0",
    "  //objectbox:index\n  var x: Int = 0",
    "  ///  objectbox:index\n  var x: Int = 0",
    "  /* objectbox: index */\n  var x: Int = 0",
    "  /** objectbox: index */\n  var x: Int = 0",
    "  /*\n   * objectbox: index\n   */\n  var x: Int = 0",
    "  /* objectbox: index */ var x: Int = 0",
    "  /* other */ /* objectbox: index */ var x: Int = 0",
    "  // objectbox: index\n  /// About x.\n  // plain\n  var x: Int = 0",
    "  // objectbox: index\n  @Wrapped var x: Int = 0",
    "  // objectbox: index\n  @Wrapped\n  var x: Int = 0",
    "  @Wrapped\n  // objectbox: index\n  var x: Int = 0",
    "  // objectbox: index\n  public private(set) var x: Int = 0",
    "  var a: Int = 0 // plain\n  // objectbox: index\n  var x: Int = 0",
  ])
  func `an annotation above or before a declaration counts`(members: String) throws {
    #expect(try property(members).index == .value)
  }

  @Test(arguments: [
    "  // objectbox: index\n\n  var x: Int = 0",
    "  // objectbox: index\n  var a: Int = 0\n  var x: Int = 0",
    "  var x: Int = 0 // objectbox: index",
    "  // // objectbox: index\n  var x: Int = 0",
    "  // Objectbox: index\n  var x: Int = 0",
    "  // objectbox : index\n  var x: Int = 0",
    "  // see objectbox: index\n  var x: Int = 0",
    "  /* objectbox: index */ var a: Int = 0\n  var x: Int = 0",
    "  var a: Int = 0 // objectbox: index\n  var x: Int = 0",
  ])
  func `an annotation elsewhere does not count`(members: String) throws {
    #expect(try property(members).index == nil)
  }

  @Test func `code before a declaration on its line hides the comments above`() {
    let result = schema("// objectbox: entity\nclass A { var id: Id = 0 }\n")
    #expect(result.diagnostics.isEmpty)
    #expect(result.schema.entities.first?.properties.map(\.flags) == [.id])
  }

  @Test(arguments: [
    "// objectbox: index, unique", "// objectbox: index\n  // objectbox: unique",
    "/* objectbox: index */\n  /// objectbox: unique", "// objectbox:unique ,index",
  ])
  func `several items stand on one line or on several`(comment: String) throws {
    let x = try property("  \(comment)\n  var x: Int = 0")
    #expect(x.flags == [.indexed, .unique])
  }

  @Test(arguments: ["hash", "\"hash\"", "'hash'", " hash "])
  func `quotes around a value are no part of it`(value: String) throws {
    #expect(try property("  // objectbox: index = \(value)\n  var x: String = \"\"").index == .hash)
  }

  @Test func `commas in brackets and quotes do not separate items`() throws {
    let x = try property(
      "  // objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"C\" }, name = \"a,b\"\n"
        + "  var x: Other = Other()"
    )
    #expect(x.conversion?.converter == "C")
    #expect(x.databaseName == "a,b")
  }

  @Test func `another prefix makes other annotations`() {
    let source = SourceFile(
      path: "A.swift",
      text: "// db: entity\nclass A { var id: Id = 0 }\n// objectbox: entity\nclass B {}"
    )
    let result = SchemaBuilder.build([source], annotationPrefix: "db")
    #expect(result.schema.entities.map(\.typeName) == ["A"])
  }

  @Test func `an unknown annotation is told at its name, with the nearest known one`() {
    expectFinding(
      ["'indx'", "'A.x'", "'index'"],
      in: """
        // objectbox: entity
        class A {
          var id: Id = 0
          // objectbox: name = "y", 1️⃣indx
          var x: Int = 0
        }
        """
    )
    expectFinding(["'entitty'", "'entity'"], in: "// objectbox: 1️⃣entitty\nclass A {}")
  }

  @Test func `a namespace makes a dictionary`() {
    expectFinding(
      ["'hnswIndex'", "not supported"],
      in: """
        // objectbox: entity
        class A {
          var id: Id = 0
          // objectbox: 1️⃣hnswIndex: dimensions=2, neighborsPerNode=30
          var x: [Float] = []
        }
        """
    )
  }
}
