import ObjectBoxGenerator
import Testing

/// The property type of each declared type.
struct TypeTableTests {
  static let types: [(type: String, kept: SchemaPropertyType, flags: PropertyFlags)] = [
    ("Bool", .bool, []),
    ("Int8", .byte, []), ("UInt8", .byte, .unsigned),
    ("Int16", .short, []), ("UInt16", .short, .unsigned),
    ("Int32", .int, []), ("UInt32", .int, .unsigned),
    ("Int", .long, []), ("UInt", .long, .unsigned),
    ("Int64", .long, []), ("UInt64", .long, .unsigned),
    ("Id", .long, []), ("EntityId<Memo>", .long, []),
    ("Float", .float, []), ("Double", .double, []),
    ("TimeInterval", .double, []), ("NSTimeInterval", .double, []),
    ("String", .string, []), ("NSString", .string, []),
    ("Date", .date, []), ("NSDate", .date, []),
    ("Data", .byteVector, []), ("NSData", .byteVector, []), ("UUID", .byteVector, []),
    ("[UInt8]", .byteVector, []),
    ("[Int32]", .intVector, []), ("[Int64]", .longVector, []),
    ("[Float]", .floatVector, []), ("[String]", .stringVector, []),
  ]

  private func kept(_ type: String, _ others: String = "") throws -> SchemaProperty {
    try property("var it: \(type)", others: others)
  }

  @Test(arguments: types)
  func `every type of the table`(
    _ type: String,
    _ kept: SchemaPropertyType,
    _ flags: PropertyFlags
  ) throws {
    let property = try self.kept(type)
    #expect(property.type == kept)
    #expect(property.flags == flags)
    #expect(property.swiftType == type)
    #expect(property.unwrappedType == type)
    #expect(!property.isOptional)
  }

  @Test(arguments: types, ["?", "!", "Optional"])
  func `optionals map alike, and the model has no flag of unsigned ones`(
    _ row: (type: String, kept: SchemaPropertyType, flags: PropertyFlags),
    _ spelling: String
  ) throws {
    let declared = spelling == "Optional" ? "Optional<\(row.type)>" : row.type + spelling
    let property = try kept(declared)
    #expect(property.type == row.kept)
    #expect(property.flags == row.flags)
    #expect(property.omitsUnsignedFlag == row.flags.contains(.unsigned))
    #expect(property.swiftType == row.type + "?")
    #expect(property.unwrappedType == row.type)
    #expect(property.isOptional)
  }

  @Test(arguments: [
    ("Swift.Int", "Int"), ("Foundation.Date", "Date"), ("ObjectBox.Id", "Id"),
    ("Array<UInt8>", "[UInt8]"), ("Swift.Array<Swift.UInt8>", "[UInt8]"), ("[ UInt8 ]", "[UInt8]"),
    ("[Swift.String]", "[String]"), ("(Int)", "Int"), ("(Int)?", "Int?"), ("((Int))", "Int"),
    ("Swift.Optional<Swift.Int>", "Int?"), ("ImplicitlyUnwrappedOptional<Int>", "Int?"),
    ("Optional<Array<UInt8>>", "[UInt8]?"), ("[UInt8]!", "[UInt8]?"),
    ("EntityId< Memo >", "EntityId<Memo>"),
  ])
  func `other spellings of a type are the same type`(_ spelling: String, _ type: String) throws {
    #expect(try kept(spelling).swiftType == type)
  }

  @Test(arguments: [
    ("typealias Count = Int32", "Count", "Int32"), ("typealias Count = Int32", "Count?", "Int32?"),
    ("typealias Count = Int32?", "Count", "Int32?"),
    ("typealias A = B; typealias B = Swift.Int", "A", "Int"),
    ("typealias Bytes = [UInt8]", "Bytes", "[UInt8]"),
    ("typealias Scalar = Float", "[Scalar]", "[Float]"),
    ("extension Note { typealias Count = Int16 }", "Count", "Int16"),
    ("enum E { typealias Count = Inner; typealias Inner = Int8 }", "E.Count", "Int8"),
    ("typealias Count = Int8; extension Note { typealias Count = Int16 }", "Count", "Int16"),
    ("typealias Byte = UInt8", "Byte", "UInt8"),
  ])
  func `typealiases of the sources stand for their type`(
    _ others: String,
    _ type: String,
    _ expected: String
  ) throws {
    #expect(try kept(type, others).swiftType == expected)
  }

