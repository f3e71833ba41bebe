import Testing

@testable import ObjectBoxGenerator

/// The finding about an unknown type that may be a C type, with and without libclang.
struct CTypeAdviceTests {
  private func findings(_ source: String, _ types: CTypes) -> [String] {
    SchemaBuilder.build(
      SourceSelection.parse([SourceFile(path: "Note.swift", text: source)]),
      cTypes: types
    ).diagnostics.map(\.description)
  }

  private static let entity = "struct Note: Entity { var id: Id; var it: note_state }"
  private static let install =
    "install libclang (on Debian and Ubuntu: apt-get install libclang-dev)"

  @Test(arguments: [
    ("import CNotes\n" + entity, false), ("import Foundation\n" + entity, true),
    ("import Foundation\nimport Glibc\n" + entity, true),
    ("import CNotes\nstruct Note: Entity { var id: Id; var it: CNotes.note_state }", false),
    ("import CNotes\nstruct Note: Entity { var id: Id; var it: `note_state` }", false),
  ])
  func `without libclang it says what to install`(_ source: String, _ hasHeaders: Bool) {
    let found = findings(source, CTypes(isReadable: false, hasSingleHeaders: hasHeaders))
    #expect(found.count == 1)
    #expect(
      found.first?.contains("', which cannot be stored; if it is a C type, ") == true
    )
    #expect(found.first?.contains(Self.install) == true)
    #expect(found.first?.contains("swift package purge-cache") == true)
    #expect(found.first?.contains("convert") == true)
  }

  @Test(arguments: [
    entity, "import Foundation\nimport ObjectBox\n" + entity,
    "import CNotes\nstruct Note: Entity { var id: Id; var it: [String: Int] }",
    "import CNotes\nstruct Note: Entity { var id: Id; var it: Other.State }",
    "import CNotes\nstruct Note: Entity { var id: Id; var it: note_state }\nstruct note_state {}",
  ])
  func `nothing is said of C where nothing suggests it`(_ source: String) {
    for isReadable in [false, true] {
      let found = findings(source, CTypes(isReadable: isReadable))
      #expect(found.count == 1)
      #expect(found.first?.contains("C type") == false, "\(found)")
    }
  }

  @Test func `with libclang a type of a module that is none of C may be a typealias`() throws {
    let source = "import Shared\nimport CNotes\n" + Self.entity
    let types = CTypes(isReadable: true, modules: ["CNotes"])
    let found = findings(source, types)
    #expect(found.count == 1)
    #expect(found.first?.contains("warning: the type 'note_state' of property 'it'") == true)
    #expect(found.first?.contains("--c-header") == true)
    let parsed = SourceSelection.parse([SourceFile(path: "Note.swift", text: source)])
    let schema = SchemaBuilder.build(parsed, cTypes: types).schema
    #expect(schema.entities.first?.properties.last?.type == nil)
    #expect(schema.entities.first?.properties.last?.imports == ["import Shared"])

    let all = findings("import CNotes\n" + Self.entity, types)
    #expect(all.first?.contains("error: property 'it'") == true)
    let unstorable = "import Shared\nstruct Note: Entity { var id: Id; var it: Locale }"
    #expect(findings(unstorable, types).first?.contains("error: property 'it'") == true)
  }

  @Test func `only types that nothing else explains are looked for in headers`() {
    let source = """
      struct Note: Entity {
        var id: Id
        var text: String?
        var date: Date
        var byte: Byte
        var own: Own
        var alias: Alias
        var list: [Int32]
        // objectbox: transient
        var left: left_t
        static var shared: shared_t
        var computed: computed_t { 1 }
        // objectbox: convert = { "dbType": "stored_t", "converter": "C" }
        var converted: Own
        var c: CNotes.c_t?
        var elements: [element_t]
        var tuple: (Int, Int)
      }
      struct Plain { var it: plain_t }
      struct Own {}
      typealias Alias = Int
      """
    let parsed = SourceSelection.parse([SourceFile(path: "Note.swift", text: source)])
    #expect(SchemaBuilder.demandedCTypes(parsed) == ["stored_t", "c_t", "element_t"])
  }
}
