import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Properties with the annotation `migratedFrom`, through several versions of the sources.
struct MigrationMatchTests {
  private static let old = "class A: Entity {\n  var id: Id = 0\n  var born: String?\n}\n"
  private static let function =
    "  static func migrateBorn(_ old: String?) -> Date? { nil }\n"

  private static func new(
    _ annotation: String = "migratedFrom = \"born\"",
    _ function: String = function,
    _ property: String = "var born: Date?"
  ) -> String {
    "class A: Entity {\n  var id: Id = 0\n  // objectbox: \(annotation)\n  \(property)\n\(function)}\n"
  }

  /// Runs the sources after those of the old model, and returns the messages.
  private func findings(_ new: String, after old: String = old) -> [String] {
    var history = ModelHistory()
    _ = history.run(old)
    return history.run(new).diagnostics.map(\.message.text)
  }

  private func schemaFindings(_ new: String) -> [String] {
    SchemaBuilder.build([SourceFile(path: "A.swift", text: new)]).diagnostics.map(\.description)
  }

  @Test
  func `a changed type is a new property, and the model keeps the old one's ID, name and type`()
    throws
  {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let before = try #require(history.model.entities.first?.properties.last)
    let result = history.run(Self.new())
    let after = try #require(history.model.entities.first?.properties.last)
    #expect(after.id.id == 3)
    #expect(after.migratedFrom == before.id)
    #expect(after.migratedFromName == "born")
    #expect(after.migratedFromType == SchemaPropertyType.string.rawValue)
    #expect(history.model.retiredPropertyUIDs == [before.id.uid])
    #expect(result.changes.map(\.effect) == [.propertyMigrated, .propertyMigratedAway])
    // Further runs change nothing.
    let model = history.model
    #expect(history.run(Self.new()).changes == [])
    #expect(history.model == model)
  }

  @Test func `the old name may be written in another case, as names of the model are`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    for name in ["Born", "Born", "born"] {
      #expect(history.run(Self.new("migratedFrom = \"\(name)\"")).diagnostics == [])
      #expect(history.model.entities.first?.properties.last?.id.id == 3)
      #expect(history.model.entities.first?.properties.last?.migratedFromName == "born")
    }
  }

  @Test func `a second change of the type is a second migration`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    _ = history.run(Self.new())
    let date = try #require(history.model.entities.first?.properties.last?.id)
    _ = history.run(
      Self.new(
        "migratedFrom = \"born\"",
        "  static func migrateBorn(_ old: Date?) -> Int { 0 }\n",
        "var born: Int = 0"
      )
    )
    let last = try #require(history.model.entities.first?.properties.last)
    #expect(last.id.id == 4)
    #expect(last.migratedFrom == date)
    #expect(last.migratedFromType == SchemaPropertyType.date.rawValue)
  }

  @Test func `two properties may come from one`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let result = history.run(
      """
      class A: Entity {
        var id: Id = 0
        // objectbox: migratedFrom = "born"
        var year: Int = 0
        // objectbox: migratedFrom = "born"
        var month: Int = 0
      }
      extension A {
        static func migrateYear(_ old: String) -> Int { 0 }
        static func migrateMonth(_ old: String) throws -> Int { 0 }
      }
      """
    )
    #expect(result.diagnostics == [])
    let properties = try #require(history.model.entities.first?.properties)
    #expect(properties.compactMap(\.migratedFrom?.id) == [2, 2])
    let code = try CodeRenderer.render(result.schema, result.model, visibility: "internal")
    let uid = try #require(properties.last?.migratedFrom?.uid)
    #expect(
      code.contains(
        ".migrated(from: 2, uid: \(uid), type: .string) { old, new in "
          + "new.collect(try EntityType.migrateMonth(old.read(at: 6)), at: 10) }"
      )
    )
    #expect(code.contains("new.collect(EntityType.migrateYear(old.read(at: 6)), at: 8)"))
  }

  @Test func `a missing function is told with its signature, and the fix writes a skeleton`() throws
  {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let text = Self.new("migratedFrom = \"born\"", "")
    let finding = try #require(history.run(text).diagnostics.first)
    #expect(finding.message.text.contains("`static func migrateBorn(_ old: String?) -> Date?`"))
    #expect(finding.position?.line == 3)
    #expect(finding.fixIts.map(\.isSafe) == [true])
    let file = SourceFile(path: "A.swift", text: text)
    let fixed = try #require(FixPlan(finding.fixIts).apply(to: [file]).first)
    #expect(fixed.text.contains("{\n  /// Returns the new value"), "\(fixed.text)")
    #expect(fixed.text.contains("  static func migrateBorn(_ old: String?) -> Date? {\n"))
    #expect(history.run(fixed.text).diagnostics == [])
  }

  @Test(arguments: [
    (new("migratedFrom = \"birth\""), "does not have in the model"),
    (
      new(
        "migratedFrom = \"id\"",
        "  static func migrateBirth(_ old: Int) -> Date? { nil }\n",
        "var birth: Date?"
      ), "is the ID"
    ),
    (
      new("migratedFrom = \"born\"", "  static func migrateBorn(_ old: Int) -> Date? { nil }\n"),
      "takes 'Int', and the old property 'born' is stored as 'String?'"
    ),
  ])
  func `a migration that does not fit the model is told`(new: String, words: String) {
    let found = findings(new)
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }

  @Test func `a property that is in the model cannot be migrated later`() {
    let found = findings(
      "class A: Entity {\n  var id: Id = 0\n  // objectbox: migratedFrom = \"born\"\n  var year: Int = 0\n"
        + "  static func migrateYear(_ old: String) -> Int { 0 }\n}",
      after: "class A: Entity {\n  var id: Id = 0\n  var born: String?\n  var year: Int = 0\n}"
    )
    #expect(found.count == 1 && found[0].contains("is in the model already"), "\(found)")
  }

  @Test(arguments: [
    ("migratedFrom", new("migratedFrom"), "needs the old property's name"),
    ("two", new("migratedFrom = \"born\"", function + function), "more than one"),
    (
      "private",
      new("migratedFrom = \"born\"", function.replacing("static", with: "private static")),
      "private"
    ),
    (
      "async", new("migratedFrom = \"born\"", function.replacing(" ->", with: " async ->")),
      "cannot wait"
    ),
    (
      "label", new("migratedFrom = \"born\"", function.replacing("_ old", with: "old")),
      "one parameter without a label"
    ),
    (
      "result", new("migratedFrom = \"born\"", function.replacing("Date?", with: "String?")),
      "returns 'String?'"
    ),
    (
      "type", new("migratedFrom = \"born\"", function.replacing("old: String?", with: "old: Kind")),
      "takes 'Kind'"
    ),
    ("sync", "// objectbox: sync\n" + new(), "is synchronized"),
    ("isolation", "@MainActor " + new(), "nonisolated"),
  ])
  func `a function that cannot be called is told`(name: String, new: String, words: String) {
    let found = schemaFindings(new)
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
    #expect(found.first?.contains(": error: ") == true, "\(found)")
  }

  @Test func `a changed type without a migration says what would keep the values`() {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let changes = history.run(Self.old.replacing("String?", with: "Date?")).changes
    #expect(changes.map(\.effect) == [.retyped])
    #expect(changes.first?.effect.text.contains("`migratedFrom`") == true)
  }
}
