import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Changes of a property's type, which need the annotation `migratedFrom` or `uid`.
struct TypeChangeTests {
  private static func source(_ property: String, _ more: String = "") -> String {
    "\(more)class A: Entity {\n  var id: Id = 0\n  \(property)\n}\n"
      + "class B: Entity {\n  var id: Id = 0\n}\n"
  }

  /// Returns the findings of a run with the sources after a run with the old ones.
  private func findings(
    _ new: String,
    after old: String,
    _ options: Generator.Options = Generator.Options(),
    editing edit: (inout ModelDocument) -> Void = { _ in }
  ) -> [Diagnostic] {
    var history = ModelHistory()
    _ = history.run(old)
    edit(&history.model)
    let file = SourceFile(path: "A.swift", text: new)
    let built = SchemaBuilder.build([file])
    #expect(built.diagnostics.map(\.description) == [])
    return SynchronizationStage.run(options, built.schema, with: history.model, of: [file]).findings
  }

  static let refused: [(old: String, new: String)] = [
    ("var x: Int32 = 0", "var x: Int = 0"),
    ("var x: Int = 0", "var x: Int32 = 0"),
    ("var x: UInt8 = 0", "var x: Int16 = 0"),
    ("var x: Int = 0", "var x: Double = 0"),
    ("var x: Float = 0", "var x: Double = 0"),
    ("var x: Bool = false", "var x: Int8 = 0"),
    ("var x: Int = 0", "var x: Date?"),
    ("var x: Date?", "var x: Int = 0"),
    ("var x: Date?", "// objectbox: date-nano\n  var x: Date?"),
    ("var x: String?", "var x: Date?"),
    ("var x: String?", "var x: Int?"),
    ("var x: Int?", "var x: String?"),
    ("var x: String?", "var x: Data?"),
    ("var x: UUID?", "var x: String?"),
    ("var x: Data?", "var x: [Float] = []"),
    ("var x: [Int32] = []", "var x: [Int64] = []"),
  ]

