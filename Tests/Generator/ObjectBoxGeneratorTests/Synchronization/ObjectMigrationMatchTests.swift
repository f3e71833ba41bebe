import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Properties with a list in the annotation `migratedFrom`, through several versions of the sources.
struct ObjectMigrationMatchTests {
  private static let old =
    "class A: Entity {\n  var id: Id = 0\n  var street: String?\n  var number: Int = 0\n}\n"
  private static let function =
    "  static func migrate(_ old: OldValues, to new: A) throws { new.address = \"\" }\n"

  private static func new(
    _ names: String = "[\"street\", \"number\"]",
    _ function: String = function,
    _ more: String = ""
  ) -> String {
    "class A: Entity {\n  var id: Id = 0\n  // objectbox: migratedFrom = \(names)\n"
      + "  var address: String = \"\"\n\(more)\(function)}\n"
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

  @Test func `the model keeps IDs, names and types of the old properties`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let before = try #require(history.model.entities.first?.properties.dropFirst())
    let result = history.run(Self.new())
    #expect(result.diagnostics == [])
    let after = try #require(history.model.entities.first?.properties.last)
    #expect(after.id.id == 4)
    #expect(after.migratedFromProperties == before.map(\.id))
    #expect(after.migratedFromNames == ["street", "number"])
    let types: [SchemaPropertyType] = [.string, .long]
    #expect(after.migratedFromTypes == types.map(\.rawValue))
    #expect(history.model.retiredPropertyUIDs == before.map(\.id.uid).sorted())
    #expect(
      Set(result.changes.map(\.effect)) == [.propertyMigratedByObject, .propertyMigratedAway]
    )
    // Further runs change nothing, and the file has all of it.
    let model = history.model
    #expect(history.run(Self.new()).changes == [])
    #expect(history.model == model)
    #expect(ModelDocument.parse(model.text, path: "model.json").model == model)
  }

  @Test func `generated code passes old properties and function`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let result = history.run(Self.new())
    let code = try CodeRenderer.render(result.schema, result.model, visibility: "internal")
    let uids = try #require(history.model.entities.first?.properties.last).migratedFromProperties
      .map(\.uid)
    let call = """
      try entityBuilder.migrated([4], from: [(name: "street", id: 2, uid: \(uids[0]), \
      type: .string), (name: "number", id: 3, uid: \(uids[1]), type: .long)]) \
      { old, new in try EntityType.migrate(old, to: new) }
      """
    #expect(code.contains(call), "\(code)")
  }

  @Test func `the function of a struct gets it inout, and need not throw`() throws {
    var history = ModelHistory()
    _ = history.run("struct A: Entity {\n  var id: Id\n  var street: String?\n}\n")
    let result = history.run(
      """
      struct A: Entity {
        var id: Id
        // objectbox: migratedFrom = ["street"]
        var address: String
      }
      extension A {
        static func migrate(_ old: ObjectBox.OldValues, to new: inout A) {}
      }
      """
    )
    #expect(result.diagnostics == [])
    let code = try CodeRenderer.render(result.schema, result.model, visibility: "internal")
    #expect(code.contains("{ old, new in EntityType.migrate(old, to: &new) }"), "\(code)")
  }

  @Test func `a property that is added later reads old properties that are retired`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    _ = history.run(Self.new())
    let kept = try #require(history.model.entities.first?.properties.last)
    let more = "  // objectbox: migratedFrom = [\"street\"]\n  var road: String = \"\"\n"
    #expect(
      history.run(Self.new("[\"street\", \"number\"]", Self.function, more)).diagnostics == []
    )
    let properties = try #require(history.model.entities.first?.properties)
    #expect(properties.count == 3)
    #expect(properties[1] == kept)
    #expect(properties[2].migratedFromProperties == [kept.migratedFromProperties[0]])
  }

  @Test func `old names may be written in another case, by which the function reads them`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let more = "  // objectbox: migratedFrom = [\"STREET\"]\n  var road: String = \"\"\n"
    for name in ["Street", "Street", "street"] {
      for more in ["", more] {
        let result = history.run(Self.new("[\"\(name)\", \"number\"]", Self.function, more))
        #expect(result.diagnostics == [])
        let code = try CodeRenderer.render(result.schema, result.model, visibility: "internal")
        #expect(code.contains("(name: \"\(name)\", id: 2"), "\(code)")
        #expect(history.model.entities.first?.properties[1].id.id == 4)
      }
    }
  }

  @Test func `a property may keep its name with another type`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let result = history.run(
      "class A: Entity {\n  var id: Id = 0\n  // objectbox: migratedFrom = [\"street\", \"number\"]\n"
        + "  var number: String = \"\"\n\(Self.function)}\n"
    )
    #expect(result.diagnostics == [])
    let number = try #require(history.model.entities.first?.properties.last)
    #expect(number.id.id == 4)
    #expect(number.migratedFromNames == ["street", "number"])
  }

  @Test func `a missing function is told with its signature, and the fix writes a skeleton`() throws
  {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let text = Self.new("[\"street\"]", "")
    let file = SourceFile(path: "A.swift", text: text)
    let finding = try #require(SchemaBuilder.build([file]).diagnostics.first)
    let signature = "static func migrate(_ old: OldValues, to new: A) throws"
    #expect(finding.message.text.contains("`\(signature)`"))
    #expect(finding.position?.line == 3)
    #expect(finding.fixIts.map(\.isSafe) == [true])
    let fixed = try #require(FixPlan(finding.fixIts).apply(to: [file]).first)
    #expect(fixed.text.contains("  \(signature) {\n"), "\(fixed.text)")
    #expect(history.run(fixed.text).diagnostics == [])
  }

  @Test(arguments: [
    (new("[\"road\"]"), "does not have in the model"),
    (new("[\"street\", \"id\"]"), "is the ID"),
  ])
  func `a list that does not fit the model is told`(new: String, words: String) {
    let found = findings(new)
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }

  @Test func `a property that is in the model cannot be migrated later`() {
    let found = findings(
      Self.new(),
      after: Self.old.replacing("  var number", with: "  var address: String = \"\"\n  var number")
    )
    #expect(found.count == 1 && found[0].contains("is in the model already"), "\(found)")
  }

  @Test(arguments: [
    ("empty", new("[]"), "needs the old property's name"),
    ("numbers", new("[1]"), "needs the old property's name"),
    ("repeated", new("[\"street\", \"street\"]"), "needs the old property's name"),
    ("two", new("[\"street\"]", function + function), "more than one"),
    (
      "private", new("[\"street\"]", function.replacing("static", with: "private static")),
      "private"
    ),
    ("async", new("[\"street\"]", function.replacing("throws", with: "async")), "cannot wait"),
    (
      "inout", new("[\"street\"]", function.replacing("new: A", with: "new: inout A")), "declare it"
    ),
    ("label", new("[\"street\"]", function.replacing("to new", with: "into new")), "declare it"),
    ("type", new("[\"street\"]", function.replacing("new: A", with: "new: B")), "declare it"),
    ("sync", "// objectbox: sync\n" + new(), "is synchronized"),
    ("isolation", "@MainActor " + new(), "isolated to the main actor"),
    (
      "idle", "class A: Entity {\n  var id: Id = 0\n\(function)}\n",
      "fills no property"
    ),
  ])
  func `a list or function that cannot be used is told`(name: String, new: String, words: String) {
    let found = schemaFindings(new)
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
    #expect(found.first?.contains(": error: ") == true, "\(found)")
  }

  @Test func `a static function of the same name with other parameters is left alone`() {
    let function = "  static func migrate(_ path: String, to new: A) {}\n"
    #expect(schemaFindings("class A: Entity {\n  var id: Id = 0\n\(function)}\n") == [])
  }

  @Test func `a difference of the lists is told with the old names`() throws {
    var history = ModelHistory()
    _ = history.run(Self.old)
    let base = history.model
    _ = history.run(Self.new())
    let differences = ModelComparison.differences(from: base, to: history.model)
    #expect(differences.contains { $0.kind == .propertyAdded })
    var changed = history.model
    let place = try #require(changed.entities.first?.properties.indices.last)
    changed.entities[0].properties[place].migratedFromProperties = []
    changed.entities[0].properties[place].migratedFromNames = []
    changed.entities[0].properties[place].migratedFromTypes = []
    let lost = ModelComparison.differences(from: history.model, to: changed)
    #expect(lost.map(\.kind) == [.propertyMigration])
    #expect(lost.first?.before == "street, number")
  }
}
