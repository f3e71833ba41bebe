import ObjectBoxGenerator
import Testing

struct PropertyRuleTests {
  @Test(
    arguments: [
      ("Bool", PropertyType.bool, PropertyFlags()), ("Int8", .byte, []),
      ("UInt8", .byte, .unsigned),
      ("Int16", .short, []), ("UInt16", .short, .unsigned), ("Int32", .int, []),
      ("UInt32", .int, .unsigned), ("Int", .long, []), ("UInt", .long, .unsigned),
      ("Int64", .long, []), ("UInt64", .long, .unsigned), ("Float", .float, []),
      ("Double", .double, []), ("TimeInterval", .double, []), ("String", .string, []),
      ("Date", .date, []), ("NSDate", .date, []), ("Data", .byteVector, []),
      ("[UInt8]", .byteVector, []), ("Array<UInt8>", .byteVector, []), ("[Int32]", .intVector, []),
      ("[Int64]", .longVector, []), ("[Float]", .floatVector, []), ("[String]", .stringVector, []),
      ("Swift.Int", .long, []), ("Foundation.Date", .date, []), ("EntityId<B>", .long, []),
      ("UInt16?", .short, []), ("String!", .string, []), ("Optional<Int>", .long, []),
      ("Swift.Optional<[UInt8]>", .byteVector, []), ("( Double )?", .double, []),
      ("Words", .stringVector, []), ("Words?", .stringVector, []),
    ] as [(String, PropertyType, PropertyFlags)]
  )
  func `each Swift type has its property type and flag`(
    type: String,
    expected: PropertyType,
    flags: PropertyFlags
  ) throws {
    let x = try property("  var x: \(type)")
    #expect(x.type == expected)
    #expect(x.flags == flags)
    #expect(x.isOptional == (type.contains("?") || type.contains("!") || type.contains("Optional")))
  }

  @Test(arguments: [
    ("\"text\"", "String"), ("true", "Bool"), ("3", "Int"), ("-3", "Int"), ("2.5", "Double"),
    ("-2.5", "Double"), ("[\"a\", \"b\"]", "[String]"), ("Date()", "Date"), ("Int32(7)", "Int32"),
    ("UInt8.max", "UInt8"), ("Date.init()", "Date"), ("Data(repeating: 0, count: 3)", "Data"),
    ("[UInt8]()", "[UInt8]"),
  ])
  func `the type is found from the default value`(value: String, type: String) throws {
    #expect(try property("  var x = \(value)").swiftType == type)
  }

  @Test func `dates and bytes have their special types`() throws {
    #expect(try property("// objectbox: date-nano\nvar x: Date = Date()").type == .dateNano)
    #expect(try property("// objectbox: type = \"date-nano\"\nvar x: Date?").type == .dateNano)
    #expect(try property("// objectbox: flex\nvar x: Data = Data()").type == .flex)
    #expect(try property("// objectbox: type = \"flex\"\nvar x: [UInt8]?").type == .flex)
    for (annotation, type) in [
      ("date-nano", "Int"), ("flex", "String"), ("type = \"other\"", "Date"),
    ] {
      expectFinding(
        ["does not fit 'A.x'"],
        in: "class A: Entity {\nvar id: Id = 0\n// objectbox: 1️⃣\(annotation)\nvar x: \(type)\n}"
      )
    }
  }