  @Test(arguments: refused)
  func `another type is refused until migratedFrom or uid decides`(old: String, new: String) {
    var locked = Generator.Options()
    locked.isLocked = true
    locked.updateCommand = "do this"
    for (options, next) in [(Generator.Options(), "then run again"), (locked, "then run: do this")]
    {
      let found = findings(Self.source(new), after: Self.source(old), options)
      #expect(!found.isEmpty && found.allSatisfy(\.isError))
      #expect(found.first?.position?.column == 7)
      #expect(found.first?.position?.line == (new.contains("\n") ? 4 : 3))
      let text = found.first?.message.text ?? ""
      #expect(text.hasPrefix("the type of property 'x' of entity 'A' was "), "\(text)")
      #expect(
        text.hasSuffix(
          "; to keep the values, put `// objectbox: migratedFrom = \"x\"` on it; to start anew, which "
            + "loses the values, put `// objectbox: uid` on it instead; \(next)"
        ),
        "\(text)"
      )
    }
  }

  static let kept: [(old: String, new: String)] = [
    ("var x: Int32 = 0", "var x: Int32?"),
    ("var x: String?", "var x: String = \"\""),
    ("var x: Int32 = 0", "var x: UInt32 = 0"),
    ("var x: UInt = 0", "var x: Int = 0"),
    ("var x: UInt16 = 0", "var x: UInt16?"),
    ("var x: Data?", "var x: UUID?"),
    ("var x: String?", "var x: URL?"),
    ("var x: Decimal = 0", "var x: String = \"\""),
    ("var x: Data?", "// objectbox: flex\n  var x: Data?"),
  ]

  @Test(arguments: kept)
  func `a type of the same stored bytes needs no decision`(old: String, new: String) {
    let found = findings(Self.source(new), after: Self.source(old))
    #expect(found.filter(\.isError) == [])
    #expect(!found.contains { $0.message.text.contains("refused") }, "\(found)")
  }

  @Test func `a model that leaves out the type needs no decision`() {
    let found = findings(
      Self.source("var x: Int = 0"),
      after: Self.source("var x: String = \"\"")
    ) { $0.entities[0].properties[1].type = nil }
    #expect(found.map(\.message.severity) == [.warning])
  }

  @Test func `the other changes of the run are not told, since none is made`() {
    let new = Self.source("var x: Date?\n  var y: Int = 0")
    #expect(findings(new, after: Self.source("var x: String?")).count == 1)
  }

  @Test func `a wider number needs no decision in sources that use clusters`() {
    let sources = { (property: String) in Self.source(property, "import ObjectBoxCluster\n") }
    for (old, new) in [
      ("Int8", "Int16"), ("UInt8", "Int"), ("UInt16", "UInt32"), ("Float", "Double"),
    ] {
      let found = findings(sources("var x: \(new) = 0"), after: sources("var x: \(old) = 0"))
      #expect(found.map(\.message.severity) == [.warning])
      #expect(found.first?.message.text.contains("a cluster rewrites its table") == true)
    }
    for (old, new) in [
      ("Int16", "Int8"), ("Int8", "UInt16"), ("Int", "Double"), ("Double", "Float"),
    ] {
      let found = findings(sources("var x: \(new) = 0"), after: sources("var x: \(old) = 0"))
      #expect(found.map(\.isError) == [true])
    }
  }

  @Test func `a property that was renamed as well is migrated from its old name`() throws {
    var history = ModelHistory()
    let old = Self.source("var x: String?")
    _ = history.run(old)
    let uid = try #require(history.model.entities.first?.properties.last?.id.uid)
    let found = findings(Self.source("// objectbox: uid = \(uid)\n  var y: Date?"), after: old)
    let text = try #require(found.first { $0.isError }?.message.text)
    #expect(text.contains("replace its uid annotation by `// objectbox: migratedFrom = \"x\"`"))
    #expect(text.contains("replace its uid annotation by `// objectbox: uid` instead"))
    #expect(found.flatMap(\.fixIts) == [])
  }

  @Test func `the old UID beside migratedFrom is refused, since the migrated property is new`()
    throws
  {
    var history = ModelHistory()
    _ = history.run(Self.source("var x: String?"))
    let uid = try #require(history.model.entities.first?.properties.last?.id.uid)
    let function = "static func migrateX(_ old: String?) -> Date? { nil }"
    let list = "static func migrate(_ old: OldValues, to new: A) {}"
    for (value, function) in [("\"x\"", function), ("[\"x\"]", list)] {
      let annotation = "// objectbox: uid = \(uid), migratedFrom = \(value)"
      let found = history.run(Self.source("\(annotation)\n  var x: Date?\n  \(function)"))
        .diagnostics
      #expect(found.map(\.position?.column) == [17])
      #expect(found.first?.message.text.contains("remove the uid annotation") == true, "\(found)")
    }
  }

  @Test func `the fix writes migratedFrom, and then the function is missing`() throws {
    let old = Self.source("var x: String?")
    let new = Self.source("var x: Date?")
    let fixIts = findings(new, after: old).flatMap(\.fixIts)
    #expect(fixIts.map(\.isSafe) == [false])
    let file = SourceFile(path: "A.swift", text: new)
    let fixed = try #require(FixPlan(fixIts).apply(to: [file]).first)
    #expect(fixed.text.contains("  // objectbox: migratedFrom = \"x\"\n  var x: Date?"))
    let missing = findings(fixed.text, after: old)
    #expect(missing.count == 1)
    #expect(
      missing.first?.message.text.contains("add `static func migrateX(_ old: String?) -> Date?`")
        == true
    )
  }

  @Test func `a bare uid on a property of another type is answered with migratedFrom first`() throws
  {
    var history = ModelHistory()
    _ = history.run(Self.source("var x: String?"))
    let bare = history.run(Self.source("// objectbox: uid\n  var x: Date?"))
    let fresh = try #require(history.model.newUIDPool?.first)
    let text = try #require(bare.diagnostics.first?.message.text)
    #expect(
      text.hasSuffix(
        "; to keep its values in the new type, write `migratedFrom = \"x\"` instead; to reset its stored "
          + "values, write `uid = \(fresh)`"
      ),
      "\(text)"
    )
    #expect(bare.diagnostics.flatMap(\.fixIts) == [])
    let reset = history.run(Self.source("// objectbox: uid = \(fresh)\n  var x: Date?"))
    #expect(reset.diagnostics == [])
    #expect(reset.changes.map(\.effect) == [.propertyAdded, .propertyReset])
  }

  @Test func `a bare uid in a base is answered so, too`() throws {
    func base(_ property: String) -> String {
      "// objectbox: base\nclass Base {\n  \(property)\n  init() {}\n}\n"
        + "class A: Base, Entity {\n  var id: Id = 0\n}\n"
    }
    var history = ModelHistory()
    _ = history.run(base("var x: String?"))
    let bare = history.run(base("// objectbox: uid\n  var x: Date?"))
    #expect(bare.diagnostics.map(\.fixIts) == [[]])
    #expect(
      bare.diagnostics.first?.message.text.contains(
        "write `migratedFrom = \"x\"` instead; to reset"
      )
        == true,
      "\(bare.diagnostics)"
    )
  }

  @Test func `where migratedFrom is refused, the values are copied`() {
    let copy =
      "; to keep the values, restore the type, and copy them into a new property in a write;"
    let relation = findings(
      Self.source("var x: ToOne<B> = nil"),
      after: Self.source("var x: Int = 0")
    )
    #expect(relation.map(\.isError) == [true])
    #expect(relation.first?.message.text.contains(copy) == true)
    #expect(relation.flatMap(\.fixIts) == [])
    let sync = "// objectbox: sync\n"
    let synchronized = findings(
      Self.source("var x: Int = 0", sync),
      after: Self.source("var x: Int32 = 0", sync)
    )
    #expect(synchronized.map(\.isError) == [true])
    #expect(synchronized.first?.message.text.contains(copy) == true)
  }

  @Test func `a property of another type does not become the ID`() throws {
    let found = findings(
      "class A: Entity {\n  // objectbox: id\n  var x: Id = 0\n  var id: Int = 0\n}\n"
        + "class B: Entity {\n  var id: Id = 0\n}\n",
      after: Self.source("var x: String = \"\"")
    )
    let error = try #require(found.first { $0.isError }, "\(found)")
    #expect(error.message.text.hasSuffix("cannot begin or cease to be the ID; restore the type"))
    #expect(!error.message.text.contains("migratedFrom"))
  }

  @Test func `a target with the entities of another declares their types`() {
    var options = Generator.Options()
    options.isLocked = true
    options.entitiesOwner = "App"
    let found = findings(
      Self.source("var x: Date?"),
      after: Self.source("var x: String?"),
      options
    )
    #expect(found.map(\.isError) == [true])
    #expect(found.first?.message.text.contains("declare the same as 'App' does") == true)
  }
}
