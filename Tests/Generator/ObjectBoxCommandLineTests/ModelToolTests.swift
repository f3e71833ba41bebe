import Foundation
import ObjectBoxTestSupport
import Testing

struct ModelToolTests {
  private let tool: Tool
  private static let source = """
    import ObjectBox

    struct Note: Entity {
      var id: Id
      // objectbox: index
      var title: String
    }
    """

  init() throws {
    tool = try Tool()
    try tool.folder.write(Self.source, to: "src/Note.swift")
  }

  @discardableResult
  private func generate(_ more: String...) throws -> Tool.Result {
    let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    return try tool.run(basic + more)
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: tool.folder.path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `help names the verbs, and that of each verb its options`() throws {
    let all = try tool.run("model", "--help")
    #expect(all.status == 0)
    for (verb, words) in [
      ("check", "--model-json FILE"), ("diff", "model diff OLD NEW [OPTION ...]"),
      ("merge", "model merge BASE OURS THEIRS"), ("install-merge-driver", "--command PATH"),
      ("diagram", "mermaid (default)"), ("schema", "json-schema"),
    ] {
      #expect(all.output.contains("  \(verb) "))
      let help = try tool.run("model", verb, "--help")
      #expect(help.status == 0)
      #expect(help.output.contains(words), "\(help.output)")
    }
    #expect(try tool.run("--help").output.contains("objectbox-generator model VERB"))
  }

  @Test(arguments: [
    ([], "a verb is missing; use one of: check, diff"), (["frob"], "no verb 'model frob'"),
    (
      ["dif", "a", "b"],
      "there is no verb 'model dif'; did you mean 'diff'? see objectbox-generator"
    ),
    (["diff", "a", "b", "--fromat", "text"], "no option '--fromat'; did you mean '--format'?"),
    (["diff", "a"], "the files to pass are: OLD NEW; found: a"),
    (
      ["diff", "a", "b", "--format", "xml"],
      "'xml' is no value of option '--format'; use one of: text"
    ),
    (["diff", "a", "b", "--nonsense"], "no option '--nonsense'"),
    (["diagram", "a", "--output"], "needs a value"), (["check", "-q=1"], "no option '-q=1'"),
    (["check", "--quiet=1"], "takes no value"),
    (["schema", "model.json"], "'--format' is missing"),
    (["diff", "nowhere.json", "b"], "cannot read 'nowhere.json'"),
  ])
  func `a wrong command line ends with status 1 and says what is right`(
    words: [String],
    text: String
  ) throws {
    let result = try tool.run(["model"] + words)
    #expect(result.status == 1)
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(result.output == "")
  }

  // MARK: check

  @Test func `check reads the sources as a run does: with its conditions, headers and modules`()
    throws
  {
    let source = """
      import CNotes
      // objectbox: entity
      class Note {
        var id: Id = 0
        #if WIDE
          var width: Int32 = 0
        #endif
      }
      """
    try tool.folder.write(source, to: "src/Note.swift")
    let reading = ["--sources", "src", "--model-json", "model.json", "-D", "WIDE"]
    #expect(try tool.run(reading + ["--output", "out.swift"]).status == 0)
    #expect(try tool.run(["model", "check"] + reading).status == 0)
    #expect(try tool.run(["model", "check"] + reading.dropLast(2) + ["-DWIDE"]).status == 0)
    let narrow = try tool.run(["model", "check"] + reading.dropLast(2))
    #expect(narrow.status == 1)
    #expect(narrow.errors.contains("property 'width' of entity 'Note' is gone"))
    #expect(try tool.run(["model", "check"] + reading + ["--c-header", "gone.h"]).status == 1)
    #expect(try tool.run(["model", "check"] + reading + ["--c-module", "nonsense"]).status == 1)
  }

  @Test func `check ends with 0, 1 or 3 and never writes`() throws {
    let check = ["model", "check", "--sources", "src", "--model-json", "model.json"]
    let before = try files()
    let missing = try tool.run(check)
    #expect(missing.status == 1)
    #expect(missing.errors.contains("src/Note.swift:3:8: error: entity 'Note' is new"))
    #expect(try files() == before)
    try generate()
    let model = try tool.folder.read("model.json")
    let written = try files()
    let agreed = try tool.run(check)
    #expect(agreed.status == 0)
    #expect(agreed.output == "note: sources and 'model.json' agree: 1 entity\n")
    #expect(try tool.run(check + ["-q"]).output == "")
    try tool.folder.write(
      Self.source.replacingOccurrences(of: "title: String", with: "title: Int"),
      to: "src/Note.swift"
    )
    let differs = try tool.run(check + ["--update-command", "do this"])
    #expect(differs.status == 1)
    #expect(differs.errors.contains("src/Note.swift:6:7: error: the type of property 'title'"))
    #expect(differs.errors.contains("run: do this"))
    try tool.folder.write("struct Bad: Entity {}", to: "src/Note.swift")
    #expect(try tool.run(check).status == 3)
    #expect(try tool.run("model", "check").status == 2)
    #expect(try tool.folder.read("model.json") == model)
    #expect(try files() == written)
  }

  // MARK: diff, diagram, schema

  @Test func `diff tells differences and ends with 0, with 3 for a broken model`() throws {
    try generate()
    try tool.folder.write(try tool.folder.read("model.json"), to: "old.json")
    try tool.folder.write(
      Self.source.replacingOccurrences(of: "  // objectbox: index\n", with: ""),
      to: "src/Note.swift"
    )
    try generate()
    let text = try tool.run("model", "diff", "old.json", "model.json")
    #expect(text.status == 0)
    #expect(text.output.contains("- the index of property 'title' of entity 'Note' was hash"))
    #expect(text.output.contains("    data: the index is dropped"))
    let json = try tool.run("model", "diff", "old.json", "model.json", "--format=json")
    #expect(json.output.contains("\"kind\" : \"indexRemoved\""))
    #expect(
      try tool.run("model", "diff", "old.json", "model.json", "--output", "d.txt").output == ""
    )
    #expect(try tool.folder.read("d.txt") == text.output)
    try tool.folder.write("{", to: "old.json")
    let broken = try tool.run("model", "diff", "old.json", "model.json")
    #expect(broken.status == 3)
    #expect(broken.errors.contains("old.json:1:2: error: the model file cannot be read"))
  }