  @Test func `indexes are hashes for texts and values for the rest`() throws {
    let indexed: PropertyFlags = .indexed
    #expect(try property("// objectbox: index\nvar x: Int = 0").flags == indexed)
    #expect(
      try property("// objectbox: index\nvar x: String = \"\"").flags == [.indexed, .indexHash]
    )
    #expect(try property("// objectbox: index = value\nvar x: String = \"\"").flags == indexed)
    #expect(
      try property("// objectbox: index = hash64\nvar x: String?").flags == [
        .indexed, .indexHash64,
      ]
    )
    #expect(
      try property("// objectbox: unique\nvar x: String = \"\"").flags.rawValue == 2088
    )
    #expect(
      try property("// objectbox: unique = { \"onConflict\": \"replace\" }\nvar x: String?").flags
        .rawValue == 34856
    )
    #expect(
      try property("// objectbox: unique, index = value\nvar x: String = \"\"").flags == [
        .unique, .indexed,
      ]
    )
  }

  @Test(arguments: ["Float", "Double", "Data", "[Float]", "[String]"])
  func `types without order have no index`(type: String) {
    expectFinding(
      ["'x'", "'\(type)'", "cannot have an index"],
      in: "class A: Entity {\nvar id: Id = 0\n// objectbox: 1️⃣index\nvar x: \(type)\n}"
    )
  }

  @Test(arguments: [
    "index = other", "index = hash", "unique = { \"onConflict\": \"fail\" }",
    "unique = { \"other\": \"replace\" }", "unique = yes",
  ])
  func `a wrong index or unique is told`(annotation: String) {
    expectFinding(
      [annotation.hasPrefix("index") ? "index annotation" : "unique annotation", "x"],
      in: "class A: Entity {\nvar id: Id = 0\n// objectbox: 1️⃣\(annotation)\nvar x: Int\n}"
    )
  }

  @Test func `convert takes the stored type from the annotation or from the enum`() throws {
    let raw = try property("// objectbox: convert = { \"default\": \".a\" }\nvar x: E = .a")
    #expect(raw.type == .long)
    #expect(raw.conversion == Conversion(databaseType: "Int", defaultValue: ".a"))
    let text = try property("// objectbox: convert = { \"dbType\": \"String?\" }\nvar x: S?")
    #expect(text.type == .string)
    let short = try property("// objectbox: convert = \"UInt8\"\nvar x: Other?")
    #expect(short.type == .byte)
    #expect(short.flags == .unsigned)
    let custom = try property(
      "// objectbox: convert = { \"dbType\": \"Int64\", \"converter\": \"C\" }\nvar x: Other"
    )
    #expect(custom.conversion?.converter == "C")
  }

  @Test(arguments: [
    ("convert", "says nothing"),
    ("convert = { \"default\": \".a\" }", "does not say what is stored"),
    ("convert = \"Int\"", "what an unknown stored value becomes"),
    ("convert = { \"other\": \"x\" }", "'other'"), ("convert = { \"dbType\": 3 }", "'dbType'"),
  ])
  func `a wrong convert is told`(annotation: String, words: String) {
    expectFinding(
      ["'A.x'", words],
      in: "class A: Entity {\nvar id: Id = 0\n// objectbox: 1️⃣\(annotation)\nvar x: Other\n}"
    )
  }

  @Test func `a type that cannot be stored is told with the remedies`() {
    expectFinding(
      ["'x'", "'URL'", "convert", "transient"],
      in: "class A: Entity {\nvar id: Id = 0\nvar 1️⃣x: URL\n}"
    )
    expectFinding(
      ["'x'", "'E'", "default"],
      in: "class A: Entity {\nvar id: Id = 0\nvar 1️⃣x: E\n}\nenum E: Int { case a }"
    )
    expectFinding(
      ["declare the type"],
      in: "class A: Entity {\nvar id: Id = 0\nvar 1️⃣x = f { 3 }\n}"
    )
    expectFinding(
      ["'ToOne<B>'", "not supported"],
      in: "class A: Entity {\nvar id: Id = 0\nvar 1️⃣x: ToOne<B>\n}"
    )
  }

  @Test func `the library's own alias has no type number, so that old models stay as they are`()
    throws
  {
    let x = try property("  var x: Byte = 0")
    #expect(x.type == nil)
    #expect(x.flags == [])
  }

  @Test func `uid asks for a number, or to be told one`() throws {
    #expect(try property("// objectbox: uid = 12345\nvar x: Int").uid == .value(12345))
    #expect(try property("// objectbox: uid\nvar x: Int").uid == .tell)
    #expect(try property("// objectbox: uid = 1\nvar x: Int").uid == .tell)
    #expect(try property("  var x: Int").uid == .none)
    expectFinding(
      ["uid of 'A.x'"],
      in: "class A: Entity {\nvar id: Id = 0\n// objectbox: 1️⃣uid = abc\nvar x: Int\n}"
    )
  }
}
