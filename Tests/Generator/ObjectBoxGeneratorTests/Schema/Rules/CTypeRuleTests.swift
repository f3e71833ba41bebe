import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// Properties of C types.
@Suite(.enabled(if: CTypeReader.isAvailable, "libclang is not installed"))
struct CTypeRuleTests {
  private let headers: HeaderFolder

  init() throws {
    headers = try HeaderFolder(
      """
      typedef unsigned short level_t;
      typedef unsigned char octet_t;
      typedef unsigned long long number_t;
      typedef enum { PLAIN } plain_t;
      enum __attribute__((enum_extensibility(open))) open_e { open_a };
      enum __attribute__((enum_extensibility(closed))) closed_e { closed_a, closed_b };
      typedef struct { int x; } point_t;
      typedef const char *name_t;
      """
    )
  }

  @Test(arguments: [
    ("level_t", SchemaPropertyType.short, PropertyFlags.unsigned, "UInt16"),
    ("level_t?", .short, PropertyFlags.unsigned, "UInt16?"),
    ("[octet_t]", .byteVector, PropertyFlags(), "[UInt8]"),
    ("CNotes.level_t", .short, PropertyFlags.unsigned, "UInt16"),
    ("`level_t`", .short, PropertyFlags.unsigned, "UInt16"),
    ("Level", .short, PropertyFlags.unsigned, "UInt16"),
    ("Level?", .short, PropertyFlags.unsigned, "UInt16?"),
  ])
  func `a typedef is kept as its number`(
    _ type: String,
    _ stored: SchemaPropertyType,
    _ flags: PropertyFlags,
    _ swift: String
  ) throws {
    let property = try headers.property("var it: \(type)", others: "typealias Level = level_t")
    #expect(property.type == stored)
    #expect(property.flags == flags)
    #expect(property.swiftType == swift)
    #expect(property.imports == [])
  }

  @Test func `a typedef can be an ID and a database type`() throws {
    let id = try headers.build("struct Note: Entity {\n// objectbox: id\nvar key: number_t }")
    #expect(id.diagnostics.map(\.description) == [])
    #expect(id.schema.entities.first?.properties.map(\.flags) == [.id])
    let property = try headers.property(
      "// objectbox: convert = { \"dbType\": \"level_t\", \"converter\": \"C\" }\nvar it: Money"
    )
    #expect(property.conversion == Conversion(databaseType: "UInt16", converter: "C"))
    #expect(property.type == .short)
  }

  private func total(_ type: String) -> Conversion {
    var conversion = Conversion(databaseType: type)
    conversion.isTotal = true
    return conversion
  }

  @Test func `an enum needs no annotation where every raw value converts back`() throws {
    let plain = try headers.property("var it: plain_t")
    #expect(plain.conversion == total("UInt32"))
    #expect(plain.type == .int)
    #expect(plain.flags == .unsigned)
    let optional = try headers.property("// objectbox: index\nvar it: plain_t?")
    #expect(optional.conversion == Conversion(databaseType: "UInt32?"))
    #expect(optional.flags == [.unsigned, .indexed])
    #expect(try headers.property("var it: open_e?").conversion?.databaseType == "UInt32?")
    #expect(try headers.property("var it: closed_e?").conversion?.knownRawValues == ["0", "1"])
  }

  @Test func `the convert annotation of an enum needs no dbType`() throws {
    let plain = try headers.property(
      "// objectbox: convert = { \"default\": \"PLAIN\" }\nvar it: plain_t"
    )
    #expect(plain.conversion == Conversion(databaseType: "UInt32", defaultValue: "PLAIN"))
    let closed = try headers.property(
      "// objectbox: convert = { \"default\": \".a\" }\nvar it: closed_e"
    )
    var expected = Conversion(databaseType: "UInt32", defaultValue: ".a")
    expected.knownRawValues = ["0", "1"]
    #expect(closed.conversion == expected)
    let converted = try headers.property(
      "// objectbox: convert = { \"converter\": \"C\" }\nvar it: closed_e"
    )
    #expect(converted.conversion == Conversion(databaseType: "UInt32", converter: "C"))
    let named = try headers.property("// objectbox: convert = \"UInt32\"\nvar it: plain_t")
    #expect(named.conversion == total("UInt32"))
  }

