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
