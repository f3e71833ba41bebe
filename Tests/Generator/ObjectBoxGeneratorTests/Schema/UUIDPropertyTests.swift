import ObjectBoxGenerator
import Testing

/// Properties of the type UUID.
struct UUIDPropertyTests {
  @Test(
    arguments: [
      "UUID", "UUID?", "UUID!", "Foundation.UUID", "Optional<Foundation.UUID>", "Key",
    ]
  )
  func `a UUID is kept as bytes that are a UUID outside`(_ type: String) throws {
    let property = try property("var it: \(type)", others: "typealias Key = UUID")
    #expect(property.type == .byteVector)
    #expect(property.externalType == 102)
    #expect(property.unwrappedType == "UUID")
    #expect(property.flags == [])
  }

  @Test(
    arguments: [
      ("UUID()", "UUID"), ("Foundation.UUID()", "UUID"), ("UUID.init()", "UUID"),
      ("UUID(uuidString: \"a\")!", "UUID"), ("UUID.make()", "UUID"), ("nil as UUID?", "UUID?"),
    ]
  )
  func `a default value tells that it is a UUID`(_ value: String, _ type: String) throws {
    let property = try property("var it = \(value)")
    #expect(property.type == .byteVector)
    #expect(property.swiftType == type)
  }

  @Test func `an external type that is stated wins`() throws {
    let property = try property("// objectbox: externalType = uuidV4\nvar it: UUID")
    #expect(property.type == .byteVector)
    #expect(property.externalType == 105)
  }

  @Test func `bytes without an external type have none`() throws {
    #expect(try property("var it: Data").externalType == nil)
  }

  @Test(
    arguments: [
      ("index", 8), ("index = value", 8), ("unique", 40), ("unique, index", 40),
      ("unique = { \"onConflict\": \"replace\" }", 32808),
    ] as [(String, UInt32)]
  )
  func `UUIDs have value indexes`(_ annotation: String, _ flags: UInt32) throws {
    let property = try property("// objectbox: \(annotation)\nvar it: UUID?")
    #expect(property.index == .value)
    #expect(property.flags.rawValue == flags)
  }

  @Test func `UUIDs are parts of indexes over several properties`() throws {
    let note = try entity(
      "// objectbox: entity, uniqueTogether = [\"a\", \"b\"]\n"
        + "struct Note { var id: Id, a: UUID, b: UUID? }"
    )
    #expect(note.compoundIndexes.map(\.properties) == [["a", "b"]])
  }

  @Test func `a property 'id' may be a UUID when another one is the object ID`() throws {
    let note = try entity(
      "struct Note: Entity {\n// objectbox: id\nvar number: Id\nvar id = UUID()\n}"
    )
    #expect(note.idProperty?.name == "number")
    #expect(note.properties.map(\.type) == [.long, .byteVector])
  }

  @Test func `a UUID named 'id' alone is no object ID, and the advice leaves it its name`() {
    expectFindings(
      "// objectbox: entity\nstruct 1️⃣Note { var id = UUID() }",
      ["1️⃣ error: entity 'Note' has no ID; add `var objectId: Id = 0` or"]
    )
  }

  // MARK: Conversions

  @Test func `a converted UUID is kept as the conversion says`() throws {
    let convert = "convert = { \"dbType\": \"String\", \"converter\": \"C\" }"
    let text = try property("// objectbox: unique, \(convert)\nvar it: UUID")
    #expect(text.type == .string)
    #expect(text.externalType == nil)
    #expect(text.index == .hash)
    let bytes = try property(
      "// objectbox: \(convert.replacing("String", with: "Data"))\nvar it: UUID"
    )
    #expect(bytes.type == .byteVector)
    #expect(bytes.externalType == nil)
  }

  @Test func `other types are converted to UUIDs`() throws {
    let property = try property(
      "// objectbox: unique, convert = { \"dbType\": \"UUID\" }\nvar it: Key?",
      others: "struct Key: RawRepresentable { var rawValue: UUID }"
    )
    #expect(property.type == .byteVector)
    #expect(property.externalType == 102)
    #expect(property.index == .value)
  }

  // MARK: Findings

  @Test func `lists of UUIDs are not stored`() {
    expectFindings(
      "import Foundation\nstruct Note: Entity { var id: Id\nvar 1️⃣it: [UUID] }",
      ["1️⃣ error: property 'it' of entity 'Note' has type '[UUID]', which cannot be stored"]
    )
  }

  @Test func `a type of the sources hides Foundation's`() {
    expectFindings(
      """
      struct UUID {}
      struct Note: Entity { var id: Id
      var 1️⃣it: UUID }
      """,
      ["1️⃣ error: has type 'UUID', which cannot be stored"]
    )
    expectFindings(
      """
      struct Note: Entity {
        struct UUID {}
        var id: Id
        var 1️⃣it: UUID
      }
      """,
      ["1️⃣ error: has type 'Note.UUID', which cannot be stored"]
    )
  }

  @Test(arguments: ["1️⃣flex", "type = \"1️⃣flex\"", "1️⃣date-nano"])
  func `UUIDs are kept in one way`(_ annotation: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: \(annotation)\nvar it: UUID }",
      ["1️⃣ error: does not fit 'Note.it' of type 'UUID'"]
    )
  }

  @Test func `hashes and other bytes are refused as before`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: index = 1️⃣hash\nvar it: UUID }",
      ["1️⃣ error: the index annotation of 'Note.it' is none of"]
    )
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣index, externalType = uuid\nvar it: Data }",
      ["1️⃣ error: has type 'Data', which cannot have an index"]
    )
    expectFindings(
      "// objectbox: entity, indexTogether = 1️⃣[\"a\", \"b\"]\n"
        + "struct Note { var id: Id, a: UUID, b: Data }",
      ["1️⃣ error: names 'b' of type 'Data', which cannot have an index"]
    )
  }

  // MARK: The model

  @Test func `the model keeps the external type, and generated code states it`() throws {
    let built = SchemaBuilder.build([
      SourceFile(
        path: "A.swift",
        text: "public struct Note: Entity { var id: Id\n// objectbox: unique\nvar key: UUID? }"
      )
    ])
    var uids = UIDGenerator(isDeterministic: true)
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: ModelDocument(),
      uids: &uids
    )
    let parsed = ModelDocument.parse(result.model.text, path: "model.json")
    #expect(parsed.model == result.model)
    let key = try #require(parsed.model?.entities.first?.properties.last)
    #expect(key.type == 23)
    #expect(key.externalType == 102)
    #expect(key.flags == [.unique, .indexed])
    let again = ModelSynchronizer.synchronize(
      built.schema,
      with: result.model,
      uids: &uids
    )
    #expect(again.changes == [])
    let code = try CodeRenderer.render(
      result.schema,
      result.model,
      visibility: "public"
    )
    #expect(code.contains("public import Foundation\n"))
    #expect(code.contains(".externalType(102)"))
    #expect(code.contains("propertyCollector.prepare(uuid: entity.key)"))
  }
}
