import Foundation
import ObjectBoxTestSupport
import Testing

struct CommandLineTests {
  private let tool: Tool
  private static let source = """
    import ObjectBox

    // objectbox: entity
    class Note {
      var id: Id = 0
      var title: String = ""
    }
    """

  init() throws {
    tool = try Tool()
    try tool.folder.write(Self.source, to: "src/Note.swift")
  }

  private func generate(_ more: String...) throws -> Tool.Result {
    let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    return try tool.run(basic + more)
  }

  @Test func `a run writes model and code, and a second one changes no byte`() throws {
    let first = try generate()
    #expect(first.status == 0)
    #expect(first.errors == "")
    #expect(first.output.contains("model.json' was created"))
    let model = try tool.folder.read("model.json")
    let code = try tool.folder.read("out/Code.swift")
    #expect(model.contains("\"name\": \"Note\""))
    #expect(!model.hasSuffix("\n"))
    #expect(code.contains("final class NoteBinding"))
    let second = try generate()
    #expect(second.status == 0)
    #expect(second.output.contains("is unchanged"))
    #expect(try tool.folder.read("model.json") == model)
    #expect(try tool.folder.read("out/Code.swift") == code)
    #expect(!tool.exists("model.json.bak"))
  }

  @Test func `a changed model is kept beside the new one`() throws {
    _ = try generate()
    let before = try tool.folder.read("model.json")
    try tool.folder.write(
      Self.source.replacingOccurrences(of: "title", with: "headline"),
      to: "src/Note.swift"
    )
    #expect(try generate().status == 0)
    #expect(try tool.folder.read("model.json.bak") == before)
    #expect(try tool.folder.read("model.json") != before)
  }

  @Test func `findings go to standard error with their places, status 3, and nothing is written`()
    throws
  {
    try tool.folder.write(
      "// objectbox: entitty\nclass A {}\nclass B: Entity { var x: Locale }\n",
      to: "src/Bad.swift"
    )
    let result = try generate()
    #expect(result.status == 3)
    #expect(result.errors.contains("src/Bad.swift:1:15: error: unknown annotation 'entitty'"))
    #expect(result.errors.contains("src/Bad.swift:3:7: error: entity 'B' has no ID"))
    #expect(result.errors.contains("src/Bad.swift:3:23: error: property 'x'"))
    #expect(!tool.exists("model.json"))
    #expect(!tool.exists("out"))
  }

  @Test func `the bare uid writes the new UID into the model, and fails`() throws {
    _ = try generate()
    try tool.folder.write(
      Self.source.replacingOccurrences(
        of: "// objectbox: entity",
        with: "// objectbox: entity, uid"
      ),
      to: "src/Note.swift"
    )
    let locked = try generate("--locked", "--update-command", "do this")
    #expect(locked.status == 3)
    #expect(locked.errors.contains("src/Note.swift:3:23: error: a uid annotation"))
    #expect(locked.errors.contains("run: do this"))
    #expect(!(try tool.folder.read("model.json").contains("newUidPool")))
    let result = try generate()
    #expect(result.status == 3)
    #expect(result.errors.contains("entity 'Note' has the UID"))
    #expect(try tool.folder.read("model.json").contains("newUidPool"))
  }

  @Test(arguments: [
    "{ \"entities\": [", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n", "", "[]",
    "{\"modelVersion\": 2}",
  ])
  func `a model file that cannot be read is told and stays as it is`(text: String) throws {
    try tool.folder.write(text, to: "model.json")
    let result = try generate()
    #expect(result.status == 3)
    #expect(result.errors.contains("model.json:1:"))
    #expect(try tool.folder.read("model.json") == text)
    #expect(!tool.exists("out"))
  }

  @Test func `a locked run never writes the model and says the command`() throws {
    let result = try generate("--locked", "--update-command", "do this")
    #expect(result.status == 3)
    #expect(result.errors.contains("src/Note.swift:4:7: error: entity 'Note' is new"))
    #expect(result.errors.contains("run: do this"))
    #expect(!tool.exists("model.json"))
    _ = try generate()
    let agreed = try generate("--locked")
    #expect(agreed.status == 0)
    #expect(agreed.output == "")
  }

