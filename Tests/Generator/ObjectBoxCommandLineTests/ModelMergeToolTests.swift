import Foundation
import ObjectBoxTestSupport
import Testing

/// `model merge` on files, and as the merge driver of a git repository.
struct ModelMergeToolTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
  }

  private func source(_ entities: [String]) -> String {
    entities.map { "struct \($0): Entity {\n  var id: Id\n  var name: String\n}\n" }.joined()
  }

  /// Writes the sources, and updates the model from them.
  private func generate(_ source: String, model: String = "model.json") throws {
    try tool.folder.write(source, to: "src/Entities.swift")
    let result = try tool.run(
      "--sources",
      "src",
      "--model-json",
      model,
      "--output",
      "out/Code.swift",
      "-q"
    )
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Runs git without the machine's settings.
  @discardableResult
  private func git(_ arguments: String...) throws -> Tool.Result {
    let settings = [
      "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main",
    ]
    return try tool.run(
      program: "/usr/bin/env",
      ["git"] + settings + arguments,
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"]
    )
  }

  private func uids(in model: String) -> Set<String> {
    let pattern = /"\d+:(\d{4,})"/
    return Set(model.matches(of: pattern).map { String($0.1) })
  }

  private func copyModel(to name: String) throws {
    try tool.folder.write(try tool.folder.read("model.json"), to: name)
  }

  // MARK: Files

  @Test func `merge writes into ours, or where it is told, and tells IDs that changed`() throws {
    try generate(source(["Note"]))
    try copyModel(to: "base.json")
    try copyModel(to: "theirs.json")
    try generate(source(["Note", "Tag"]))
    try generate(source(["Note", "Place"]), model: "theirs.json")
    let ours = try tool.folder.read("model.json")
    let theirs = try tool.folder.read("theirs.json")
    let beside = try tool.run(
      "model",
      "merge",
      "base.json",
      "model.json",
      "theirs.json",
      "--output=new.json"
    )
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(beside.output.contains("note: entity 'Place' had ID 2 in theirs and gets ID 3"))
    #expect(try tool.folder.read("model.json") == ours)
    #expect(try tool.run("model", "merge", "base.json", "model.json", "theirs.json").status == 0)
    let merged = try tool.folder.read("model.json")
    #expect(merged == (try tool.folder.read("new.json")))
    #expect(uids(in: merged) == uids(in: ours).union(uids(in: theirs)))
    // The sources of both branches add nothing to the merged model.
    try generate(source(["Note", "Place", "Tag"]))
    #expect(try tool.folder.read("model.json") == merged)
  }

  @Test func `a conflict ends with 1, a broken model with 3, and ours stays as it is`() throws {
    try generate(source(["Note"]))
    try copyModel(to: "base.json")
    let base = try tool.folder.read("base.json")
    let ours = base.replacingOccurrences(of: "\"Note\"", with: "\"Memo\"")
    try tool.folder.write(ours, to: "model.json")
    try tool.folder.write(
      base.replacingOccurrences(of: "\"Note\"", with: "\"Paper\""),
      to: "theirs.json"
    )
    let merge = ["model", "merge", "base.json", "model.json", "theirs.json"]
    let conflict = try tool.run(merge + ["--path", "App/model.json"])
    #expect(conflict.status == 1)
    #expect(
      conflict.errors.hasPrefix("App/model.json:7:13: error: conflict: the name of entity 'Note'")
    )
    #expect(conflict.errors.contains("'Memo' in ours and 'Paper' in theirs"))
    #expect(try tool.folder.read("model.json") == ours)
    try tool.folder.write("{", to: "theirs.json")
    let broken = try tool.run(merge + ["--path", "App/model.json"])
    #expect(broken.status == 3)
    #expect(broken.errors.contains("App/model.json (theirs):1:2: error: the model file"))
    #expect(try tool.folder.read("model.json") == ours)
    #expect(try tool.run("model", "merge", "nowhere", "model.json", "theirs.json").status == 1)
  }

  // MARK: git

  /// Makes a repository with a model, the driver, and a branch `other` that starts there.
  private func makeRepository() throws {
    try git("init")
    try tool.folder.write(".output\n.errors\nout/\n*.bak\n", to: ".gitignore")
    try generate(source(["Note"]))
    let installed = try tool.run("model", "install-merge-driver")
    #expect(installed.status == 0, "\(installed.errors)")
    try git("add", "--all")
    #expect(try git("commit", "-m", "Start").status == 0)
    try git("branch", "other")
  }

  /// Commits changed sources with their model on the current branch.
  private func commit(_ source: String) throws {
    try generate(source)
    #expect(try git("commit", "--all", "-m", "Change").status == 0)
  }

  @Test func `two branches that each add an entity merge in git, and keep every UID`() throws {
    try makeRepository()
    // The sources would conflict in one file, so `other` later takes main's: only the model merges.
    try commit(source(["Note", "Tag"]))
    let ours = try tool.folder.read("model.json")
    try git("switch", "other")
    try commit(source(["Note", "Place"]))
    let theirs = try tool.folder.read("model.json")
    try git("checkout", "main", "--", "src")
    try git("commit", "--all", "-m", "Take the sources of main")
    try git("switch", "main")
    let merge = try git("merge", "other", "-m", "Merge")
    #expect(merge.status == 0, "\(merge.output)\(merge.errors)")
    let merged = try tool.folder.read("model.json")
    #expect(uids(in: merged) == uids(in: ours).union(uids(in: theirs)))
    #expect(try git("status", "--porcelain").output == "")
    try generate(source(["Note", "Place", "Tag"]))
    #expect(try tool.folder.read("model.json") == merged)
  }

  @Test func `a true conflict leaves a conflicted merge with the model of ours`() throws {
    try makeRepository()
    let base = try tool.folder.read("model.json")
    func rename(to name: String) throws {
      let text = base.replacingOccurrences(of: "\"Note\"", with: "\"\(name)\"")
      try tool.folder.write(text, to: "model.json")
      #expect(try git("commit", "--all", "-m", "Rename").status == 0)
    }
    try rename(to: "Memo")
    let ours = try tool.folder.read("model.json")
    try git("switch", "other")
    try rename(to: "Paper")
    try git("switch", "main")
    let merge = try git("merge", "other", "-m", "Merge")
    #expect(merge.status == 1)
    #expect((merge.output + merge.errors).contains("model.json:7:13: error: conflict: the name"))
    #expect(try git("status", "--porcelain").output.contains("UU model.json"))
    #expect(try tool.folder.read("model.json") == ours)
  }

  @Test func `installing twice changes nothing, and keeps what gitattributes has`() throws {
    try git("init")
    try tool.folder.write("*.png binary", to: ".gitattributes")
    try tool.folder.write("", to: "deep/folder/file")
    let first = try tool.run("model", "install-merge-driver", "--command", "/a b/it's 100%/tool")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains(".gitattributes' now has the line 'model*.json"))
    let attributes = try tool.folder.read(".gitattributes")
    #expect(attributes == "*.png binary\nmodel*.json merge=objectbox-model\n")
    let driver = try git("config", "merge.objectbox-model.driver").output
    #expect(driver == "'/a b/it'\\''s 100%%/tool' model merge %O %A %B --path %P\n")
    #expect(try git("config", "merge.objectbox-model.name").output.contains("ObjectBox"))
    let configuration = try tool.folder.read(".git/config")
    let second = try tool.run("model", "install-merge-driver", "--command", "/a b/it's 100%/tool")
    #expect(second.output.contains("has the line 'model*.json merge=objectbox-model' already"))
    #expect(second.output.contains("git has merge.objectbox-model.driver already"))
    #expect(try tool.folder.read(".gitattributes") == attributes)
    #expect(try tool.folder.read(".git/config") == configuration)
  }

  @Test func `outside of a repository and without git the reason is told`() throws {
    let ceiling = tool.folder.url.deletingLastPathComponent().path
    let program = try Tool.executable.path
    let arguments = ["model", "install-merge-driver"]
    let outside = try tool.run(
      program: program,
      arguments,
      environment: ["GIT_CEILING_DIRECTORIES": ceiling]
    )
    #expect(outside.status == 1)
    #expect(outside.errors.contains("the current folder is not in a git repository"))
    let missing = try tool.run(program: program, arguments, environment: ["PATH": "/nowhere"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("'git' is not on PATH; install git"))
    #expect(!tool.exists(".gitattributes"))
  }
}
