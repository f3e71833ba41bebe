import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Verbs on a store with full-text indexes.
struct SearchVerbTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeArticles("articles")
  }

  private func query(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
    let result = try tool.run(["query", "articles", "Article"] + words)
    return (result.status, result.output, result.errors)
  }

  @Test func `found words are marked, in tables, JSON and CSV`() throws {
    let condition = #"words matches "swift" && id < 3"#
    let table = try query(condition, "--columns", "id,title,text", "--snippets", "4")
    #expect(
      table.output == """
        id  title      text
         1  Data       **Swift** has structured concurrency…
         2  **Swift**  …bird, <b>**swift**</b…

        """,
      "\(table.errors)"
    )
    let json = try query(condition, "--columns", "text", "--snippets", "2", "--format", "json")
    let lines = [#"{"text":"**Swift** has…"}"#, #"{"text":"…b>**swift**…"}"#]
    #expect(json.output.split(separator: "\n").map { String($0) } == lines)
    let csv = try query(condition, "--columns", "text", "--snippets", "1", "--format", "csv")
    #expect(csv.output == "text\n**Swift**…\n…**swift**…\n")
    #expect(try query(condition, "--snippets", "0").status != 0)
  }

  @Test func `without found words values are shown as without snippets`() throws {
    let plain = try query("stars > 2")
    #expect(try query("stars > 2", "--snippets", "3").output == plain.output)
  }

  @Test func `beginnings that stand in the index are marked in the words`() throws {
    let result = try query(#"text matches "con*""#, "--columns", "text", "--snippets", "2")
    #expect(result.output.contains("**concurrency**"), "\(result.output)")
  }

  @Test func `the best matches come first, with a limit and an offset`() throws {
    let best = try query(#"words matches "swift""#, "--best", "--columns", "id")
    #expect(best.output == "id\n 2\n 1\n", "\(best.errors)")
    let second = try query(
      #"words matches "swift""#,
      "--best",
      "--offset",
      "1",
      "--limit",
      "1",
      "--columns",
      "id"
    )
    #expect(second.output == "id\n 1\n")
    #expect(try query("stars > 1", "--best").status == 1)
    let both = try query(#"words matches "swift""#, "--best", "--order", "id")
    #expect(both.errors.contains("two orders"))
  }

  @Test func `explain, count, schema, stats and info tell of the search and the index`() throws {
    let plan = try query(#"text matches "data""#, "--explain").output
    #expect(plan.contains(#"words: text matches "data"; 2 objects found"#), "\(plan)")
    #expect(try query(#"words matches "data""#, "--count").output == "2\n")
    let schema = try tool.run("schema", "articles").output
    #expect(schema.contains("  full-text index of text; beginnings of 3 characters\n"))
    #expect(schema.contains("  full-text index 'words' of title (weight 3), text\n"), "\(schema)")
    let stats = try tool.run("stats", "articles").output
    #expect(stats.contains("words of Article.words"), "\(stats)")
    #expect(try tool.run("info", "articles").status == 0)
  }

  @Test func `a fault of a search is marked in the condition`() throws {
    let result = try query(#"stars > 1 && text matches "swift (""#)
    #expect(result.status == 1)
    let mark = "\n  " + String(repeating: " ", count: 33) + "^"
    #expect(result.errors.contains(mark), "\(result.errors)")
  }

  @Test func `a watched search tells what comes and goes`() throws {
    let process = Process()
    process.executableURL = try BuiltProgram.url("objectbox")
    process.arguments = [
      "watch", "articles", "Article", #"text matches "data -race""#, "--columns", "stars",
      "--changes", "2",
    ]
    process.currentDirectoryURL = tool.folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    _ = errors.fileHandleForReading.availableData
    let store = try tool.folder.store("articles", ArticlesModel.json)
    let articles = try store.box(named: "Article")
    try store.runInTransaction {
      _ = try articles.put(["id": 3, "stars": 1, "text": "data alone"])
      _ = try articles.put(["id": 1, "stars": 3, "text": "a data race"])
      _ = try articles.put(["stars": 9, "text": "Data, too"])
    }
    store.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(lines == ["  + 3  stars: 1", "  + 5  stars: 9"])
  }

  // MARK: Copies

  /// Checks that a store finds what the original one finds.
  private func check(_ name: String, _ comment: Comment) throws {
    #expect(try Store.verify(directory: tool.folder.path + "/" + name).faults == [], comment)
    for condition in [
      #"words matches "swift""#, #"text matches "\"data race\"""#, #"text matches "con*""#,
    ] {
      let words = ["Article", condition, "--best", "--snippets", "5"]
      let found = try tool.run(["query", name] + words)
      #expect(found.status == 0, comment)
      #expect(try found.output == tool.run(["query", "articles"] + words).output, comment)
    }
  }

  @Test func `a salvage, a backup and a load have the indexes`() throws {
    let salvage = try tool.run("salvage", "articles", "saved")
    #expect(salvage.errors == "wrote 'saved', with everything\n")
    try check("saved", "salvage")
    #expect(try tool.run("backup", "articles", "copy").status == 0)
    try check("copy", "backup")
    #expect(try tool.run("dump", "articles", "-o", "dump.jsonl").status == 0)
    #expect(try tool.run("load", "loaded", "dump.jsonl").status == 0)
    try check("loaded", "load")
    #expect(try tool.run("dump", "loaded").output == tool.run("dump", "articles").output)
    #expect(try tool.run("load", "loaded", "dump.jsonl").status == 0)
    try check("loaded", "second load")
  }

  @Test func `a compaction keeps the indexes`() throws {
    #expect(try tool.run("backup", "articles", "small").status == 0)
    #expect(try tool.run("compact", "small").status == 0)
    try check("small", "compaction")
  }
}
