import ObjectBoxSwiftReader
import Testing

@testable import ObjectBoxGenerator

/// The branches of `#if` that are read.
struct ConditionalCompilationTests {
  private func parse(
    _ text: String,
    _ conditions: BuildConditions = BuildConditions(platform: "Linux")
  ) -> ParsedSource {
    SourceParser().parse(SourceFile(path: "Note.swift", text: text), conditions: conditions)
  }

  /// Returns whether a condition is true; nil when it is undecided.
  private func decision(_ condition: String, _ conditions: BuildConditions) -> Bool? {
    let types = parse(
      "#if \(condition)\nclass Yes {}\n#else\nclass No {}\n#endif",
      conditions
    ).types
    let isDecided = types.map(\.undecidedConditions.isEmpty)
    #expect(isDecided == [true] || isDecided == [false, false])
    return types.count == 1 ? types[0].name == "Yes" : nil
  }

  @Test(arguments: [
    ("os(Linux)", true), ("os(macOS)", false), ("os(iOS) || os(Linux)", true),
    ("!os(Linux)", false),
    ("canImport(Foundation)", true), ("canImport(ObjectBox)", true), ("canImport(Glibc)", true),
    ("canImport(UIKit)", false), ("canImport(Combine) && canImport(Other)", false),
    ("canImport(Darwin)", false), ("canImport(SwiftUI) || !canImport(AppKit)", true),
    ("swift(>=5.9)", true), ("swift(>=99)", false), ("swift(<5)", false), ("compiler(>=6.2)", true),
    ("compiler(<6)", false), ("compiler(>=99)", false), ("DEBUG", false), ("FLAG", true),
    ("FLAG && !DEBUG", true), ("targetEnvironment(simulator)", false), ("true", true),
    ("false", false), ("_endian(little)", true), ("_runtime(_ObjC)", false),
    ("_pointerBitWidth(_64)", true), ("objectFormat(ELF)", true),
    ("canImport(Other) || !canImport(Other)", true), ("hasFeature(Other) && DEBUG", false),
  ])
  func `conditions are decided as the compiler does`(_ condition: String, _ expected: Bool) {
    #expect(decision(condition, BuildConditions(defined: ["FLAG"], platform: "Linux")) == expected)
  }

  @Test(arguments: [
    ("os(iOS)", true), ("os(macOS)", false), ("os(visionOS)", false), ("canImport(UIKit)", true),
    ("canImport(AppKit)", false), ("canImport(Combine)", true), ("canImport(Glibc)", false),
    ("canImport(Darwin)", true), ("_runtime(_ObjC)", true), ("objectFormat(MachO)", true),
  ])
  func `the platform decides`(_ condition: String, _ expected: Bool) {
    #expect(decision(condition, BuildConditions(platform: "iOS")) == expected)
  }

  @Test(arguments: [
    ("os(iOS)", nil), ("os(Linux)", false), ("canImport(UIKit)", nil), ("canImport(SwiftUI)", true),
    ("canImport(Musl)", false), ("os(iOS) || os(Linux) || canImport(Combine)", true),
    ("targetEnvironment(simulator)", nil),
  ])
  func `on one of Apple's platforms the others are not ruled out`(
    _ condition: String,
    _ expected: Bool?
  ) {
    #expect(decision(condition, BuildConditions(platform: nil)) == expected)
  }

  @Test(arguments: [
    ("canImport(Other)", true), ("canImport(More)", false), ("canImport(Foundation)", true),
    ("canImport(Other.Part)", nil), ("canImport(Other, _version: 2)", nil),
  ])
  func `with the modules of the package others cannot be imported`(
    _ condition: String,
    _ expected: Bool?
  ) {
    let conditions = BuildConditions(importableModules: ["Other"], platform: "Linux")
    #expect(decision(condition, conditions) == expected)
  }

  @Test(arguments: [
    "canImport(Other)", "hasFeature(Other)", "hasAttribute(other)", "canImport(Other) && FLAG",
    "!canImport(Other)", "canImport(Other) && !canImport(More)", "os(Linux) && hasFeature(Other)",
    "swift(>=6)", "swift(<6) && FLAG", "1 < 2", "other(Linux)", "$Other",
    "compiler(>=5.3) && $Other",
  ])
  func `conditions that nothing decides are told apart`(_ condition: String) {
    #expect(decision(condition, BuildConditions(defined: ["FLAG"], platform: "Linux")) == nil)
  }

