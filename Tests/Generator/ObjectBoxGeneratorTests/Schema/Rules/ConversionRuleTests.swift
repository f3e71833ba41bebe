import Testing

@testable import ObjectBoxGenerator

/// The rule of the `convert` annotation.
struct ConversionRuleTests {
  private static let color = "enum Color: String { case red }"

  @Test(arguments: [
    (
      "{ \"default\": \".red\" }", "Color", Conversion(databaseType: "String", defaultValue: ".red")
    ),
    ("{}", "Color?", Conversion(databaseType: "String?")),
    ("{ \"converter\": \"C\" }", "Color", Conversion(databaseType: "String", converter: "C")),
    (
      "{ \"dbType\": \"Int?\", \"converter\": \"C\", \"default\": \"x\" }", "Money",
      Conversion(databaseType: "Int?", converter: "C", defaultValue: "x")
    ),
    ("\"Int\"", "Money?", Conversion(databaseType: "Int?")),
    ("Int", "Money?", Conversion(databaseType: "Int?")),
    ("[Float]", "Money?", Conversion(databaseType: "[Float]?")),
    ("{ \"dbType\": \"Optional<Int>\" }", "Money?", Conversion(databaseType: "Int?")),
    ("{ \"dbType\": \"Text\" }", "Money?", Conversion(databaseType: "String?")),
    (
      "{ \"default\": \".red\" }", "Color?",
      Conversion(databaseType: "String?", defaultValue: ".red")
    ),
    (
      "{ \"dbType\": \"Int\", \"converter\": \"C\" }", "Money?",
      Conversion(databaseType: "Int", converter: "C")
    ),
    (
      "{ \"dbType\": \"\", \"default\": \".red\" }", "Color",
      Conversion(databaseType: "String", defaultValue: ".red")
    ),
  ])
  func `forms of the annotation`(
    _ value: String,
    _ type: String,
    _ conversion: Conversion
  ) throws {
    let property = try property(
      "// objectbox: convert = \(value)\nvar it: \(type)",
      others: Self.color + "\nstruct Money {}\ntypealias Text = String"
    )
    #expect(property.conversion == conversion)
    #expect(property.swiftType == type)
  }

  private static let types: [(String, SchemaPropertyType, PropertyFlags)] = [
    ("Int", .long, []), ("UInt8", .byte, .unsigned), ("UInt8?", .byte, .unsigned),
    ("String", .string, []), ("Data", .byteVector, []), ("Date?", .date, []),
    ("[Float]", .floatVector, []), ("Swift.Int16", .short, []),
  ]

  @Test(arguments: types)
  func `type and flags are those of what is stored`(
    _ stored: String,
    _ type: SchemaPropertyType,
    _ flags: PropertyFlags
  ) throws {
    let property = try property(
      "// objectbox: convert = { \"dbType\": \"\(stored)\", \"converter\": \"C\" }\nvar it: UInt64"
    )
    #expect(property.type == type)
    #expect(property.flags == flags)
  }

  @Test(arguments: [
    ("enum Color: UInt8, Sendable {}", "Color", "UInt8", SchemaPropertyType.byte),
    ("typealias Raw = Int16; enum Color: Raw {}", "Color", "Int16", .short),
    ("extension Note { enum Color: Int {} }", "Color", "Int", .long),
    ("enum Paint { enum Color: Swift.Int32 {} }", "Paint.Color", "Int32", .int),
    ("enum Color: String {}; extension Note { enum Color: Int {} }", "Color", "Int", .long),
    ("enum Paint: String {}; typealias Color = Paint", "Color", "String", .string),
  ])
  func `the raw type of an enum of the sources is stored`(
    _ others: String,
    _ type: String,
    _ stored: String,
    _ kept: SchemaPropertyType
  ) throws {
    let property = try property(
      "// objectbox: convert = { \"default\": \".red\" }\nvar it: \(type)",
      others: others
    )
    #expect(property.conversion?.databaseType == stored)
    #expect(property.type == kept)
  }

  @Test func `nested types are qualified, so that code outside can name them`() throws {
    let property = try property(
      "// objectbox: convert = { \"default\": \".red\" }\nvar it: Color?",
      others: "extension Note { enum Color: Int {} }"
    )
    #expect(property.swiftType == "Note.Color?")
    #expect(property.unwrappedType == "Note.Color")
  }

  @Test(arguments: [
    ("struct Money {}", "Money"), ("enum Color {}", "Color"), ("enum Color: Codable {}", "Color"),
    ("", "Elsewhere"),
  ])
  func `without a raw type in the sources the stored type must be given`(
    _ others: String,
    _ type: String
  ) {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: 1️⃣convert = { "default": ".red" }
        var it: \(type)
      }
      \(others)
      """,
      ["1️⃣ error: 'Note.it' does not say what is stored"]
    )
  }

  @Test(arguments: ["convert = { \"dbType\": \"Int\" }", "convert = Int"])
  func `what cannot be null needs a default or a converter`(_ annotation: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣\(annotation)\nvar it: Color }",
      ["1️⃣ error: 'Note.it' does not say what an unknown stored value becomes"]
    )
  }

  @Test(arguments: ["convert", "convert = 3", "convert = [1, 2]"])
  func `an annotation that says nothing is a fault`(_ annotation: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣\(annotation)\nvar it: Color }",
      ["1️⃣ error: convert annotation of 'Note.it' says nothing"]
    )
  }

  @Test(arguments: [
    ("{ \"1️⃣type\": \"Int\" }", "type"), ("{ \"dbType\": 1️⃣1 }", "dbType"),
    ("{ \"default\": 1️⃣true }", "default"),
    ("{ \"converter\": 1️⃣null }", "converter"),
  ])
  func `unknown keys and values that are no text are faults`(_ value: String, _ key: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: convert = \(value)\nvar it: Color }",
      ["1️⃣ error: 'Note.it' has '\(key)', which is unknown or no text"]
    )
  }

  @Test func `a stored type that is none is told`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: convert = Locale\nvar 1️⃣it: Color? }",
      ["1️⃣ error: has type 'Locale?', which cannot be stored"]
    )
  }
}
