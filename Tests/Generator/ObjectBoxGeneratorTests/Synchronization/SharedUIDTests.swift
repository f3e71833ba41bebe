import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// The model of entities that share a base, and `uid` annotations of the base.
struct SharedUIDTests {
  private static let entities = """
    class A: Root, Entity { var id: Id = 0; var x = 0 }
    class B: Root, Entity { var id: Id = 0 }

    """

  private func base(_ body: String) -> String {
    Self.entities + "// objectbox: base\nclass Root {\n\(body)\n}\n"
  }

  private func uid(_ history: ModelHistory, _ entity: String, _ property: String) throws -> UInt64 {
    let found = history.model.entities.first { $0.name == entity }?.properties[name: property]
    return try #require(found).id.uid
  }

  @Test func `each entity has UIDs of its own, which a second run keeps`() throws {
    var history = ModelHistory()
    _ = history.run(base("var made = 0"))
    #expect(try uid(history, "A", "made") != uid(history, "B", "made"))
    let text = history.model.text
    #expect(history.run(base("var made = 0")).changes == [])
    #expect(history.model.text == text)
  }

  @Test func `properties that move into a base keep their UIDs`() throws {
    var history = ModelHistory()
    _ = history.run(
      "class A: Entity { var id: Id = 0; var x = 0; var made = 0 }\nclass B: Entity { var id: Id = 0; var made = 0 }"
    )
    let text = history.model.text
    #expect(history.run(base("var made = 0")).changes == [])
    #expect(history.model.text == text)
  }

  @Test func `a change of a base is told for each entity`() {
    var history = ModelHistory()
    _ = history.run(base("var made = 0"))
    let added = history.run(base("var made = 0\nvar more = \"\""))
    #expect(
      added.changes.map(\.text) == [
        "property 'more' of entity 'A' is new, of type string",
        "property 'more' of entity 'B' is new, of type string",
      ]
    )
    #expect(added.changes.map(\.position?.line) == [6, 6])
    let retyped = history.run(base("var made = 0\nvar more = 1"))
    #expect(retyped.changes.count == 2)
    #expect(retyped.changes.allSatisfy { $0.text.contains("'more'") && $0.effect.isRisk })
    let removed = history.run(base("var made = 0"))
    #expect(removed.changes.map(\.effect.isRisk) == [true, true])
  }

  @Test func `a likely rename names one annotation for all entities, and its fix renames`() throws {
    var history = ModelHistory()
    _ = history.run(base("  var made = 0"))
    let old = try [uid(history, "A", "made"), uid(history, "B", "made")]
    var next = history
    let text = base("  var born = 0")
    let changes = next.run(text).changes
    let file = SourceFile(path: "A.swift", text: text)
    let refusals = ChangeFindings(Generator.Options(), [file]).refusals(of: changes)
    #expect(refusals.count == 2)
    let words = "// objectbox: uid = [\(old[0]), \(old[1])]"
    #expect(refusals.allSatisfy { $0.message.text.contains(words) })
    let fixed = try #require(FixPlan(refusals[0].fixIts).apply(to: [file]).first).text
    let renamed = history.run(fixed)
    #expect(renamed.diagnostics == [])
    #expect(renamed.changes.count == 2)
    #expect(try [uid(history, "A", "born"), uid(history, "B", "born")] == old)
    // A third entity needs no change of the annotation.
    let third = history.run(fixed + "class C: Root, Entity { var id: Id = 0 }")
    #expect(third.diagnostics == [])
    #expect(try !old.contains(uid(history, "C", "born")))
    #expect(history.run(fixed + "class C: Root, Entity { var id: Id = 0 }").changes == [])
  }

  @Test func `a bare uid on a base tells the UIDs of all entities and new ones, which reset`()
    throws
  {
    var history = ModelHistory()
    _ = history.run(base("var made = 0"))
    let old = try [uid(history, "A", "made"), uid(history, "B", "made")]
    let told = history.run(base("// objectbox: uid\nvar made = 0"))
    #expect(told.writesModelDespiteErrors)
    #expect(told.diagnostics.count == 1)
    let finding = try #require(told.diagnostics.first)
    #expect(finding.message.text.contains("\(old[0]) in 'A', \(old[1]) in 'B'"))
    #expect(finding.fixIts.map(\.edits[0].replacement) == ["uid = [\(old[0]), \(old[1])]"])
    let pool = try #require(history.model.newUIDPool)
    #expect(pool.count == 2)
    let reset = history.run(base("// objectbox: uid = [\(pool[0]), \(pool[1])]\nvar made = \"\""))
    #expect(reset.diagnostics == [])
    #expect(try [uid(history, "A", "made"), uid(history, "B", "made")] == pool)
    #expect(Set(history.model.retiredPropertyUIDs) == Set(old))
  }

  @Test func `one number is enough for the base of one entity`() throws {
    var history = ModelHistory()
    let head = "class A: Root, Entity { var id: Id = 0 }\n// objectbox: base\nclass Root {\n"
    _ = history.run(head + "var made = 0 }")
    let old = try uid(history, "A", "made")
    let told = history.run(head + "// objectbox: uid\nvar made = 0 }")
    #expect(told.diagnostics.first?.fixIts.first?.edits[0].replacement == "uid = \(old)")
    _ = history.run(head + "// objectbox: uid = \(old)\nvar born = 0 }")
    #expect(try uid(history, "A", "born") == old)
  }

  @Test func `a UID of a base that no entity has is an error`() {
    var history = ModelHistory()
    _ = history.run(base("var made = 0"))
    let result = history.run(base("// objectbox: uid = 999\nvar made = 0"))
    #expect(
      result.diagnostics.map(\.description) == [
        "A.swift:5:15: error: the uid annotation of 'Root.made' has the UID 999, which no entity "
          + "that inherits it has in the model; remove it, or write `uid` without a number to be "
          + "told the right ones"
      ]
    )
  }

  @Test(arguments: ["[]", "[0]", "[300, 300]", "[\"a\"]"])
  func `other values of a base's uid are refused`(_ value: String) {
    expectFindings(
      "// objectbox: base\nclass Root {\n// objectbox: uid = 1️⃣\(value)\nvar made = 0 }\nclass A: Root, Entity { var id: Id = 0 }",
      ["1️⃣ error: the uid"]
    )
  }
}
