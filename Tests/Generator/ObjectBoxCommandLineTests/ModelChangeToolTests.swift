import Foundation
import ObjectBoxTestSupport
import Testing

/// The findings about a run's changes of the model.
struct ModelChangeToolTests {
  private let tool: Tool
  private static let source = """
    // objectbox: entity
    class Person {
      var id: Id = 0
      var name: String = ""
    }
    // objectbox: entity
    class Pet {
      var id: Id = 0
    }
    """

  init() throws {
    tool = try Tool()
    try tool.folder.write(Self.source, to: "src/A.swift")
  }

  @discardableResult
  private func generate(_ more: String...) throws -> Tool.Result {
    let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    return try tool.run(basic + more)
  }

  private func edit(_ old: String, _ new: String) throws {
    try tool.folder.write(
      try tool.folder.read("src/A.swift").replacingOccurrences(of: old, with: new),
      to: "src/A.swift"
    )
  }

  /// The UID of an entity in the model file.
  private func uid(_ entity: String) throws -> String {
    let model = try tool.folder.read("model.json")
    let part = try #require(model.components(separatedBy: "\"name\": \"\(entity)\"").first)
    let id = try #require(part.components(separatedBy: "\"id\": \"").last)
    return try #require(id.components(separatedBy: "\"").first?.components(separatedBy: ":").last)
  }

  @Test func `the first run tells nothing, and neither does one that changes nothing`() throws {
    #expect(try generate().errors == "")
    #expect(try generate().errors == "")
  }

  @Test func `a renamed entity is a warning with its data, its UID and the way back`() throws {
    try generate()
    let uid = try uid("Person")
    try edit("class Person", "class Human")
    let renamed = try generate()
    #expect(renamed.status == 0)
    #expect(
      renamed.errors.hasPrefix(
        "src/A.swift:2:7: warning: 'Human' is new with the properties of 'Person', which is gone: the "
          + "stored objects of 'Person' become unreachable, and are gone after "
          + "`discardRetiredData()`; if it is a rename, "
      ),
      "\(renamed.errors)"
    )
    #expect(renamed.errors.contains("put `// objectbox: uid = \(uid)` on it"))
    #expect(renamed.errors.contains("src/A.swift:2:1: note: fix: put '// objectbox: uid = \(uid)'"))