  @Test(arguments: ["Byte", "Byte?", "ObjectBox.Byte"])
  func `a type that only the runtime maps has no type in the model`(_ type: String) throws {
    let property = try kept(type)
    #expect(property.type == nil)
    #expect(property.unwrappedType == "Byte")
    #expect(property.flags == [])
  }

  @Test(arguments: [
    "Locale", "NSUUID", "[UUID]", "[Double]", "[Int]", "[Bool]", "[String?]", "[String: Int]",
    "Set<String>",
    "() -> Void", "((Int) -> Void)?", "(Int, Int)", "any Sequence", "Character", "Calendar",
    "[[UInt8]]",
    "IdList", "Memo",
  ])
  func `other types are faults that name property and type`(_ type: String) {
    let shown = type == "((Int) -> Void)?" ? "(Int) -> Void?" : type
    let near = ["[Int]": "declare it as [Int64], or ", "[Double]": "declare it as [Float], or "]
    expectFindings(
      "struct Note: Entity { var id: Id\nvar 1️⃣it: \(type) }",
      [
        "1️⃣ error: property 'it' of entity 'Note' has type '\(withoutNeedlessBlanks(shown))', "
          + "which cannot be stored; \(near[type] ?? "")annotate it with `// objectbox: "
      ]
    )
  }

  private func withoutNeedlessBlanks(_ type: String) -> String {
    type.replacing(", ", with: ",").replacing(": ", with: ":")
  }

  @Test(arguments: ["Int??", "Optional<Int?>", "Int?!", "Name?", "Optional<Name>", "(Name)?"])
  func `an optional within an optional is a fault`(_ type: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\nvar 1️⃣it: \(type) }\ntypealias Name = String?",
      ["1️⃣ error: property 'it' of entity 'Note' has an optional within an optional"]
    )
  }

  @Test(arguments: ["Name", "Optional<Plain>", "Plain?", "(Int)?", "(Int?)"])
  func `a single optional is not`(_ type: String) throws {
    let others = "typealias Name = String?\ntypealias Plain = String"
    #expect(try property("var it: \(type)", others: others).isOptional)
  }

  @Test func `an enum without conversion is told how to get one`() {
    expectFindings(
      "enum Color: String { case red }\nstruct Note: Entity { var id: Id\nvar 1️⃣it: Color? }",
      ["1️⃣ error: convert = { \"dbType\": \"String\" }`, or with `// objectbox: transient`"]
    )
  }

  @Test func `a type of the sources hides the one of the table`() {
    expectFindings(
      """
      struct Date {}
      struct Note: Entity {
        struct Data {}
        var id: Id
        var 1️⃣a: Date
        var 2️⃣b: Data
      }
      """,
      ["1️⃣ error: has type 'Date'", "2️⃣ error: has type 'Note.Data'"]
    )
  }

  @Test(arguments: ["{ 1 }()", "[:]", "nil", ".init()", "make()", "a ?? 1", "[1, \"a\"]"])
  func `a value without a telling type asks for it`(_ value: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\nvar 1️⃣it = \(value) }",
      ["1️⃣ error: the type of property 'it' of entity 'Note' cannot be told"]
    )
  }

  @Test func `a property whose wrapper alone has a value asks for its type`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n@Wrapped(1) var 1️⃣it }",
      ["1️⃣ error: declare the type"]
    )
  }

  @Test(arguments: [
    ("\"\"", "String"), ("0", "Int"), ("-1.5", "Double"), ("true", "Bool"), ("Date()", "Date"),
    ("[UInt8]()", "[UInt8]"), ("UInt16.max", "UInt16"),
  ])
  func `the default value tells the type`(_ value: String, _ type: String) throws {
    #expect(try property("var it = \(value)").swiftType == type)
  }
}
