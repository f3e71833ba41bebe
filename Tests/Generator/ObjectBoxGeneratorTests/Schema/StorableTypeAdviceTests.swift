import ObjectBoxGenerator
import Testing

/// Findings about types that cannot be stored, or cannot be the ID.
struct StorableTypeAdviceTests {
  @Test(arguments: [
    ("A?", "declare `var it: ToOne<A> = nil`"), ("A", "declare `var it: ToOne<A> = nil`"),
    ("[A]", "declare `var it: ToMany<A> = nil`"), ("[A]?", "declare `var it: ToMany<A> = nil`"),
    ("Array<A>", "ToMany<A>"), ("Set<A>", "ToMany<A>"), ("Alias?", "ToOne<A>"),
    ("[Alias]", "ToMany<A>"), ("Other", "ToOne<Other>"), ("[Int]", "declare it as [Int64]"),
    ("[Int]?", "declare it as [Int64]"), ("Set<Int>", "[Int64]"), ("[Double]", "[Float]"),
    ("[UInt32]", "[Int32]"), ("Locale", "\"converter\": \"SomeConverter\""),
    ("[URL]", "\"converter\": \"SomeConverter\""), ("Plain", "SomeConverter"),
  ])
  func `a type that cannot be stored is told with what to declare instead`(
    type: String,
    advice: String
  ) {
    expectFindings(
      """
      class Note: Entity { var id: Id = 0; var 1️⃣it: \(type) }
      class A: Entity { var id: Id = 0 }
      class Other { var id: Id = 0 }
      extension Other: Entity {}
      class Plain {}
      typealias Alias = A
      """,
      ["1️⃣ error: \(advice)"]
    )
  }

  @Test(arguments: [
    "[String: Int]", "Set<String>", "DateInterval", "[String: [Date?]]?", "Dictionary<Int, [URL]>",
    "Range<Int>", "[[Double]]", "Foundation.Locale", "Place", "[Place]", "Shape", "[Shape: Place]",
    "Late", "Halves?", "Alias", "Outer.Inner", "CGRect",
  ])
  func `the annotation codable comes first, and stores the type`(type: String) {
    let types = """
      struct Place: Hashable, Codable {}
      enum Shape: Hashable, Codable { case round }
      class Late {}
      extension Late: Codable {}
      struct Halves: Encodable, Decodable {}
      typealias Alias = [Int: Shape]
      enum Outer { struct Inner: Codable {} }
      """
    let advice = "annotate it with `// objectbox: codable` to store it as JSON text"
    let value = type.hasSuffix("?") ? "" : ", and give it a default value"
    expectFindings(
      "class Note: Entity { var id: Id = 0; var 1️⃣it: \(type) }\n" + types,
      ["1️⃣ error: which cannot be stored; \(advice)\(value); or with `// objectbox: convert"]
    )
    expectFindings(
      "class Note: Entity { var id: Id = 0; var 1️⃣it: \(type) = .some }\n" + types,
      ["1️⃣ error: \(advice); or with `// objectbox: convert"]
    )
    expectFindings(
      "class Note: Entity { var id: Id = 0\n// objectbox: codable\nvar it: \(type) = .some }\n"
        + types,
      []
    )
  }

  @Test(arguments: [
    "Plain", "[Plain]", "[String: Plain]", "Set<Plain>", "(Int, Int)", "Character", "[String: Any]",
    "Substring", "() -> Int", "Float80", "Other.Kind",
  ])
  func `codable is no advice for a type that may not conform to it`(type: String) throws {
    let source =
      "class Note: Entity { var id: Id = 0; var it: \(type) }\nclass Plain {}\n"
      + "class Half: Encodable {}\n"
    let built = SchemaBuilder.build([SourceFile(path: "a.swift", text: source)])
    let finding = try #require(built.diagnostics.first)
    #expect(
      finding.message.text.contains("which cannot be stored; annotate it with `// objectbox: conv")
    )
    #expect(!finding.message.text.contains("codable"))
  }

  @Test(arguments: [
    ("Int", "declare it as Id or EntityId<Note>"), ("Id?", "declare it as Id"),
    ("EntityId<Note>?", "declare it as Id"), ("UInt64", "annotate it with `// objectbox: id`"),
    ("Int64", "annotate it with `// objectbox: id`"), ("Int32", "declare it as Id"),
    ("EntityId<Other>", "declare it as Id or EntityId<Note>"),
  ])
  func `an ID of another type is told as such, not as missing`(type: String, advice: String) {
    expectFindings(
      "class Note: Entity { var 1️⃣id: \(type) = 0; var x = 0 }",
      ["1️⃣ error: 'Note.id' has type '\(type)' and so is not the ID of its entity"]
    )
    expectFindings("class Note: Entity { var 1️⃣id: \(type) = 0 }", ["1️⃣ error: \(advice)"])
  }

  @Test func `a text named id keeps its name`() {
    expectFindings(
      "class 1️⃣Note: Entity { var id = \"\" }",
      ["1️⃣ error: has no ID; add `var objectId: Id = 0`"]
    )
  }

  @Test func `an hnswIndex on another vector says the type alone`() {
    for type in ["[Double]", "[Double]?", "[Int64]", "[Int]"] {
      expectFindings(
        "class Note: Entity {\nvar id: Id = 0\n// objectbox:1️⃣hnswIndex: dimensions=2\nvar it: \(type)\n}",
        ["1️⃣ error: only [Float] can have one; declare 'it' as [Float]"]
      )
    }
  }
}
