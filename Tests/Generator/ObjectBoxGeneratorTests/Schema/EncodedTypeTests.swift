import ObjectBoxGenerator
import Testing

/// Properties of the types URL and Decimal.
struct EncodedTypeTests {
  @Test(
    arguments: [
      ("URL", nil), ("URL?", nil), ("Foundation.URL", nil), ("Link", nil), ("Decimal", 103),
      ("Decimal?", 103), ("Foundation.Decimal?", 103), ("Amount", 103),
    ] as [(String, UInt16?)]
  )
  func `URLs and decimals are strings, and decimals have their mark`(
    _ type: String,
    _ externalType: UInt16?
  ) throws {
    let property = try property(
      "var it: \(type)",
      others: "typealias Link = URL\ntypealias Amount = Decimal"
    )
    #expect(property.type == .string)
    #expect(property.externalType == externalType)
    #expect(property.flags == [])
  }

  @Test(arguments: [
    ("URL(string: \"a\")!", "URL"), ("URL(fileURLWithPath: \"/\")", "URL"),
    ("Decimal()", "Decimal"), ("Decimal(1.5)", "Decimal"), ("1 as Decimal", "Decimal"),
    ("Decimal.zero", "Decimal"),
    ("nil as Decimal?", "Decimal?"),
  ])
  func `a default value tells the type`(_ value: String, _ type: String) throws {
    let property = try property("var it = \(value)")
    #expect(property.type == .string)
    #expect(property.swiftType == type)
  }

  @Test(
    arguments: [
      ("index", "Decimal", .value, 8), ("index = value", "Decimal", .value, 8),
      ("unique", "Decimal?", .value, 40), ("index", "URL", .hash, 2056),
      ("index = value", "URL?", .value, 8), ("index = hash64", "URL", .hash64, 4104),
      ("unique", "URL", .hash, 2088),
    ] as [(String, String, SchemaProperty.IndexKind, UInt32)]
  )
  func `decimals have value indexes, URLs those of strings`(
    _ annotation: String,
    _ type: String,
    _ index: SchemaProperty.IndexKind,
    _ flags: UInt32
  ) throws {
    let property = try property("// objectbox: \(annotation)\nvar it: \(type)")
    #expect(property.index == index)
    #expect(property.flags.rawValue == flags)
  }

  @Test func `both are parts of indexes over several properties`() throws {
    let note = try entity(
      "// objectbox: entity, uniqueTogether = [\"a\", \"b\"]\n"
        + "struct Note { var id: Id, a: URL, b: Decimal? }"
    )
    #expect(note.compoundIndexes.map(\.properties) == [["a", "b"]])
  }

  @Test func `a collation is for URLs, and not for decimals`() throws {
    let url = try property("// objectbox: index, collation = \"nocase\"\nvar it: URL")
    #expect(url.collation == .nocase)
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: index, 1️⃣collation = \"nocase\"\n"
        + "var it: Decimal }",
      ["1️⃣ error: has type 'Decimal', and a collation is for texts"]
    )
  }

  @Test func `other types are converted to them`() throws {
    let price = try property(
      "// objectbox: unique, convert = { \"dbType\": \"Decimal\" }\nvar it: Price?",
      others: "struct Price: RawRepresentable { var rawValue: Decimal }"
    )
    #expect(price.externalType == 103)
    #expect(price.index == .value)
    let text = try property(
      "// objectbox: convert = { \"dbType\": \"String\", \"converter\": \"C\" }\nvar it: Decimal"
    )
    #expect(text.externalType == nil)
  }

  // MARK: Findings

  @Test func `a decimal keeps its mark`() throws {
    let stated = try property("// objectbox: externalType = decimal128\nvar it: Decimal")
    #expect(stated.externalType == 103)
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: externalType = 1️⃣json\nvar it: Decimal }",
      ["1️⃣ error: has type 'Decimal', whose externalType is always 'decimal128'; remove it"]
    )
    #expect(try property("// objectbox: externalType = json\nvar it: URL").externalType == 109)
  }

  @Test(arguments: ["hash", "hash64"])
  func `decimals have no hashes`(_ kind: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: index = 1️⃣\(kind)\nvar it: Decimal }",
      ["1️⃣ error: the index annotation of 'Note.it' is none of"]
    )
  }

  @Test(arguments: ["URL", "Decimal"])
  func `lists are not stored, and a type of the sources hides Foundation's`(_ type: String) {
    expectFindings(
      "import Foundation\nstruct Note: Entity { var id: Id\nvar 1️⃣it: [\(type)] }",
      ["1️⃣ error: property 'it' of entity 'Note' has type '[\(type)]', which cannot be stored"]
    )
    expectFindings(
      "struct \(type) {}\nstruct Note: Entity { var id: Id\nvar 1️⃣it: \(type) }",
      ["1️⃣ error: has type '\(type)', which cannot be stored"]
    )
  }

  // MARK: The model and the code

  @Test func `the code reads both with errors, and the model keeps the mark`() throws {
    let built = SchemaBuilder.build([
      SourceFile(
        path: "A.swift",
        text: "public struct Note: Entity { var id: Id\nvar price: Decimal?\nlet link: URL }"
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
    let properties = try #require(parsed.model?.entities.first?.properties)
    #expect(properties.map(\.type) == [6, 9, 9])
    #expect(properties.map(\.externalType) == [nil, 103, nil])
    let code = try CodeRenderer.render(result.schema, result.model, visibility: "public")
    #expect(code.contains("public import Foundation\n"))
    #expect(code.contains(".externalType(103)"))
    #expect(code.contains("propertyCollector.prepare(encoded: entity.price)"))
    let named = "property: \"link\", entity: EntityType.entityInfo"
    #expect(code.contains("link: try entityReader.read(at: 8, \(named))"))
    #expect(code.contains(") throws -> EntityType"))
  }
}
