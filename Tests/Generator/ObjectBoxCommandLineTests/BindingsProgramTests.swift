import Foundation
import ObjectBoxTestSupport
import Testing

/// `objectbox-bindings`, which builds run, beside `objectbox-generator` with the same arguments.
struct BindingsProgramTests {
  private static let model = """
    {
      "entities": [
        {
          "id": "1:1001", "lastPropertyId": "3:1103", "name": "Note",
          "properties": [
            { "id": "1:1101", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1102", "name": "title", "type": 9 },
            { "id": "3:1103", "name": "rating", "type": 5 }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1001", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 4,
      "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
      "retiredRelationUids": [], "version": 1
    }
    """

  private static func note(_ lines: String...) -> String {
    "import ObjectBox\n\n// objectbox: entity\nfinal class Note {\n  var id: Id = 0\n"
      + lines.map { "  \($0)\n" }.joined() + "  init() {}\n}\n"
  }
  private static let same = note("var title: String = \"\"", "var rating: Int32 = 0")

  /// A build of one target.
  struct Case: CustomTestStringConvertible {
    var name: String
    /// Files by path; the model is `model.json`.
    var files: [String: String]
    /// Arguments besides sources, model and output.
    var arguments: [String] = []
    /// Words of the first finding; nil for a run without findings.
    var finding: String?
    var status: Int32

    var testDescription: String { name }
  }

  private static let cases: [Case] = [
    Case(
      name: "sources and model agree",
      files: ["src/Note.swift": same, "model.json": model],
      status: 0
    ),
    Case(
      name: "public bindings and conditions",
      files: [
        "src/Note.swift": "#if A\n\(same.replacing("final", with: "public final"))#endif\n",
        "model.json": model,
      ],
      arguments: ["--visibility", "public", "-D", "A", "--can-import", "Foundation"],
      status: 0
    ),
    Case(name: "no entities", files: ["src/A.swift": "struct A {}\n"], status: 0),
    Case(
      name: "a warning",
      files: [
        "src/Note.swift": same, "src/A.swift": "// objectbox: index\n\nstruct A {}\n",
        "model.json": model,
      ],
      finding: "warning: the annotation 'index' has no effect here",
      status: 0
    ),
    Case(
      name: "errors with notes and fixes",
      files: [
        "src/Note.swift": note("// objectbox: indx", "var title: String = \"\"", "var x: Locale?"),
        "model.json": model,
      ],
      finding: "error: unknown annotation 'indx'",
      status: 3
    ),
    Case(
      name: "a syntax error",
      files: ["src/Note.swift": "// objectbox: entity\nclass Note {"],
      finding: "error: ",
      status: 3
    ),
    Case(
      name: "a new entity without a model",
      files: ["src/Note.swift": same],
      finding: "entity 'Note' is new",
      status: 3
    ),
    Case(
      name: "a model that is gone",
      files: ["src/Note.swift": same, "model.json.bak": model],
      finding: "error: the model file 'model.json' is missing",
      status: 3
    ),
    Case(
      name: "a broken model",
      files: ["src/Note.swift": same, "model.json": "<<<<<<< ours\n"],
      finding: "model.json:1:1: error: ",
      status: 3
    ),
    Case(
      name: "a likely rename, and a new property",
      files: [
        "src/Note.swift": note("var titel: String = \"\"", "var rating: Int32 = 0", "var b = true"),
        "model.json": model,
      ],
      finding: "if it is a rename, put `// objectbox: uid = 1102` on it",
      status: 3
    ),
    Case(
      name: "another type",
      files: [
        "src/Note.swift": note("var title: String = \"\"", "var rating: String = \"\""),
        "model.json": model,
      ],
      finding: "stores of the old model would be refused",
      status: 3
    ),
    Case(
      name: "an entity that is gone",
      files: ["src/Note.swift": same.replacing("Note", with: "Page"), "model.json": model],
      finding: "'Page'",
      status: 3
    ),
    Case(
      name: "a uid annotation without a number",
      files: [
        "src/Note.swift": note("// objectbox: uid", "var title: String = \"\"", "var rating = 1"),
        "model.json": model,
      ],
      finding: "error: ",
      status: 3
    ),
    Case(
      name: "the entities of another target",
      files: ["src/Note.swift": note("var title: String = \"\""), "model.json": model],
      arguments: ["--entities-of", "Server"],
      finding: "declare the same as 'Server' does",
      status: 3
    ),
    Case(
      name: "another target's entities, and none here",
      files: ["src/A.swift": "struct A {}\n", "model.json": model],
      arguments: ["--entities-of", "Server"],
      finding: "of target 'Server'",
      status: 3
    ),
    Case(
      name: "other bindings among the sources",
      files: [
        "src/Note.swift": same, "model.json": model,
        "src/EntityInfo.generated.swift": "// Generated by objectbox-generator. Do not edit.\n",
      ],
      finding: "src/EntityInfo.generated.swift:1:1: error: the build makes the bindings",
      status: 3
    ),
    Case(
      name: "a wrong visibility",
      files: ["src/Note.swift": same, "model.json": model],
      arguments: ["--visibility", "open"],
      finding: "error: the visibility 'open' is none of internal, package and public; see",
      status: 1
    ),
    Case(
      name: "a wrong condition",
      files: ["src/Note.swift": same, "model.json": model],
      arguments: ["-D", "A=1"],
      finding: "error: 'A=1' is no name of a condition",
      status: 1
    ),
    Case(
      name: "a wrong C module",
      files: ["src/Note.swift": same, "model.json": model],
      arguments: ["--c-module", "nothing"],
      finding: "error: the C module 'nothing' does not look like NAME=DIR",
      status: 1
    ),
    Case(
      name: "an output below a file",
      files: ["src/Note.swift": same, "model.json": model, "out": "a file"],
      finding: "error: cannot write",
      status: 1
    ),
    Case(
      name: "a folder in place of the model",
      files: ["src/Note.swift": same, "model.json/file": ""],
      finding: "error: cannot read 'model.json'",
      status: 1
    ),
  ]