  @Test func `sources of another target do not retire the entities of a model`() throws {
    _ = try generate()
    let model = try tool.folder.read("model.json")
    try tool.folder.write("class Other: Entity { var id: Id = 0 }", to: "src/Note.swift")
    let refused = try generate()
    #expect(refused.status == 3)
    #expect(refused.errors.contains("'Note'"))
    #expect(try tool.folder.read("model.json") == model)
    #expect(try generate("--allow-removing-all").status == 0)
    #expect(try tool.folder.read("model.json").contains("Other"))
  }

  @Test
  func `bindings of the reference's generator are no sources, and a warning says to delete them`()
    throws
  {
    try tool.folder.write("class A: Entity { var id: Id = 0 }", to: "src/A.swift")
    let other =
      "// Generated using the ObjectBox Swift Generator — https://objectbox.io\n// DO NOT EDIT\n"
    try tool.folder.write(other + "extension A: Nothing {", to: "src/generated/EntityInfo.swift")
    let result = try generate()
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "src/generated/EntityInfo.swift:1:1: warning: this file holds bindings of"
      )
    )
    // The output may replace such a file.
    let replaced = try tool.run(
      "--sources",
      "src",
      "--model-json",
      "model.json",
      "--output",
      "src/generated/EntityInfo.swift"
    )
    #expect(!replaced.errors.contains("warning"))
    #expect(try tool.folder.read("src/generated/EntityInfo.swift").contains("extension A"))
  }

  @Test func `sources without entities make no model and explain themselves`() throws {
    try tool.folder.write("struct Plain {}", to: "src/Note.swift")
    let result = try generate()
    #expect(result.status == 0)
    #expect(result.output.contains("0 entities in 1 file of 'src'; annotate a class or struct"))
    #expect(!tool.exists("model.json"))
    #expect(try tool.folder.read("out/Code.swift").contains("no entities"))
    #expect(try generate("--prune").status == 0)
    #expect(!tool.exists("out/Code.swift"))
  }

  @Test func `a locked run without entities says nothing, whatever the model holds`() throws {
    _ = try generate()
    try tool.folder.write("struct Plain {}", to: "src/Note.swift")
    let locked = try generate("--locked")
    #expect(locked.status == 0)
    #expect(locked.output + locked.errors == "")
    #expect(try generate().status == 3)
  }

  @Test func `options in either spelling, and the wrong ones told`() throws {
    try tool.folder.write(
      Self.source.replacingOccurrences(of: "class Note", with: "public class Note"),
      to: "src/Note.swift"
    )
    let result = try tool.run(
      "--sources=src",
      "--model-json=m.json",
      "--output=gen/",
      "--visibility=public",
      "-q",
      "--disableCache",
      "--no-statistics"
    )
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(try tool.folder.read("gen/EntityInfo.generated.swift").contains("public final class"))
    for (arguments, words) in [
      ("--nonsense", "no option '--nonsense'"), ("--sources", "needs a value"),
      ("--visibility=loud", "'loud'"), ("--xcode-project", "not supported"),
      ("--templates", "not supported"),
      ("--locked=yes", "takes no value"),
      ("--ejsPath=x", "not supported"), ("stray", "'stray' is no option"),
    ] {
      let wrong = try tool.run(arguments)
      #expect(wrong.status == 1, "\(arguments)")
      #expect(wrong.errors.contains(words), "\(wrong.errors)")
    }
    #expect(try tool.run().status == 2)
    #expect(try tool.run("--help").output.contains("--model-json FILE"))
    #expect(try tool.run("--version").output.contains("0.1"))
  }

  @Test func `an empty value is refused, and its option or key is named`() throws {
    let files = ["--sources", "--model-json", "--output", "--exclude-sources", "--c-header"]
    for option in files + ["--config", "--c-include-dir", "--debug-parsetree", "--entities-of"] {
      for words in [[option, ""], ["\(option)="]] {
        let result = try tool.run(["--sources", "src"] + words)
        #expect(result.status == 1)
        #expect(
          result.errors.hasPrefix(
            "error: option '\(option)' has the value '', which is empty; pass a"
          ),
          "\(result.errors)"
        )
      }
    }
    for (words, error) in [
      (["diff", "", "b.json"], "error: OLD is '', which is empty; pass a path or a name; see"),
      (["merge", "a", "b", ""], "error: THEIRS is '', which is empty"),
      (
        ["diagram", "m.json", "--output", ""], "error: option '--output' has the value '', which is"
      ),
      (
        ["check", "--sources", "src", "--model-json="],
        "error: option '--model-json' has the value ''"
      ),
    ] {
      let result = try tool.run(["model"] + words)
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix(error), "\(result.errors)")
    }
    for (text, place) in [
      ("sources: \"\"\n", "1:1: the key 'sources' has an empty path"),
      ("sources:\n  - src\noutput:\n  path: ''\n", "4:1: the key 'output.path' has an empty path"),
    ] {
      try tool.folder.write(text, to: ".sourcery.yml")
      let result = try tool.run("--config", ".sourcery.yml")
      #expect(result.status == 1)
      #expect(result.errors.contains(".sourcery.yml:\(place); name a file or folder"))
    }
    #expect(!tool.exists("model.json"))
  }

  @Test func `unusable paths end with status 1 and are named`() throws {
    let missing = try tool.run("--sources", "nowhere")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("'nowhere'"))
    try Data([0xFF, 0xFE, 0x41]).write(
      to: tool.folder.url.appendingPathComponent("src/Bytes.swift")
    )
    let bytes = try generate()
    #expect(bytes.status == 1)
    #expect(bytes.errors.contains("Bytes.swift") && bytes.errors.contains("UTF-8"))
    try FileManager.default.removeItem(
      at: tool.folder.url.appendingPathComponent("src/Bytes.swift")
    )
    // Nobody can write in /proc.
    let unwritable = try tool.run(
      "--sources",
      "src",
      "--model-json",
      "/proc/model.json",
      "--output",
      "out/Code.swift"
    )
    #expect(unwritable.status == 1)
    #expect(unwritable.errors.contains("cannot write '/proc/model.json'"))
    #expect(!tool.exists("out"))
  }

  @Test func `hidden folders, excluded paths and generated files are left out`() throws {
    try tool.folder.write("class Bad: Entity {}", to: "src/.hidden/Bad.swift")
    try tool.folder.write("class Bad: Entity {}", to: "src/skip/Bad.swift")
    let result = try tool.run(
      "--sources",
      "src",
      "--exclude-sources",
      "src/skip",
      "--output",
      "src/Generated.swift",
      "--model-json",
      "model.json"
    )
    #expect(result.status == 0, "\(result.errors)")
    let again = try tool.run(
      "--sources",
      "src",
      "--exclude-sources",
      "src/skip",
      "--output",
      "src/Generated.swift",
      "--model-json",
      "model.json"
    )
    #expect(again.output.contains("is unchanged"))
    #expect(again.output.contains("1 entity in 1 file"))
  }

  @Test func `nothing remains of a run for the next one with --disableCache`() throws {
    let name = "out/.Code.swift.objectbox-cache"
    _ = try generate("--disableCache")
    _ = try generate("--disableCache")
    #expect(!tool.exists(name))
    _ = try generate()
    #expect(tool.exists(name))
    let repeated = try generate()
    let computed = try generate("--disableCache")
    #expect(repeated.status == 0 && computed.status == 0)
    #expect(repeated.output == computed.output)
    #expect(repeated.errors == computed.errors)
  }

  @Test func `a link to the model stays a link`() throws {
    try tool.folder.write("", to: "elsewhere/empty")
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.path + "/model.json",
      withDestinationPath: tool.folder.path + "/elsewhere/model.json"
    )
    #expect(try generate().status == 0)
    #expect(try tool.folder.read("elsewhere/model.json").contains("Note"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: tool.folder.path + "/model.json"
    )
    #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func `the schema dump makes UIDs deterministic`() throws {
    #expect(try generate("--debug-parsetree", "dump.txt").status == 0)
    #expect(try tool.folder.read("model.json").contains("\"1:16640\""))
    #expect(try tool.folder.read("dump.txt").contains("swiftType: String"))
  }
}
