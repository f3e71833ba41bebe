import ObjectBoxGenerator
import Testing

/// The variables that become properties, and the effects of their annotations.
struct PropertyRuleTests {
  private func names(_ body: String) throws -> [String] {
    try entity("struct Note: Entity {\nvar id: Id\n\(body)\n}").properties.map(\.name)
  }

  @Test(arguments: [
    "var a: Int", "let a: Int", "public var a: Int", "private(set) var a: Int", "var a = 1",
    "var a: Int = 1 { didSet {} }", "@Wrapped var a: Int",
    "weak var a: NSString?",
    "var a: String!",
  ])
  func `stored variables become properties`(_ body: String) throws {
    #expect(try names(body) == ["id", "a"])
  }

  @Test(arguments: [
    "static var a: Int", "static let a = 1", "var a: Int { 1 }", "var a: Int { get { 1 } set {} }",
    "// objectbox: transient\nvar a: URL?",
    "// objectbox: transient = whatever\nprivate let a = 1",
    "// objectbox: transient\nvar a: ToMany<Memo> = nil",
  ])
  func `others do not`(_ body: String) throws {
    #expect(try names(body) == ["id"])
  }

  @Test func `properties come in declaration order, those of extensions behind`() throws {
    #expect(try names("var c: Int\nvar a, b: Int") == ["id", "c", "a", "b"])
  }

  @Test func `inherited variables are not included`() throws {
    let result = SchemaBuilder.build([
      SourceFile(
        path: "A.swift",
        text: "class Base { var a: Int = 1 }\nclass Note: Base, Entity { var id: Id = 0 }"
      )
    ])
    #expect(result.schema.entities.first?.properties.map(\.name) == ["id"])
  }

  @Test(arguments: [
    ("name = \"other\"", "other"), ("name = other", "other"), ("name = \"\"", "it"), ("name", "it"),
  ])
  func `the name annotation names the property in the database only`(
    _ annotation: String,
    _ name: String
  ) throws {
    let property = try property("// objectbox: \(annotation)\nvar it: Int")
    #expect(property.name == "it")
    #expect(property.databaseName == name)
  }

  @Test func `names come without backticks`() throws {
    #expect(try names("var `default`: Int") == ["id", "default"])
  }

  @Test func `constants are told apart`() throws {
    #expect(try property("let it: Int").isMutable == false)
    #expect(try property("var it: Int").isMutable)
  }

  @Test func `private properties are faults`() {
    expectFindings(
      "struct Note: Entity { var id: Id\nprivate var 1️⃣a: Int\nfileprivate let 2️⃣b: Int }",
      ["1️⃣ error: 'a' of entity 'Note' is private", "2️⃣ error: 'b' of entity 'Note' is private"]
    )
  }

  @Test(arguments: ["a", "A", "á"])
  func `two properties may not share a database name, ignoring case`(_ name: String) {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        var 1️⃣\(name): Int
        // objectbox: name = "\(name.uppercased())"
        var 2️⃣b: String
      }
      """,
      [
        "2️⃣ error: properties '\(name)' and 'b' of entity 'Note' are both named "
          + "'\(name.uppercased())'"
      ]
    )
  }

  @Test func `the same property in two branches of a condition is one`() throws {
    #expect(
      try names("#if A\nvar a: Int\n#else\nvar a: Int\nvar b: Int\n#endif") == ["id", "a", "b"]
    )
  }

  // MARK: Dates and bytes

  @Test(arguments: [
    ("date-nano", "Date", SchemaPropertyType.dateNano), ("type = \"date-nano\"", "Date", .dateNano),
    ("date-nano", "Date?", .dateNano), ("date-nano", "NSDate", .dateNano),
    ("flex", "Data", .flex), ("flex", "[UInt8]", .flex), ("type = flex", "Data?", .flex),
  ])
  func `annotations keep dates in nanoseconds and bytes as flex`(
    _ annotation: String,
    _ type: String,
    _ kept: SchemaPropertyType
  ) throws {
    #expect(try property("// objectbox: \(annotation)\nvar it: \(type)").type == kept)
  }

  @Test(arguments: [
    ("1️⃣date-nano", "Int64"), ("1️⃣date-nano", "Data"), ("1️⃣flex", "String"), ("1️⃣flex", "Date"),
    ("type = \"1️⃣date\"", "Date"), ("1️⃣type", "Date"), ("type = \"1️⃣flex\"", "Date"),
    ("date-nano, type = \"1️⃣date-nano\"", "Date"), ("flex, type = 1️⃣flex", "Data"),
  ])
  func `on other types, twice or unknown they are faults`(_ annotation: String, _ type: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: \(annotation)\nvar it: \(type) }",
      ["1️⃣ error: does not fit 'Note.it' of type '\(type)'"]
    )
  }

  // MARK: External names and types

  @Test func `external name and type are kept`() throws {
    let property = try property(
      "// objectbox: externalName = \"_it\", externalType = mongoId\nvar it: Int?"
    )
    #expect(property.externalName == "_it")
    #expect(property.externalType == 123)
  }

  @Test(arguments: [
    ("unknown", 0), ("int128", 100), ("uuid", 102), ("decimal128", 103), ("uuidString", 104),
    ("uuidV4", 105), ("uuidV4String", 106), ("flexMap", 107), ("flexVector", 108), ("json", 109),
    ("bson", 110), ("javaScript", 111), ("jsonToNative", 112), ("int128Vector", 116),
    ("uuidVector", 118), ("mongoId", 123), ("mongoIdVector", 124), ("mongoTimestamp", 125),
    ("mongoBinary", 126), ("mongoRegex", 127),
  ])
  func `external types have their numbers`(_ name: String, _ number: UInt16) throws {
    #expect(
      try property("// objectbox: externalType = \"\(name)\"\nvar it: Data").externalType == number
    )
  }

  @Test(arguments: [
    ("1️⃣mongoID", "is 'mongoID', which is unknown; did you mean 'mongoId'?"),
    ("'1️⃣postgres'", "is 'postgres', which is unknown; write"),
    ("1️⃣\"\"", "is '', which is unknown"), ("1️⃣{}", "names no type"),
  ])
  func `other external types are faults`(_ value: String, _ text: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: externalType = \(value)\nvar it: Data }",
      ["1️⃣ error: the externalType of 'Note.it' \(text)"]
    )
  }
}
