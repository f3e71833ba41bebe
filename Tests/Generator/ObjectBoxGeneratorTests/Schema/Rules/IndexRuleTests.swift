import ObjectBoxGenerator
import Testing

/// The indexes and flags for `index` and `unique`.
struct IndexRuleTests {
  static let replace = "unique = { \"onConflict\": \"replace\" }"

  @Test(arguments: [
    ("index", "String", SchemaProperty.IndexKind.hash, UInt32(2056)),
    ("index", "String?", .hash, 2056),
    ("index = hash", "String", .hash, 2056), ("index = \"hash64\"", "String", .hash64, 4104),
    ("index = value", "String", .value, 8), ("index", "NSString", .hash, 2056),
    ("index", "Int", .value, 8), ("index = value", "Int", .value, 8),
    ("index = 1", "Int", .value, 8),
    ("index", "UInt16", .value, 8200), ("index", "UInt16?", .value, 8200),
    ("index", "Bool", .value, 8),
    ("index", "Date", .value, 8), ("index, date-nano", "Date", .value, 8),
    ("index", "Byte", .value, 8),
    ("index", "Int8", .value, 8), ("index", "EntityId<Memo>", .value, 8),
    ("unique", "String", .hash, 2088), ("unique", "Int", .value, 40),
    ("unique = 1", "Int", .value, 40),
    (replace, "String", .hash, 34856), (replace, "Int64", .value, 32808),
    ("unique, index = value", "String", .value, 40),
    ("unique, index = hash64", "String", .hash64, 4136),
    ("index, unique", "String", .hash, 2088),
  ])
  func `indexes and their flags`(
    _ annotation: String,
    _ type: String,
    _ kind: SchemaProperty.IndexKind,
    _ flags: UInt32
  ) throws {
    let property = try property("// objectbox: \(annotation)\nvar it: \(type)")
    #expect(property.index == kind)
    #expect(property.flags.rawValue == flags)
  }

  @Test func `without an annotation there is no index`() throws {
    #expect(try property("var it: String").index == nil)
    #expect(try property("var it: String").flags == [])
  }

  @Test(arguments: [
    ("btree", "String"), ("hash", "Int"), ("hash64", "Date"), ("2", "Int"), ("true", "Int"),
    ("{}", "String"), ("Hash", "String"),
  ])
  func `unknown index words are faults`(_ word: String, _ type: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: index = 1️⃣\(word)\nvar it: \(type) }",
      ["1️⃣ error: the index annotation of 'Note.it' is none of"]
    )
  }

  @Test(
    arguments: ["Float", "Double", "Data", "[UInt8]", "[Float]", "[String]", "TimeInterval?"],
    ["index", "unique", "index = value"]
  )
  func `types without order of their own have no index`(_ type: String, _ annotation: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣\(annotation)\nvar it: \(type) }",
      ["1️⃣ error: property 'it' of entity 'Note' has type '\(type)', which cannot have an index"]
    )
  }

  @Test(arguments: [
    ("{ \"onConflict\": \"1️⃣fail\" }", "'onConflict' is neither 'replace' nor 'merge'"),
    ("{ \"onConflict\": 1️⃣true }", "'onConflict' is neither 'replace' nor 'merge'"),
    ("1️⃣{}", "'onConflict' is neither 'replace' nor 'merge'"),
    ("{ \"1️⃣conflict\": \"replace\" }", "the key 'conflict' is unknown"),
    ("{ \"onConflict\": \"replace\", \"1️⃣x\": 1 }", "the key 'x' is unknown"),
    ("1️⃣replace", "'replace' is unknown"), ("1️⃣2", "its value is no object"),
    ("1️⃣[1]", "its value is no object"),
  ])
  func `other forms of unique are faults that name the bad part`(_ value: String, _ bad: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: unique = \(value)\nvar it: Int? }",
      ["1️⃣ error: the unique annotation of 'it: Int?' in entity 'Note' cannot be used: \(bad)"]
    )
  }

  @Test func `a converted property is indexed as what it is stored as`() throws {
    let property = try property(
      "// objectbox: index, convert = { \"dbType\": \"String\", \"converter\": \"C\" }\nvar it: Money"
    )
    #expect(property.index == .hash)
    #expect(property.flags.rawValue == 2056)
  }
}
