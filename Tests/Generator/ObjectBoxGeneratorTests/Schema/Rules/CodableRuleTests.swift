import Testing

@testable import ObjectBoxGenerator

/// The rule of the `codable` annotation.
struct CodableRuleTests {
  private static func conversion(_ stored: String, _ defaultValue: String? = nil) -> Conversion {
    var conversion = Conversion(
      databaseType: stored,
      converter: "ObjectBox.CodableText",
      defaultValue: defaultValue
    )
    conversion.isCodable = true
    return conversion
  }

  @Test(arguments: [
    ("codable", "let it: Plain?", conversion("String?")),
    ("codable = 1", "var it: [Plain?]?", conversion("String?")),
    ("codable = {}", "var it: Plain? = Plain()", conversion("String?")),
    ("codable", "var it: [String: Plain] = [:]", conversion("String", "[:]")),
    ("codable", "var it = Plain(a: 1)", conversion("String", "Plain(a: 1)")),
    ("codable", "var it: Plain = Self.usual", conversion("String", "Self.usual")),
    ("codable = { \"default\": \".init()\" }", "let it: Plain", conversion("String", ".init()")),
    ("codable = { \"default\": \"x\" }", "var it = Plain()", conversion("String", "x")),
    ("codable: default = x", "let it: Plain", conversion("String", "x")),
    ("codable = { \"default\": \"x\" }", "var it: Plain?", conversion("String?", "x")),
    ("codable = { \"default\": \"\" }", "var it = Plain()", conversion("String", "Plain()")),
  ])
  func `forms of the annotation`(
    _ annotation: String,
    _ declaration: String,
    _ conversion: Conversion
  ) throws {
    let property = try property("// objectbox: \(annotation)\n\(declaration)")
    #expect(property.conversion == conversion)
    #expect(property.type == .string)
    #expect(property.flags == [])
    #expect(property.imports == [])
  }

  @Test func `a text may have an index, be unique and ignore case`() throws {
    let property = try property(
      "// objectbox: codable, unique, index = hash64, collation = nocase, name = \"was\"\nvar it: Plain?"
    )
    #expect(property.flags == [.unique, .indexed, .indexHash64])
    #expect(property.collation == .nocase)
    #expect(property.databaseName == "was")
    let entity = try entity(
      "// objectbox: uniqueTogether = [\"a\", \"b\"]\nstruct Note: Entity {\nvar id: Id\nvar a: Int\n"
        + "// objectbox: codable\nvar b: Plain?\n}"
    )
    #expect(entity.compoundIndexes.map(\.properties) == [["a", "b"]])
  }

  @Test(arguments: [
    ("Plain", "Plain()", ["import Shapes", "internal import Colors"]),
    ("Own", "Plain.own", ["import Shapes", "internal import Colors"]),
    ("[String: [Int?]]", "[:]", []), ("Own", ".init()", []), ("Inner", "Self.first", []),
  ])
  func `a default value brings the imports of its file where it needs them`(
    _ type: String,
    _ value: String,
    _ imports: [String]
  ) throws {
    let built = SchemaBuilder.build([
      SourceFile(
        path: "Note.swift",
        text: "import Foundation\nimport Shapes\ninternal import Colors\n"
          + "struct Own {}\nstruct Note: Entity {\nstruct Inner {}\nvar id: Id\n"
          + "// objectbox: codable\nvar it: \(type) = \(value)\n}"
      )
    ])
    #expect(built.diagnostics == [])
    #expect(built.schema.entities.first?.properties.last?.imports == imports)
  }

  @Test func `misplaced annotations are told where they stand`() {
    expectFindings(
      """
      struct Note: Entity {
        // objectbox: 1️⃣codable
        var id: Id
        // objectbox: 2️⃣codable
        static var shared: Plain?
        // objectbox: index, 3️⃣codable
        var computed: Plain? { nil }
        // objectbox: transient, 4️⃣codable
        var left: Plain?
        // objectbox: 5️⃣codable
        var one: ToOne<Note>
        // objectbox: 6️⃣codable
        var many: ToMany<Note>
      }
      """,
      [
        "1️⃣ error: the annotation 'codable' cannot be used on 'Note.id', the ID of its entity; remove it",
        "2️⃣ error: cannot be used on 'Note.shared', a static variable; remove it",
        "3️⃣ error: cannot be used on 'Note.computed', a computed variable; remove it",
        "4️⃣ error: cannot be used on 'Note.left', a transient variable; remove it",
        "5️⃣ error: cannot be used on 'Note.one', a to-one relation; remove it",
        "6️⃣ error: cannot be used on 'Note.many', a to-many relation; remove it",
      ]
    )
    expectFindings(
      "// objectbox: entity, 1️⃣codable\nstruct Note { var id: Id }",
      ["1️⃣ error: unknown annotation 'codable' on 'Note'"]
    )
    expectFindings(
      "struct Note: Entity {\n// objectbox: id, 1️⃣codable\nvar it: EntityId<Note>\n}",
      ["1️⃣ error: 'Note.it', the ID of its entity"]
    )
  }

  @Test func `a region gives it to properties alone`() {
    expectFindings(
      """
      struct Note: Entity {
        // objectbox:begin: codable
        var id: Id
        static var shared: Plain?
        var it: Plain?
        // objectbox:end
      }
      """,
      []
    )
  }

  @Test func `what it cannot be made of is told`() {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: 1️⃣codable
        var a: Plain
        // objectbox: codable
        var 2️⃣b = make()
        // objectbox: codable = 3️⃣json
        var c: Plain?
        // objectbox: codable = { "4️⃣defualt": "x", "5️⃣converter": "C" }
        var d: Plain?
        // objectbox: convert = { "dbType": "Int" }, 6️⃣codable
        var e: Plain?
        // objectbox: 7️⃣codabel
        var f: Int
        // objectbox: codable, 8️⃣onDelete = cascade
        var g: Plain?
        // objectbox: codable, 9️⃣flex
        var h: Plain?
      }
      """,
      [
        "1️⃣ error: does not say what a record without a value reads as; give the property a default value",
        "2️⃣ error: the type of property 'b' of entity 'Note' cannot be told from its default value",
        "3️⃣ error: has a value that it does not take; write `codable` or `codable = { \"default\": ",
        "4️⃣ error: has 'defualt', which is unknown or no text; it takes the text 'default'",
        "5️⃣ error: has 'converter', which is unknown or no text; it takes the text 'default'",
        "6️⃣ error: cannot be used: it stands beside 'convert'; a property has one of them; remove it",
        "7️⃣ error: did you mean 'codable'?",
        "8️⃣ error: 'Note.g', which is no relation",
        "9️⃣ error: annotation 'flex' does not fit",
      ]
    )
  }
}