  @Test(arguments: [
    ("open_e", "is a C enum that Swift imports as an enum"),
    ("closed_e", "{ \"default\": \".someCase\" }`, or make it optional"),
    ("point_t", "has type 'point_t', which is a C struct and cannot be stored"),
    ("name_t", "which is the C type 'const char *' and cannot be stored"),
    ("[plain_t]", "has type '[plain_t]', which is an array of C enums"),
  ])
  func `what cannot be kept is told with its C type`(_ type: String, _ words: String) throws {
    let findings = try headers.findings("var it: \(type)")
    #expect(findings.count == 1)
    #expect(findings[0].hasPrefix("Note.swift:3:5: error: property 'it' of entity 'Note'"))
    #expect(findings[0].contains(words), "\(findings)")
  }

  @Test func `a type of the sources hides the one of C`() throws {
    let property = try headers.property(
      "// objectbox: convert = { \"default\": \".a\" }\nvar it: plain_t",
      others: "enum plain_t: String { case a }"
    )
    #expect(property.conversion == Conversion(databaseType: "String", defaultValue: ".a"))
    #expect(property.imports == [])
    let findings = try headers.findings("var it: level_t", others: "struct level_t {}")
    #expect(findings.count == 1)
    #expect(findings[0].contains("'level_t', which cannot be stored"))
    #expect(
      try headers.property("var it: level_t", others: "typealias level_t = Int8").type == .byte
    )
  }

  @Test func `headers that disagree are an error only for a property that asks`() throws {
    let headers = try HeaderFolder(
      (name: "a.h", text: "typedef int it_t;\ntypedef enum { A } other_t;\n"),
      (name: "b.h", text: "enum more { C };\nenum it_t { B };\n#ifdef NEVER\n#endif\n")
    )
    #expect(
      try headers.findings("var it: it_t") == [
        "Note.swift:3:5: error: property 'it' of entity 'Note' has type 'it_t', which two C headers "
          + "declare differently; give the property a type of which there is one, or pass only one "
          + "of the headers\n"
          + "a.h:1:13: note: 'it_t' is declared here first\n"
          + "b.h:2:6: note: 'it_t' is declared here as another type"
      ]
    )
    #expect(try headers.property("var it: other_t").type == .int)
  }

  @Test(arguments: [
    ("import CNotes", ["import CNotes"]), ("internal import CNotes", ["internal import CNotes"]),
    ("@preconcurrency public import CNotes", ["internal import CNotes"]),
    ("import enum CNotes.plain_t", ["import CNotes"]),
    ("import Foundation\nimport ObjectBox\nimport A\nimport B", ["import A", "import B"]),
    ("", []),
  ])
  func `generated code imports what the source does`(
    _ imports: String,
    _ expected: [String]
  ) throws {
    #expect(try headers.property("var it: plain_t", others: imports).imports == expected)
  }

  @Test func `of a known module only its own import is taken`() throws {
    var modules = CHeaders()
    modules.modules = [.init(name: "CNotes", folder: headers.folder.path)]
    let parsed = SourceSelection.parse([
      SourceFile(
        path: "Note.swift",
        text: "import Other\nstruct Note: Entity { var id: Id; var it: State }"
      ),
      SourceFile(path: "State.swift", text: "import CNotes\ntypealias State = plain_t"),
    ])
    let names = SchemaBuilder.demandedCTypes(parsed)
    #expect(names == ["plain_t"])
    let built = SchemaBuilder.build(parsed, cTypes: try CTypeReader.read(names, in: modules))
    #expect(built.schema.entities.first?.properties.last?.imports == ["import CNotes"])
  }
}