    // Undo the change as the warning says.
    try tool.folder.write(try tool.folder.read("model.json.bak"), to: "model.json")
    try edit("class Human", "// objectbox: uid = \(uid)\nclass Human")
    let kept = try generate()
    #expect(kept.status == 0)
    #expect(kept.errors.contains("note: entity 'Human' was named 'Person': nothing changes"))
    #expect(try self.uid("Human") == uid)
  }

  @Test func `a locked run and a check tell a likely rename before anything is lost`() throws {
    try generate()
    let uid = try uid("Person")
    try edit("class Person", "class Human")
    for result in [
      try generate("--locked", "--update-command", "do this"),
      try tool.run(
        "model",
        "check",
        "--sources",
        "src",
        "--model-json",
        "model.json",
        "--update-command",
        "do this"
      ),
    ] {
      #expect(result.status != 0)
      #expect(result.errors.contains("src/A.swift:2:7: error: 'Human' is new with the properties"))
      #expect(
        result.errors.contains(
          "if it is a rename, put `// objectbox: uid = \(uid)` on it, since without it the stored "
            + "objects of 'Person' become unreachable, and are gone after `discardRetiredData()`; "
            + "else run: do this\n"
        ),
        "\(result.errors)"
      )
    }
  }

  @Test func `the only entity renamed is told as such, and nothing is written`() throws {
    try tool.folder.write(
      "class Person: Entity {\r\n  var id: Id = 0\r\n  var name = \"\"\r\n}\r\n",
      to: "src/A.swift"
    )
    try generate()
    let model = try tool.folder.read("model.json")
    let uid = try uid("Person")
    try edit("Person", "Human")
    let result = try generate()
    #expect(result.status == 3)
    #expect(result.errors.contains("none of the entities of this model is in the sources"))
    #expect(result.errors.contains("src/A.swift:1:7: note: 'Human' is new with the properties of"))
    #expect(result.errors.contains("uid = \(uid)"))
    #expect(try tool.folder.read("model.json") == model)
  }

  @Test func `removed, added and changed properties are told each with their effect`() throws {
    try generate()
    try edit("var name: String = \"\"", "var age: Int = 0\n  var height: Double = 0")
    let result = try generate()
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[0].hasPrefix("src/A.swift:4:7: note: property 'age' of entity 'Person' is new"))
    #expect(lines[0].contains("objects that are stored already have no value for it"))
    #expect(lines[1].hasPrefix("src/A.swift:5:7: note: property 'height'"))
    #expect(
      lines[2].hasPrefix("src/A.swift:2:7: warning: property 'name' of entity 'Person' is gone")
    )
    #expect(lines[2].contains("their bytes go with the next put"))
    try edit("age: Int", "age: UInt")
    let unsigned = try generate("--quiet")
    #expect(unsigned.status == 0 && unsigned.errors == "")
  }

  @Test func `a changed type stops each run at its place, until the sources decide`() throws {
    try generate()
    let model = try tool.folder.read("model.json")
    let code = try tool.folder.read("out/Code.swift")
    try edit("var name: String = \"\"", "var name: Int = 0")
    let told =
      "src/A.swift:4:7: error: the type of property 'name' of entity 'Person' was string, and is long, and "
      + "stores of the old model would be refused; to keep the values, put `// objectbox: migratedFrom = "
      + "\"name\"` on it; to start anew, which loses the values, put `// objectbox: uid` on it instead; then "
      + "run"
    for (result, next) in [
      (try generate(), " again\n"), (try generate("--locked"), ": objectbox-generator\n"),
      (
        try tool.run("model", "check", "--sources", "src", "--model-json", "model.json"),
        ": objectbox-generator\n"
      ),
      // A choice is no safe fix.
      (try generate("--fix"), " again\n"),
    ] {
      #expect(result.status != 0)
      #expect(result.errors.hasPrefix(told + next), "\(result.errors)")
    }
    #expect(try tool.folder.read("model.json") == model)
    #expect(try tool.folder.read("out/Code.swift") == code)

    try edit("  var name", "  // objectbox: migratedFrom = \"name\"\n  var name")
    let missing = try generate("--fix")
    #expect(missing.status == 0, "\(missing.errors)")
    #expect(
      try tool.folder.read("src/A.swift").contains("static func migrateName(_ old: String?) -> Int")
    )
    let kept = try tool.folder.read("model.json")
    #expect(kept.contains("\"migratedFromName\": \"name\""), "\(kept)")
  }

  @Test func `a new UID starts a property of another type anew`() throws {
    try generate()
    try edit("var name: String = \"\"", "// objectbox: uid\n  var name: Int = 0")
    let asked = try generate()
    #expect(asked.status == 3)
    #expect(
      asked.errors.contains("write `migratedFrom = \"name\"` instead; to reset its stored values")
    )
    let uid = try #require(
      asked.errors.components(separatedBy: "reset its stored values, write `").last
    ).prefix { $0 != "`" }
    try edit("objectbox: uid", "objectbox: \(uid)")
    let reset = try generate()
    #expect(reset.status == 0, "\(reset.errors)")
    #expect(reset.errors.contains("warning: property 'name' of entity 'Person' is gone"))
  }

  @Test func `the words are those of model diff`() throws {
    try generate()
    try tool.folder.write(try tool.folder.read("model.json"), to: "old.json")
    try edit("  var name: String = \"\"\n", "")
    let told = try generate()
    let diff = try tool.run("model", "diff", "old.json", "model.json").output
    let lines = diff.split(separator: "\n")
    let text = try #require(lines.first).dropFirst(2)
    let effect = try #require(lines.dropFirst().first).dropFirst("    data: ".count)
    #expect(told.errors.contains("warning: \(text): \(effect)"), "\(told.errors)")
  }
}
