import ObjectBoxGenerator
import ObjectBoxSwiftReader
import Testing

/// Variables whose type follows only from the default value.
struct TypeInferenceTests {
  private func type(of value: String) -> String? {
    let file = SourceFile(path: "Note.swift", text: "class Note { var it = \(value) }")
    let parsed = SourceParser().parse(file)
    #expect(parsed.syntaxErrors.isEmpty)
    return parsed.types.first?.variables.first?.type
  }

  @Test(arguments: [
    ("\"\"", "String"), ("\"a \\(b)\"", "String"), ("\"\"\"\n  a\n  \"\"\"", "String"),
    ("#\"a\"#", "String"), ("true", "Bool"), ("false", "Bool"), ("0", "Int"), ("0xFF", "Int"),
    ("1_000", "Int"), ("-1", "Int"), ("+1", "Int"), ("1.5", "Double"), ("1e3", "Double"),
    ("-1.5", "Double"), ("0x1p3", "Double"), ("0b1010", "Int"), ("0o17", "Int"), ("-0x10", "Int"),
    ("(1)", "Int"), ("\"\"\"\n  a \\(b)\n  \"\"\"", "String"),
  ])
  func `literals have the types that Swift gives them`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("[1, 2]", "[Int]"), ("[\"a\"]", "[String]"), ("[1, nil]", "[Int?]"), ("[nil, 1]", "[Int?]"),
    ("[UInt8(1)]", "[UInt8]"), ("[[1], [2]]", "[[Int]]"), ("[-1.5]", "[Double]"),
    ("[1, 2, nil]", "[Int?]"), ("[try? Data(), nil]", "[Data?]"),
  ])
  func `arrays have the type of their elements`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("Data()", "Data"), ("Date(timeIntervalSince1970: 0)", "Date"), ("Date.init()", "Date"),
    ("Foundation.Data()", "Foundation.Data"), ("[Int32]()", "[Int32]"),
    ("Array<UInt8>()", "Array<UInt8>"), ("Array<UInt8>.init()", "Array<UInt8>"),
    ("[String](repeating: \"\", count: 2)", "[String]"), ("ToMany<Note>(nil)", "ToMany<Note>"),
    ("EntityId<Note>(0)", "EntityId<Note>"), ("Note.Kind(1)", "Note.Kind"), ("try Data()", "Data"),
    ("Color.make(1)", "Color"), ("Note.Color.make(1)", "Note.Color"), ("UInt8(1)", "UInt8"),
    ("Int?(1)", "Int?"), ("Optional<Int>(1)", "Optional<Int>"), ("[Int?]()", "[Int?]"),
  ])
  func `initializers and factories tell their type`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("Int(\"5\")", "Int?"), ("Int.init(\"5\")", "Int?"), ("Swift.Double(\"1.5\")", "Swift.Double?"),
    ("UInt8(\"ff\", radix: 16)", "UInt8?"), ("Int(exactly: 1.5)", "Int?"),
    ("Bool(\"true\")", "Bool?"),
    ("Int(String(5))", "Int?"), ("Int64(\"\(5)\")", "Int64?"), ("URL(string: \"a\")", "URL?"),
    ("URL(string: \"a\", relativeTo: nil)", "URL?"),
    ("Foundation.URL(string: a)", "Foundation.URL?"),
    ("UUID(uuidString: \"\")", "UUID?"), ("UUID.init(uuidString: \"\")", "UUID?"),
    ("Data(base64Encoded: \"\")", "Data?"), ("Decimal(string: \"1\")", "Decimal?"),
    ("String(data: Data(), encoding: .utf8)", "String?"), ("try? URL(string: \"a\")", "URL?"),
    ("[Int(\"5\")]", "[Int?]"), ("[Int(\"5\"), 3]", "[Int?]"), ("flag ? Int(\"5\") : 3", "Int?"),
  ])
  func `an initializer that may fail gives an optional`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("Int(\"5\")!", "Int"), ("Int(5)", "Int"), ("Int(1.5)", "Int"), ("Int(bitPattern: 5)", "Int"),
    ("Int(text)", "Int"), ("URL(fileURLWithPath: \"/\")", "URL"), ("UUID()", "UUID"),
    ("Decimal(1)", "Decimal"), ("String(5, radix: 2)", "String"),
    ("String(cString: bytes)", "String"),
    ("String(decoding: bytes, as: UTF8.self)", "String"), ("Int.parse(\"5\")", "Int"),
    ("Note.Int(\"5\")", "Note.Int"), ("Data(\"a\".utf8)", "Data"),
    ("NSString(string: \"a\")", "NSString"),
  ])
  func `other initializers do not`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("Int.min", "Int"), ("UInt8.max", "UInt8"), ("Date.distantPast", "Date"),
    ("Note.Kind.plain", "Note.Kind"), ("Optional<Int>.none", "Optional<Int>"), ("-Int.max", "Int"),
  ])
  func `lower-case members tell the type that has them`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("5 as Int64", "Int64"), ("nil as Int?", "Int?"), ("[] as [UInt8]", "[UInt8]"),
    ("\"a\" as NSString", "NSString"), ("x as! Int", "Int"), ("x as? Int", "Int?"),
    ("x as? Int?", "Int?"),
  ])
  func `a cast tells its type`(_ value: String, _ expected: String) {
    #expect(type(of: value) == expected)
  }

  @Test(arguments: [
    ("try! Data()", "Data"), ("try? Data()", "Data?"), ("try? Int?(1)", "Int?"),
    ("URL(string: \"a\")!", "URL"), ("URL.init(string: \"a\")!", "URL"), ("await Data()", "Data"),
    ("try await Data.load()", "Data"),
  ])
  func `attempts and forced values tell the type behind them`(_ value: String, _ type: String) {
    #expect(self.type(of: value) == type)
  }

  @Test(arguments: [
    ("flag ? 1 : 2", "Int"), ("flag ? Data() : Data.empty", "Data"),
    ("a == b ? \"a\" : \"b\"", "String"),
    ("flag ? 1 : nil", "Int?"), ("flag ? nil : 1.5", "Double?"),
    ("flag ? (other ? 1 : 2) : 3", "Int"),
  ])
  func `a choice has the type of its values when they agree`(_ value: String, _ type: String) {
    #expect(self.type(of: value) == type)
  }

  @Test(arguments: [
    "nil", "[]", "[:]", "[1, \"a\"]", "[nil]", "{ 1 }", "{ 1 }()", "make()", "1 + 2", ".plain",
    "(1, 2)", "\"a\".data(using: .utf8)!", "Date().timeIntervalSince1970", "Note.Kind", "Note.self",
    "a.b.c()", "list[0]", "make().Kind()", ".init()", "[\"a\": 1]", "try? make()", "make()!",
    "Note.find(1)!", "flag ? 1 : \"a\"", "flag ? nil : nil", "flag ? 1 : other ? 2 : 3", "a ?? 1",
    "!flag", "#line", "/a/", "if flag { 1 } else { 2 }", "await make()",
  ])
  func `other values do not tell their type`(_ value: String) {
    #expect(type(of: value) == nil)
  }
}
