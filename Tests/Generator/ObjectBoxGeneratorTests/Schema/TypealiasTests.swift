import ObjectBoxGenerator
import Testing

/// Typealiases of the sources in the types of properties and in extensions.
struct TypealiasTests {
  @Test(arguments: [
    ("typealias Key = EntityId<Note>", "Key", "EntityId<Note>"),
    ("typealias Words = [String]", "Words", "[String]"),
    ("typealias Words = [Word]; typealias Word = String", "Words?", "[String]?"),
    ("typealias Maybe = Int16?", "Maybe", "Int16?"),
    ("typealias A = Optional<B>; typealias B = Int", "A", "Int?"),
    ("enum E { enum F { typealias A = B }; typealias B = Int8 }", "E.F.A", "Int8"),
    ("extension Note { typealias A = B; typealias B = Int32 }", "A", "Int32"),
    ("typealias N = Note; extension Note { typealias Count = Int16 }", "N.Count", "Int16"),
    ("typealias E = F; enum F { typealias G = UInt8 }", "E.G", "UInt8"),
  ])
  func `chains, nesting and containers are followed`(
    _ others: String,
    _ type: String,
    _ expected: String
  ) throws {
    #expect(try property("var it: \(type)", others: others).swiftType == expected)
  }

  @Test func `the nearest name counts, be it a type or a typealias`() {
    expectFindings(
      """
      typealias Kind = Int
      struct Note: Entity {
        enum Kind: Int { case a }
        var id: Id
        var 1️⃣it: Kind
      }
      """,
      ["1️⃣ error: has type 'Note.Kind'"]
    )
  }

  @Test(arguments: [
    ("typealias A = B; typealias B = A", "A", "A"), ("typealias A = A", "A", "A"),
    ("typealias A = [A]", "A", "A"), ("typealias A = [B?]; typealias B = Optional<A>", "[B]", "B"),
    ("extension Note { typealias A = [Note.A] }", "A", "Note.A"),
  ])
  func `a typealias that stands for itself is told`(
    _ others: String,
    _ type: String,
    _ name: String
  ) {
    expectFindings(
      "struct Note: Entity { var id: Id\nvar 1️⃣it: \(type) }\n" + others,
      ["1️⃣ error: typealias '\(name)' stands for itself"]
    )
  }

  @Test(arguments: [
    ("typealias List<T> = [T]", "List<String>"), ("typealias List<T> = [T]", "[List<Int>]?"),
    ("typealias A = List<Int>; typealias List<T> = Array<T>", "A"),
  ])
  func `a typealias with parameters is told where a property uses it`(
    _ others: String,
    _ type: String
  ) {
    expectFindings(
      "struct Note: Entity { var id: Id\nvar 1️⃣it: \(type) }\n" + others,
      ["1️⃣ error: typealias 'List' has parameters"]
    )
    expectFindings("struct Note: Entity { var id: Id }\n" + others, [])
  }

  @Test(arguments: [
    "typealias A = A.B", "typealias A = B.C; typealias B = A.C", "typealias A = A.A",
  ])
  func `a typealias within itself ends`(_ others: String) {
    let text = "struct Note: Entity { var id: Id\nvar it: A }\n" + others
    let findings = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)]).diagnostics
    #expect(findings.count == 1)
  }

  @Test(arguments: [
    "typealias Memo = Note\nextension Memo: Entity {}",
    "extension Memo: Entity {}\ntypealias Memo = Text\ntypealias Text = Note",
    "enum E { typealias Memo = Note }\nextension E.Memo: Entity {}",
    "typealias Memo = Note\nextension App.Memo: Entity {}",
  ])
  func `an extension of a typealias extends its type`(_ others: String) throws {
    let files = [
      SourceFile(path: "A.swift", text: others),
      SourceFile(path: "B.swift", text: "struct Note { var id: Id }"),
    ]
    let result = SchemaBuilder.build(files)
    #expect(result.diagnostics.map(\.description) == [])
    #expect(result.schema.entities.map(\.qualifiedName) == ["Note"])
  }

  @Test func `a type of another module is not one of the sources that has its name`() {
    expectFindings(
      "enum Kind: Int { case a }\nstruct Note: Entity { var id: Id\nvar 1️⃣it: Other.Kind }",
      ["1️⃣ error: has type 'Other.Kind'"]
    )
  }
}