  /// The cases of `Fixtures/Findings`.
  private static var fixtures: [Case] {
    get throws {
      let folder = Repository.fixtures.appendingPathComponent("Findings")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
        let folder = folder.appendingPathComponent(name)
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
          if file == "model.json" { files[file] = text }
          if file.hasSuffix(".swift.txt") { files["src/\(file.dropLast(4))"] = text }
        }
        return Case(name: name, files: files, status: 3)
      }
    }
  }

  private struct Answer: Equatable {
    var status: Int32
    var output: String
    var errors: String
    var bindings: String?
  }

  private func run(_ program: String, on build: Case, times: Int) throws -> [Answer] {
    let tool = try BuiltProgram(program)
    for (path, text) in build.files { try tool.folder.write(text, to: path) }
    let sources = build.files.keys.filter { $0.hasPrefix("src/") }.sorted()
    let words =
      sources.flatMap { ["--sources", $0] }
      + ["--model-json", "model.json", "--output", "out/Code.swift"] + build.arguments
      + ["--locked", "--sole-bindings", "--update-command", "update the model"]
    return try (0..<times).map { _ in
      let result = try tool.run(words)
      if !build.files.keys.contains(where: { $0.hasPrefix("model.json") }) {
        #expect(!tool.exists("model.json"))
      }
      return Answer(
        status: result.status,
        output: result.output,
        errors: result.errors,
        bindings: tool.exists("out/Code.swift") ? try tool.folder.read("out/Code.swift") : nil
      )
    }
  }

  @Test(arguments: cases)
  func `builds get the same answer from both programs`(_ build: Case) throws {
    // The second run may repeat the first one's answer.
    let answers = try run("objectbox-bindings", on: build, times: 2)
    #expect(try answers == run("objectbox-generator", on: build, times: 2))
    #expect(answers[0] == answers[1])
    #expect(answers[0].status == build.status, "\(answers[0])")
    #expect(answers[0].output == "")
    #expect((answers[0].bindings != nil) == (build.status == 0))
    if let finding = build.finding {
      #expect(answers[0].errors.contains(finding), "\(answers[0])")
    } else {
      #expect(answers[0].errors == "")
    }
  }

  @Test func `builds get the same findings of all kinds from both programs`() throws {
    for build in try Self.fixtures {
      let answers = try run("objectbox-bindings", on: build, times: 1)
      #expect(try answers == run("objectbox-generator", on: build, times: 1))
      #expect(answers[0].errors.contains(": error: "), "\(build.name): \(answers)")
    }
  }

  @Test func `it knows the options of builds only, and never writes a model`() throws {
    let tool = try BuiltProgram("objectbox-bindings")
    try tool.folder.write(Self.same, to: "src/Note.swift")
    let words = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    let unlocked = try tool.run(words)
    #expect(unlocked.status == 3)
    #expect(unlocked.errors.contains("entity 'Note' is new"))
    #expect(!tool.exists("model.json"))
    let unknown = try tool.run(words + ["--fix"])
    #expect(unknown.status == 1)
    #expect(
      unknown.errors == "error: there is no option '--fix' for builds; objectbox-generator has all "
        + "options; see objectbox-generator --help\n"
    )
    #expect(try tool.run("--locked").status == 2)
    let empty = try tool.run("--sources", "src", "--output", "")
    #expect(empty.status == 1)
    #expect(
      empty.errors == "error: option '--output' has the value '', which is empty; pass a PATH, or "
        + "leave the option out; see objectbox-generator --help\n"
    )
    let missing = try tool.run("--sources")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("option '--sources' needs a value (PATH)"))
  }
}
