import ObjectBoxGenerator
import Testing

/// The choice of the ID property.
struct IDRuleTests {
  private func id(_ body: String, around: (String, String) = ("", "")) throws -> SchemaProperty? {
    try entity("\(around.0)struct Note: Entity {\n\(body)\n}\(around.1)").idProperty
  }

  @Test(arguments: [
    "Id", "EntityId<Note>", "UInt64", "Int64", "ObjectBox.Id", "EntityId< Note >", "EntityId<Self>",
  ])
  func `an annotated property of an ID type is the ID`(_ type: String) throws {
    let id = try id("var other: Id\n// objectbox: id\nvar key: \(type)\nvar id: Id")
    #expect(id?.name == "key")
    #expect(id?.type == .long)
    #expect(id?.flags == .id)
    #expect(id?.index == nil)
  }

  @Test(arguments: [
    ("var a: Int\nvar key: Id", "key"), ("var key: EntityId<Note>\nvar other: Int64", "key"),
    ("var key: Id\nvar other: EntityId<Memo>", "key"), ("var key: Id\nvar other: Id?", "key"),
    ("var other: Id\nvar id: Id", "id"), ("var ID: Id\nvar other: Id", "ID"),
    ("var uniqueId: Id\nvar objectId: Id", "objectId"), ("var a: Id\nvar UniqueID: Id", "UniqueID"),
    ("var objectid: Id\nvar Id: EntityId<Note>", "Id"),
    ("typealias Key = EntityId<Note>\nvar key: Key", "key"),
    ("// objectbox: transient\nvar other: Id = 0\nvar key: Id", "key"),
    ("static var other: Id\nvar key: Id", "key"), ("var other: Id { 0 }\nvar key: Id", "key"),
    ("struct Id {}\nvar key: ObjectBox.Id", "key"), ("var key: EntityId<`Note`>", "key"),
  ])
  func `without annotation the type decides, then the name`(_ body: String, _ name: String) throws {
    #expect(try id(body)?.name == name)
  }

  @Test(arguments: ["EntityId<Shelf>", "EntityId<Library.Shelf>", "EntityId<Self>"])
  func `a nested entity may name itself in full or in short`(_ type: String) throws {
    let entity = try entity("enum Library { struct Shelf: Entity { var key: \(type) } }")
    #expect(entity.idProperty?.name == "key")
    #expect(entity.idProperty?.swiftType == "EntityId<Library.Shelf>")
  }

  @Test(arguments: [
    ("id", PropertyFlags.id), ("id = 1", .id), ("id = { \"assignable\": false }", .id),
    ("id = { \"assignable\": true }", PropertyFlags(rawValue: 129)),
  ])
  func `the ID may be assignable`(_ annotation: String, _ flags: PropertyFlags) throws {
    #expect(try id("// objectbox: \(annotation)\nvar key: Id")?.flags == flags)
  }

  @Test func `the ID needs no index, whatever else it is annotated with`() throws {
    let id = try id("// objectbox: index, unique\nvar id: Id")
    #expect(id?.flags == .id)
    #expect(id?.index == nil)
  }

  @Test(arguments: [
    "yes", "{ \"assignable\": \"true\" }", "{ \"assign\": true }", "2", "{}",
    "{ \"assignable\": true, \"x\": 1 }",
  ])
  func `other forms of the annotation are faults`(_ value: String) {
    expectFindings(
      "struct Note: Entity {\n// objectbox: id = 1️⃣\(value)\nvar key: Id }",
      ["1️⃣ error: the id annotation of 'Note.key'"]
    )
  }

  @Test func `a second ID names both`() {
    expectFindings(
      """
      struct Note: Entity {
        // objectbox: id
        var 1️⃣a: Id
        // objectbox: 2️⃣id
        var b: Id
        // objectbox: 3️⃣id
        var c: Id
      }
      """,
      [
        "2️⃣ error: entity 'Note' has two IDs, 'a' and 'b'",
        "3️⃣ error: entity 'Note' has two IDs, 'a' and 'c'",
      ]
    )
  }

  @Test func `a second ID comes with a note at the first`() {
    let source = MarkedSource(
      "struct Note: Entity {\n// objectbox: id\nvar 1️⃣a: Id\n// objectbox: 2️⃣id\nvar b: Id }"
    )
    let finding = SchemaBuilder.build([source.file]).diagnostics.first
    #expect(source.mark(at: finding?.position) == "2️⃣")
    #expect(finding?.notes.map { source.mark(at: $0.position) } == ["1️⃣"])
  }

  @Test(arguments: ["var a: Int", "", "var a: UInt64"])
  func `an entity without ID tells how to get one`(_ body: String) {
    expectFindings(
      "struct 1️⃣Note: Entity {\n\(body)\n}",
      [
        "1️⃣ error: entity 'Note' has no ID; add `var id: Id = 0` or a property of type EntityId<Note>"
      ]
    )
  }

  @Test func `several candidates without a usual name are told in order`() {
    expectFindings(
      "struct 1️⃣Note: Entity { var b: Id\nvar a: EntityId<Note>\nvar c: Id }",
      ["1️⃣ error: could be its ID: 'b', 'a', 'c'"]
    )
  }

  @Test(arguments: ["Int", "String", "Id?", "EntityId<Memo>", "UInt32", "UUID"])
  func `an annotated property of another type is a fault`(_ type: String) {
    expectFindings(
      "struct Note: Entity {\n// objectbox: id\nvar 1️⃣key: \(type) }",
      ["1️⃣ error: the ID 'key' of entity 'Note' has type '\(type)'"]
    )
  }

  @Test(arguments: [
    "// objectbox: id\nvar 1️⃣id = make()", "var 1️⃣id = make()", "// objectbox: id\nvar 1️⃣id: Locale",
  ])
  func `no ID is missed where another fault hides it`(_ body: String) {
    expectFindings("struct Note: Entity {\n\(body)\n}", ["1️⃣ error: property 'id'"])
  }

  @Test func `a constant ID is kept as such`() throws {
    #expect(try id("let id: Id")?.isMutable == false)
  }
}