  @Test func `diff reads what another command prints`() throws {
    try generate()
    let result = try tool.run(
      program: "/bin/sh",
      ["-c", "cat model.json | '\(Tool.executable.path)' model diff /dev/stdin model.json"]
    )
    #expect(result.output == "the models say the same\n", "\(result.errors)")
  }

  @Test func `diagram and schema print, or write a file`() throws {
    try generate()
    let mermaid = try tool.run("model", "diagram", "model.json")
    #expect(mermaid.status == 0)
    #expect(mermaid.output.contains("    string title \"hash index\"\n"))
    let dot = try tool.run("model", "diagram", "model.json", "--format", "dot", "--output", "m.dot")
    #expect(dot.status == 0 && dot.output == "")
    #expect(try tool.folder.read("m.dot").hasPrefix("digraph model {"))
    let tables = try tool.run("model", "schema", "model.json", "--format", "fbs")
    #expect(tables.output.contains("title:string (id: 1);"))
    let json = try tool.run("model", "schema", "model.json", "--format", "json-schema")
    #expect(json.output.contains("\"title\": \"model\""))
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    }
  }

  @Test func `a picture is made by Graphviz, and a missing or failing one is told`() throws {
    try generate()
    let arguments = ["model", "diagram", "model.json", "--format", "svg", "--output", "m.svg"]
    let program = try Tool.executable.path
    let missing = try tool.run(program: program, arguments, environment: ["PATH": "/nowhere"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("'dot' of Graphviz, which is not on PATH; install Graphviz"))
    #expect(!tool.exists("m.svg"))
    // Replaces Graphviz by a script that prints its arguments and input.
    let dot = try tool.folder.write("#!/bin/sh\necho \"<svg $1>\"\ncat\n", to: "bin/dot")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: dot)
    let path = ["PATH": "\(tool.folder.path)/bin:/usr/bin:/bin"]
    #expect(try tool.run(program: program, arguments, environment: path).status == 0)
    #expect(try tool.folder.read("m.svg").hasPrefix("<svg -Tsvg>\ndigraph model {"))
    try tool.folder.write("#!/bin/sh\necho 'bad graph' >&2\nexit 4\n", to: "bin/dot")
    let failed = try tool.run(program: program, arguments, environment: path)
    #expect(failed.status == 1)
    #expect(failed.errors.contains("'dot -Tsvg' ended with status 4: bad graph"))
  }

  // MARK: Templates of users

  @Test func `templates of users are rendered with the same context as the bindings`() throws {
    try tool.folder.write(
      "{{#entities}}{{type}}:{{#properties}} {{plainName}}={{id}}{{/properties}}\n{{/entities}}",
      to: "list.mustache"
    )
    try tool.folder.write("{{lastEntityID}}", to: "last.mustache")
    let result = try generate(
      "--template",
      "list.mustache:out/list.txt",
      "--template=last.mustache:l"
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(try tool.folder.read("out/list.txt") == "Note: id=1 title=2\n")
    #expect(try tool.folder.read("l") == "1")
    #expect(result.output.contains("generated file 'out/list.txt' was written"))
    #expect(
      try generate("--template", "list.mustache:out/list.txt").output.contains(
        "list.txt' is unchanged"
      )
    )
  }

  @Test func `a fault in a template is told with its place, and nothing is written`() throws {
    try tool.folder.write("ok\né {{nonsense}}", to: "bad.mustache")
    try tool.folder.write("{{#entities}}", to: "open.mustache")
    let result = try generate("--template", "bad.mustache:a", "--template", "open.mustache:b")
    #expect(result.status == 3)
    #expect(result.errors.contains("bad.mustache:2:4: error: the context has no 'nonsense'"))
    #expect(result.errors.contains("open.mustache:1:1: error: section 'entities' is not closed"))
    for file in ["model.json", "out", "a", "b"] { #expect(!tool.exists(file), "\(file)") }
    let missing = try generate("--template", "nowhere.mustache:a")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("cannot read 'nowhere.mustache'"))
    for (pair, words) in [
      ("alone", "as FILE:OUTPUT; found 'alone'"), ("x:", "found 'x:'"), (":y", "found ':y'"),
      ("x:model.json", "two outputs would be written to 'model.json'"),
    ] {
      let wrong = try generate("--template", pair)
      #expect(wrong.status == 1)
      #expect(wrong.errors.contains(words), "\(wrong.errors)")
    }
    #expect(!tool.exists("model.json"))
  }

  @Test func `without entities a template has an empty list, and prune removes its output`() throws
  {
    try tool.folder.write("struct Plain {}", to: "src/Note.swift")
    try tool.folder.write("[{{#entities}}{{type}}{{/entities}}]", to: "list.mustache")
    #expect(try generate("--template", "list.mustache:list.txt").status == 0)
    #expect(try tool.folder.read("list.txt") == "[]")
    #expect(try generate("--template", "list.mustache:list.txt", "--prune").status == 0)
    #expect(!tool.exists("list.txt"))
  }
}
