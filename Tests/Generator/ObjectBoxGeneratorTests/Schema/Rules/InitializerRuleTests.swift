import ObjectBoxGenerator
import Testing

/// Findings when generated code could not make an object.
struct InitializerRuleTests {
  @Test func `constants of a class cannot be assigned`() {
    expectFindings(
      "class Note: Entity { let 1️⃣id: Id = 0\nlet 2️⃣a: Int\nvar b = 1\nstatic let c = 1 }",
      [
        "1️⃣ error: property 'id' of entity 'Note' is a constant, and objects of a class",
        "2️⃣ error: property 'a' of entity 'Note' is a constant",
      ]
    )
  }

  @Test func `constants of a struct may have no value`() {
    expectFindings(
      "struct Note: Entity { let id: Id\nlet 1️⃣a = 1\nlet 2️⃣b: Int? = nil\nlet c: Int }",
      ["1️⃣ error: is a constant with a value", "2️⃣ error: is a constant with a value"]
    )
  }

  @Test func `lazy properties of a struct cannot be read, those of a class can`() {
    expectFindings(
      "struct Note: Entity { var id: Id\nlazy var 1️⃣a = 1 }\n"
        + "class Memo: Entity { var id: Id = 0\nlazy var a = 1 }",
      ["1️⃣ error: property 'a' of entity 'Note' is lazy, and generated code cannot read"]
    )
  }

  @Test func `private setters of a class are refused, those of a struct are not`() {
    expectFindings(
      "class Note: Entity { var id: Id = 0\nprivate(set) var 1️⃣a = 1 }\n"
        + "struct Memo: Entity { var id: Id\nfileprivate(set) public var a = 1 }",
      ["1️⃣ error: generated code cannot set property 'a' of entity 'Note'"]
    )
  }

  @Test(arguments: [
    "init(a: Int) {}", "private init() {}", "fileprivate init() {}\ninit(a: Int) {}", "init?() {}",
    "init() throws {}", "init() async {}", "init(a: Int, b: Int = 1) {}",
    "init(a: Int) {}\nprivate convenience init() {}",
  ])
  func `a class without an empty initializer is refused`(_ initializers: String) {
    expectFindings(
      "class 1️⃣Note: Entity, Codable { var id: Id = 0\n\(initializers) }",
      ["1️⃣ error: entity 'Note' has no `init()`"]
    )
  }

  @Test(arguments: [
    "", "init() {}", "required init() {}", "init(a: Int = 1, _ b: String = \"\") {}",
    "init(a: Int) {}\nconvenience init() {}", "init(a: Int) {}\npublic init() {}",
    "init(a: Int) {}\n}\nextension Note { convenience init() {}", "convenience init(a: Int) {}",
    "init(a: Int...) {}", "init<T>(a: T? = nil) {}",
  ])
  func `a class with an empty initializer is not`(_ initializers: String) {
    expectFindings("class Note: Entity { var id: Id = 0\n\(initializers) }", [])
  }

  @Test(arguments: [
    "class Note: Base, Entity", "@Model class Note: Entity", "class Note: NSObject, Entity",
    "class Note: Entity, Makeable",
  ])
  func `a superclass, a macro or a protocol may bring an initializer`(_ header: String) {
    expectFindings("\(header) { var id: Id = 0\ninit(a: Int) {} }", [])
  }

  @Test(arguments: [
    "init(id: Id) {}", "init(a: Int, id: Id) {}", "init(_ id: Id, a: Int) {}",
    "private init(id: Id, a: Int) {}", "init?(id: Id, a: Int) {}",
    "init(id: Id, a: Int, b: Int) {}",
    "init(id: Id, it a: Int) throws {}",
  ])
  func `a struct whose initializers do not take its properties is refused`(_ initializer: String) {
    expectFindings(
      "struct 1️⃣Note: Entity { var id: Id\nvar a: Int\n\(initializer) }",
      ["1️⃣ error: entity 'Note' has no initializer `init(id:a:)`"]
    )
  }

  @Test(arguments: [
    "", "init(id: Id, a: Int) {}", "init(id key: Id, a: Int, b: Int = 1) {}",
    "init(b: Int = 1, id: Id = 0, a: Int = 1) {}", "init() {}\ninit(id: Id, a: Int) {}",
    "}\nextension Note { init() {}", "init() {}\n}\nextension Note { init(id: Id, a: Int) {}",
    "// objectbox: transient\nvar b = 1", "// objectbox: transient\nvar b: URL?",
    "// objectbox: transient\nlazy var b: Int = 1", "// objectbox: transient\n@Wrapped var b: Int",
    "var b: Int { 1 }", "static var b: Int", "// objectbox: transient\nlet b = 1",
  ])
  func `a struct whose initializer takes its properties is not`(_ more: String) {
    expectFindings("struct Note: Entity { var id: Id\nvar a: Int\n\(more) }", [])
  }

  @Test func `an initializer in a condition that the compiler may decide otherwise is a warning`() {
    expectFindings(
      "class 1️⃣Note: Entity { var id: Id = 0\ninit(a: Int) {}\n#if DEBUG\ninit() {}\n#endif\n}",
      ["1️⃣ warning: entity 'Note' has no `init()`"]
    )
  }

  @Test func `in a condition that cannot be decided the finding is a warning`() {
    expectFindings(
      "class 1️⃣Note: Entity { var id: Id = 0\n#if canImport(Some)\ninit(a: Int) {}\n#endif\n}",
      ["1️⃣ warning: entity 'Note' has no `init()`"]
    )
    expectFindings(
      "class Note: Entity { var id: Id = 0\n#if 2️⃣canImport(Some)\nprivate(set) var 1️⃣a = 1\n#endif\n}",
      ["2️⃣ warning: cannot be decided", "1️⃣ warning: generated code cannot set property 'a'"]
    )
  }

  @Test(arguments: ["var", "let"])
  func `a variable that is not stored may not be asked for`(_ keyword: String) {
    let source = "struct Note: Entity { var id: Id\n// objectbox: transient\n\(keyword) 1️⃣a: URL\n"
    expectFindings(source + "}", ["1️⃣ error: 'a' is not stored, but the initializer"])
    expectFindings(
      source.replacing("1️⃣", with: "") + "}\nextension Note { init(id: Id) {} }",
      []
    )
  }

  @Test(arguments: [
    "private var 1️⃣a: URL", "private var 1️⃣a = 1", "fileprivate var 1️⃣a: Int?", "private let 1️⃣a: Int",
    "private lazy var 1️⃣a = 1", "private var 1️⃣a = 1 { didSet {} }",
  ])
  func `a private variable that is not stored makes the initializer private`(_ variable: String) {
    // Later compilers may leave out those with values.
    let severity = variable.contains("URL") || variable.contains("let") ? "error" : "warning"
    let source = "struct Note: Entity { var id: Id\n// objectbox: transient\n\(variable)\n"
    expectFindings(
      source + "}",
      [
        "1️⃣ \(severity): 'a' is private, which makes the initializer of entity 'Note' private as well, so "
          + "generated code cannot call it; make 'a' internal, or add `init(id:)`"
      ]
    )
    expectFindings(
      source.replacing("1️⃣", with: "") + "init(id: Id) { self.id = id }\n}",
      []
    )
  }

  @Test(arguments: [
    "private let a = 1", "private static var a = 1", "private var a: Int { 1 }",
    "private(set) var a = 1",
  ])
  func `other private declarations do not`(_ variable: String) {
    let source = "struct Note: Entity { var id: Id\n// objectbox: transient\n\(variable)\n}"
    expectFindings(source, [])
  }
}
