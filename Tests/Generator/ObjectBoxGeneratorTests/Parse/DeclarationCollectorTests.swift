import ObjectBoxSwiftReader
import Testing

@testable import ObjectBoxGenerator

/// The declarations that are found in a source, and their facts.
struct DeclarationCollectorTests {
  private func parse(_ text: String) -> ParsedSource {
    let parsed = SourceParser().parse(SourceFile(path: "Note.swift", text: text))
    #expect(parsed.syntaxErrors.isEmpty)
    return parsed
  }

  private func variables(_ body: String) -> [ParsedVariable] {
    parse("class Note {\n\(body)\n}").types.first?.variables ?? []
  }

  /// Returns names and types as `name: type`.
  private func types(_ body: String) -> [String] {
    variables(body).map { "\($0.name): \($0.type ?? "?")" }
  }

  // MARK: Types

  @Test func `classes, structs and extensions are found with their qualified names`() {
    let parsed = parse(
      """
      class A { struct B { class C {} } }
      enum D { struct E {} }
      actor F { struct G {} }
      extension A.B { struct H {} }
      """
    )
    #expect(
      parsed.types.map(\.qualifiedName) == ["A", "A.B", "A.B.C", "D.E", "F.G", "A.B", "A.B.H"]
    )
    #expect(parsed.types.map(\.name) == ["A", "B", "C", "E", "G", "B", "H"])
    #expect(
      parsed.types.map(\.kind)
        == [.class, .struct, .class, .struct, .struct, .extension, .struct]
    )
  }

  @Test(arguments: [
    "protocol P { var a: Int { get } }", "func f() { struct A {} }",
    "let a = { struct A {} }", "do { struct A {} }", "if true { struct A {} }",
    "enum E { var a: Int { struct A {}; return 1 } }", "enum E { init() { struct A {} } }",
    "enum E { subscript(a: Int) -> Int { struct A {}; return 1 } }",
  ])
  func `protocols and local types are not looked at`(_ text: String) {
    #expect(parse(text).types.isEmpty)
  }

  @Test(arguments: [
    ("struct A {}", []), ("struct A: Entity {}", ["Entity"]),
    ("class A: Base, Entity, Codable {}", ["Base", "Entity", "Codable"]),
    ("struct A: ObjectBox.Entity {}", ["ObjectBox.Entity"]),
    ("struct A: Entity & Sendable {}", ["Entity", "Sendable"]),
    ("final class A: Entity, @unchecked Sendable {}", ["Entity", "Sendable"]),
    ("extension A: @retroactive Entity {}", ["Entity"]),
    ("struct A: /* is */ Entity /* here */ {}", ["Entity"]),
  ])
  func `inherited types come as written, without attributes`(_ text: String, _ expected: [String]) {
    #expect(parse(text).types.first?.inherited == expected)
  }

  @Test(arguments: [
    ("struct A {}", [false]), ("private struct A {}", [true]), ("fileprivate class A {}", [true]),
    ("public struct A {}", [false]), ("private enum E { struct A {} }", [true]),
    ("private struct A { struct B {} }", [true, true]),
    ("private extension A { struct B {} }", [true, true]),
    ("enum E { private struct A {} }; struct B {}", [true, false]),
  ])
  func `a type is private when it or one around it is`(_ text: String, _ expected: [Bool]) {
    #expect(parse(text).types.map(\.isPrivate) == expected)
  }

  @Test func `generic types are told apart`() {
    let parsed = parse(
      "struct A<T> { struct B {} }; struct C {}; class D<T> {}; enum E<T> { struct F {} }"
    )
    #expect(parsed.types.map(\.isGeneric) == [true, true, false, true, true])
  }

  @Test func `enums come with their raw type and typealiases with their target`() {
    let parsed = parse(
      """
      enum A: Int, CaseIterable {}
      struct B { enum C: String {}; typealias D = [UInt8] }
      enum E {}
      typealias F = Swift.Int
      """
    )
    #expect(parsed.enums.map(\.qualifiedName) == ["A", "B.C", "E"])
    #expect(parsed.enums.map(\.inherited.first) == ["Int", "String", nil])
    #expect(parsed.typealiases.map(\.qualifiedName) == ["B.D", "F"])
    #expect(parsed.typealiases.map(\.type) == ["[UInt8]", "Swift.Int"])
  }

  @Test func `positions are those of names, in lines and bytes`() {
    let parsed = parse("/* ü */ final class Note {\n  /* ö */ var `it`: Int\n}\nextension A . B {}")
    let places = [parsed.types[0].position, parsed.types[0].variables[0].position]
    #expect(places.map(\.line) == [1, 2])
    #expect(places.map(\.column) == [22, 16])
    #expect(parsed.types[1].position == SourcePosition(path: "Note.swift", line: 4, column: 11))
  }

  // MARK: Variables

  @Test(arguments: [
    ("var a: Int", ["a: Int"]), ("var a: Int = 1", ["a: Int"]), ("var a = \"\"", ["a: String"]),
    ("var `default`: Int", ["default: Int"]), ("var a, b: Int", ["a: Int", "b: Int"]),
    ("var a = \"\", b: Int", ["a: String", "b: Int"]),
    ("var a: Int, b: String", ["a: Int", "b: String"]),
    ("var a = 1, b = \"\"", ["a: Int", "b: String"]),
    ("var a, b: Int?, c, d: String", ["a: Int?", "b: Int?", "c: String", "d: String"]),
    ("var (a, b) = (1, 2)", ["a: ?", "b: ?"]),
    ("var (a, (b, _)): (Int, (Int, Int))", ["a: ?", "b: ?"]),
    ("@Wrapped var a: Int", ["a: Int"]), ("@Wrapped(1) public weak var a: B?", ["a: B?"]),
    ("@available(*, deprecated) @objc dynamic var a: Int", ["a: Int"]),
    ("@Wrapped(default: { let b: Int = 1; return b }) var a: String", ["a: String"]),
    ("@ObservationIgnored private(set) public var a: Int { didSet {} }", ["a: Int"]),
    ("lazy var a: Int = { 1 }()", ["a: Int"]), ("var a: () -> Void", ["a: () -> Void"]),
    ("func f() { var a: Int }\nvar b: Int", ["b: Int"]),
  ])
  func `variables have names and types`(_ body: String, _ expected: [String]) {
    #expect(types(body) == expected)
  }

  @Test func `variables belong to the type that holds them`() {
    let parsed = parse("struct A { var a: Int; struct B { var b: Int }; var c: Int }\nvar d: Int")
    #expect(parsed.types.map { $0.variables.map(\.name) } == [["a", "c"], ["b"]])
  }

  @Test(arguments: [
    "var a: Int { 1 }", "var a: Int { get { 1 } }", "var a: Int { get { 1 } set {} }",
    "var a: Int { get async throws { 1 } }", "var a: Int { _read { yield 1 } }",
    "var a: Int { get { 1 } _modify { yield &b } }", "var a: Int { get throws { 1 } }",
    "var a: Int { unsafeAddress { b } }", "@Wrapped var a: Int { 1 }",
    "var a: Int { @storageRestrictions(initializes: b) init {} get { 1 } }",
  ])
  func `a body or accessors compute the value`(_ body: String) {
    #expect(variables(body).map(\.isComputed) == [true])
  }

  @Test(arguments: [
    "var a: Int", "let a: Int", "var a: Int = 1 { didSet {} }",
    "var a: Int { willSet { } didSet {} }", "lazy var a = 1", "@Wrapped var a: Int",
  ])
  func `observers, laziness and wrappers keep the storage`(_ body: String) {
    #expect(variables(body).map(\.isComputed) == [false])
  }

  @Test(arguments: [
    ("var a: Int", false), ("static var a: Int", true), ("class var a: Int", true),
    ("public static let a: Int", true),
  ])
  func `variables of the type are told apart`(_ body: String, _ expected: Bool) {
    #expect(variables(body).map(\.isStatic) == [expected])
  }

  @Test(arguments: [
    ("var a: Int", false), ("private var a: Int", true), ("fileprivate let a: Int", true),
    ("public var a: Int", false), ("private(set) var a: Int", false),
    ("public fileprivate(set) var a: Int", false), ("fileprivate private(set) var a: Int", true),
  ])
  func `a variable is private when its value is, not its setter alone`(
    _ body: String,
    _ expected: Bool
  ) {
    #expect(variables(body).map(\.isPrivate) == [expected])
  }

  @Test func `constants are told apart`() {
    #expect(variables("let a: Int; var b: Int").map(\.isLet) == [true, false])
  }
}
