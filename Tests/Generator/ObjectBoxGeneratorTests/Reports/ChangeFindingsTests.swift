import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// The findings about changes of the model, and their fixes.
struct ChangeFindingsTests {
  private func changes(_ old: String, _ new: String) -> (ModelHistory, [ModelChange]) {
    var history = ModelHistory()
    _ = history.run(old)
    let before = history
    return (before, history.run(new).changes)
  }

  @Test(arguments: [
    (
      "class B: Entity { var id: Id = 0 }\nclass A: Entity {\n  var id: Id = 0\n  var y: Int = 0\n}\n",
      "\n"
    ),
    (
      "class B: Entity { var id: Id = 0 }\r\nclass A: Entity {\r\n\tvar id: Id = 0\r\n\tlazy var y: Int = 0\r\n}",
      "\r\n"
    ),
  ])
  func `the fix of a likely rename keeps the UID`(new: String, lineEnd: String) throws {
    var (history, changes) = changes(new.replacing(" y:", with: " x:"), new)
    let file = SourceFile(path: "A.swift", text: new)
    let refusals = ChangeFindings(Generator.Options(), [file]).refusals(of: changes)
    #expect(refusals.count == 1)
    let fixIts = refusals.flatMap(\.fixIts)
    #expect(fixIts.map(\.isSafe) == [false])
    let fixed = try #require(FixPlan(fixIts).apply(to: [file]).first)
    let uid = try #require(changes[0].renamedUID)
    #expect(fixed.text.contains("// objectbox: uid = \(uid)\(lineEnd)"), "\(fixed.text)")
    changes = history.run(fixed.text).changes
    #expect(changes.map(\.text) == ["the name of property 'y' of entity 'A' was 'x', and is 'y'"])
  }

  @Test(arguments: [
    "class A: Entity { var id: Id = 0; var y: Int = 0 }",
    "class A: Entity {\nvar id: Id = 0; var y: Int = 0 }",
    "class A: Entity {\nvar id: Id = 0\n/* more */ var y: Int = 0 }",
  ])
  func `behind other code there is no fix, and the finding says what to write`(new: String) throws {
    let (_, changes) = changes(new.replacing(" y:", with: " x:"), new)
    let file = SourceFile(path: "A.swift", text: new)
    let found = ChangeFindings(Generator.Options(), [file]).effects(of: changes)
    #expect(found.flatMap(\.fixIts) == [])
    let uid = try #require(changes.first?.renamedUID)
    #expect(found.first?.message.text.contains("put `// objectbox: uid = \(uid)` on it") == true)
  }

  @Test func `of properties renamed at once, each finding has the UIDs and says what is lost`()
    throws
  {
    func source(_ one: String, _ other: String) -> String {
      "class A: Entity {\nvar id: Id = 0\n\(one)var a = \"\"\n\(other)var b = \"\"\n}"
    }
    let old = source("", "").replacing("var a", with: "var city").replacing(
      "var b",
      with: "var lastName"
    )
    var (history, changes) = changes(old, source("", ""))
    let properties = history.model.entities[0].properties
    let city = "// objectbox: uid = \(try #require(properties[name: "city"]).id.uid)"
    let lastName = "// objectbox: uid = \(try #require(properties[name: "lastName"]).id.uid)"
    func texts(_ findings: [Diagnostic]) -> [String] { findings.map(\.message.text) }
    let findings = ChangeFindings(Generator.Options(), [])
    let (refusals, effects) = (findings.refusals(of: changes), findings.effects(of: changes))
    for (found, name) in [(refusals, "error"), (effects, "finding")] {
      #expect(found.count == 4)
      for text in texts(Array(found[..<2])) {
        #expect(text.contains("if it was 'city', which is gone, "))
        #expect(text.contains("put `\(city)` on it (`\(lastName)` if it was 'lastName')"))
      }
      for text in texts(Array(found[2...])) {
        #expect(text.contains("if it is now 'a' or 'b', do as the \(name) about that one says"))
      }
    }
    for text in texts(Array(refusals[..<2])) {
      #expect(text.contains("without it the stored values of 'city' become unreachable, and each"))
    }
    #expect(effects.map(\.message.severity) == [.warning, .warning, .warning, .warning])
    for text in texts(Array(effects[..<2])) { #expect(text.contains("take back the model file")) }
    changes = history.run(source(lastName + "\n", city + "\n")).changes
    #expect(
      changes.map(\.text) == [
        "the name of property 'b' of entity 'A' was 'city', and is 'b'",
        "the name of property 'a' of entity 'A' was 'lastName', and is 'a'",
      ]
    )
  }

  @Test func `properties of a base that are renamed at once get lists of UIDs`() throws {
    let entities =
      "class A: Root, Entity { var id: Id = 0 }\nclass B: Root, Entity { var id: Id = 0 }\n"
    func source(_ names: String...) -> String {
      entities + "// objectbox: base\nclass Root {\n"
        + names.map { "var \($0) = \"\"\n" }.joined() + "}\n"
    }
    let (history, changes) = changes(source("city", "lastName"), source("a", "b"))
    let uids = history.model.entities.compactMap { $0.properties[name: "city"]?.id.uid }
    #expect(uids.count == 2)
    let found = ChangeFindings(Generator.Options(), []).refusals(of: changes).map(\.message.text)
    let words = "put `// objectbox: uid = [\(uids[0]), \(uids[1])]` on it (`"
    #expect(found.filter { $0.contains(words) }.count == 4)
  }

  @Test func `a run that would retire the only entity names it for one that has its types`() throws
  {
    let (history, changes) = changes(
      "class A: Entity { var id: Id = 0; var x = 0 }",
      "class B: Entity { var id: Id = 0; var y = 0 }"
    )
    let finding = ChangeFindings(Generator.Options(), []).refusal(retiring: ["A"], changes)
    let uid = history.model.entities[0].id.uid
    #expect(
      finding.notes.map(\.message.text) == [
        "entity 'B' is new, with 2 properties; if it was 'A', which is gone, put "
          + "`// objectbox: uid = \(uid)` on it, since without it the stored objects of 'A' become "
          + "unreachable, and are gone after `discardRetiredData()`"
      ]
    )
  }

  @Test func `data at risk is a warning, and a note otherwise`() {
    let (_, changes) = changes(
      "class A: Entity {\nvar id: Id = 0\nvar x: Int = 0\n// objectbox: index\nvar z: Int = 0\n}",
      "class A: Entity {\nvar id: Id = 0\nvar x: UInt = 0\nvar z: Int = 0\n}"
    )
    let found = ChangeFindings(Generator.Options(), []).effects(of: changes)
    #expect(found.map(\.message.severity) == [.warning, .note])
    let refused = ChangeFindings(Generator.Options(), []).refusals(of: changes)
    #expect(refused.map(\.isError) == [true, true])
    #expect(refused.map(\.notes.count) == [1, 0])
  }
}