  @Test func `the first branch that holds counts, wherever it stands`() {
    let parsed = parse(
      """
      #if A
      class A { var a: Int }
      enum E: String {}
      typealias T = Int
      #elseif os(Linux)
      struct B {
        #if A
        var a: Int
        #elseif B
        var b: Int
        #else
        var c: Int
          #if !A
          @available(*, deprecated)
          var d: Int
          #endif
        #endif
      }
      #else
      class C {}
      #endif
      """
    )
    #expect(parsed.types.map(\.name) == ["B"])
    #expect(parsed.types[0].variables.map(\.name) == ["c", "d"])
    #expect(parsed.enums.isEmpty && parsed.typealiases.isEmpty)
  }

  @Test func `annotations of a branch that is left out are silent`() {
    expectFindings(
      """
      // objectbox: entity
      struct Note {
        var id: Id
        #if NEVER
        // objectbox: whatever = {
        var a: Nothing
        // objectbox: index
        // objectbox:begin: transient
        #else
        // objectbox: 1️⃣unknown
        var b: Int
        // objectbox: 2️⃣index
        #endif
        // objectbox: unique
        var c: Int
      }
      """,
      ["1️⃣ error: unknown annotation", "2️⃣ warning: has no effect here"]
    )
  }

  @Test func `a comment above the condition belongs to no declaration within`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣index\n#if true\nvar a: Int\n#endif\n}",
      ["1️⃣ warning: has no effect here"]
    )
  }

  @Test func `syntax errors count in the active branch only`() {
    let inactive = parse("#if NEVER\nlet = 1\n#else\nclass Note {}\n#endif")
    #expect(inactive.syntaxErrors.isEmpty)
    #expect(inactive.types.map(\.name) == ["Note"])
    let nested = parse("#if NEVER\n#if os(Linux)\nlet = 1\n#endif\n#endif\nclass Note {}")
    #expect(nested.syntaxErrors.isEmpty)
    let active = parse("#if NEVER\nclass Note {}\n#else\nlet = 1\n#endif")
    #expect(active.syntaxErrors.map(\.position?.line) == [4])
    let undecided = parse("#if hasFeature(New)\nclass A {}\nlet = 1\n#endif\nclass B {}")
    #expect(undecided.syntaxErrors.isEmpty)
    #expect(undecided.types.map(\.name) == ["B"])
  }

  @Test func `an entity that depends on an undecided condition is warned of, once`() {
    expectFindings(
      """
      #if 1️⃣canImport(Other)
      struct Note: Entity {
        var id: Id
        #if 2️⃣hasFeature(A) && FLAG || hasFeature(A)
        var a: Int
        #elseif hasFeature(C)
        var b: Int
        #endif
      }
      struct Memo: Entity { var id: Id }
      #endif
      #if canImport(Other)
      import Other
      struct Plain { var a: Int }
      #endif
      """,
      [
        "1️⃣ warning: because of canImport(Other), so every branch that may be active is read; pass "
          + "--can-import", "2️⃣ warning: because of hasFeature(A), hasFeature(C), so every branch",
      ]
    )
  }

  @Test func `one type in two branches that may be active is one entity`() throws {
    let text = """
      #if canImport(Other)
      struct Note: Entity { var id: Id; var text: String }
      #else
      struct Note: Entity { var id: Id; var text: String; var icon: Data }
      #endif
      """
    let result = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
    #expect(result.diagnostics.map(\.message.severity) == [.warning])
    #expect(result.schema.entities.map { $0.properties.map(\.name) } == [["id", "text", "icon"]])
  }

  @Test func `a schema follows the conditions`() {
    let text = "struct Note: Entity { var id: Id\n#if FLAG\nvar a: Int\n#endif\n}"
    let names = { (conditions: BuildConditions) in
      SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)], conditions: conditions)
        .schema.entities.flatMap(\.properties).map(\.name)
    }
    #expect(names(BuildConditions()) == ["id"])
    #expect(names(BuildConditions(defined: ["FLAG"])) == ["id", "a"])
  }
}
