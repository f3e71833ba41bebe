import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

@testable import ObjectBoxCluster

/// `objectbox query` and `objectbox schema` with a database.
@Suite(.enabled(if: CopyServer.isThere, CopyServer.reason))
struct DatabaseQueryTests {
  private let tool: BuiltProgram
  private let schema = CopyServer.configuration().schema

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
    // PostgreSQL has no texts with U+0000.
    let store = try tool.folder.store("notes", ModelText.notes)
    _ = try store.box(named: "Author").put(["id": 2, "name": "Grace"])
    store.close()
    let copied = try tool.run("copy", "notes", CopyServer.address ?? "", "--schema", schema)
    #expect(copied.status == 0, "\(copied.errors)")
  }

  private func answers(_ words: [String]) throws -> [BuiltProgram.Result] {
    try ["notes", CopyServer.address ?? ""].map { place in
      try tool.run([words[0], place] + words.dropFirst() + ["--schema", schema])
    }
  }

  @Test(
    .tags(.slow),
    arguments: [
      ["query", "Note"], ["query", "Author", "--order", "-name"],
      ["query", "Note", "stars > 0", "--format", "json"],
      ["query", "Note", #"author.name == "Ada" || slug startsWith "t""#, "--format", "csv"],
      ["query", "Author", "Note.author(stars == 5)", "--count"],
      ["query", "Note", "--offset", "1", "--limit", "1", "--columns", "slug,stars"],
      ["query", "Note", "id > 1"], ["query", "Note", "id > 9223372036854775813"],
      ["query", "Note", "id < 9223372036854775813"],
      ["query", "Note", "id != 18446744073709551614"],
      ["query", "Note", "id between 2 and 18446744073709551614", "--order", "-id"],
      ["schema"], ["schema", "--format", "json"],
    ]
  )
  func `a database answers as the store that was copied`(_ words: [String]) throws {
    let answers = try answers(words)
    #expect(answers.map(\.status) == [0, 0], "\(answers)")
    #expect(answers[0].output == answers[1].output)
    #expect(!answers[0].output.isEmpty)
  }

  @Test func `a database finds and ranks words as the store that was copied`() throws {
    try tool.folder.makeArticles("articles")
    let address = CopyServer.address ?? ""
    let name = schema + " articles"
    let copied = try tool.run("copy", "articles", address, "--schema", name)
    #expect(copied.status == 0, "\(copied.errors)")
    let conditions = [
      #"words matches "swift""#, #"words matches "title:swift OR race""#, #"text matches "con*""#,
      #"words matches "\"data race\" OR NEAR(data race, 3)""#,
      #"words matches "race" && stars > 1"#,
    ]
    for condition in conditions {
      for options in [["--best"], ["--best", "--limit", "1"], ["--order", "title"], ["--count"]] {
        let answers = try ["articles", address].map { place in
          try tool.run(["query", place, "Article", condition] + options + ["--schema", name])
        }
        #expect(answers.map(\.status) == [0, 0], "\(answers)")
        #expect(answers[0].output == answers[1].output)
      }
    }
  }

  @Test func `texts that were stored by SQL are found and copied`() async throws {
    try tool.folder.makeArticles("articles")
    let address = CopyServer.address ?? ""
    let name = schema + " sql"
    #expect(try tool.run("copy", "articles", address, "--schema", name).status == 0)
    try await sql("UPDATE @\"Article\" SET text = 'new words of SQL' WHERE id < 3", in: name)
    // The copy needs no words, and makes those of the store.
    #expect(try tool.run("copy", address, "back", "--schema", name).status == 0)
    for place in ["back", address] {
      let words = ["query", place, "Article", #"text matches "new words""#, "--best"]
      let found = try tool.run(words + ["--columns", "id", "--schema", name])
      #expect(found.output == "id\n 1\n 2\n", "\(found.errors)")
    }
    try await sql("UPDATE @\"Article\" SET text = 'newer' WHERE id = 2", in: name)
    for option in ["--count", "--explain"] {
      let words = ["query", address, "Article", #"text matches "newer""#, option]
      #expect(try tool.run(words + ["--schema", name]).status == 0)
    }
  }

  private func sql(_ text: String, in schema: String) async throws {
    var configuration = CopyServer.configuration()
    configuration.schema = schema
    _ = try await MovingDatabase(configuration).connection.run([
      Statement(once: text.replacing("@", with: "\"\(schema)\"."))
    ])
  }

  @Test func `more rows than one batch come in their order`() throws {
    let store = try tool.folder.store("many", ModelText.notes)
    let authors = try store.box(named: "Author")
    _ = try authors.put((1...1203).map { ["name": "author \($0)"] })
    store.close()
    let address = CopyServer.address ?? ""
    let name = schema + " many"
    #expect(try tool.run("copy", "many", address, "--schema", name).status == 0)
    let result = try tool.run(
      ["query", address, "Author", "--columns", "id", "--order", "-id", "--schema", name]
    )
    let ids = result.output.split(separator: "\n").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let expected = (1...1203).reversed().map { "\($0)" }
    #expect(ids == expected)
  }

  @Test func `the plan is that of the server`() throws {
    let result = try answers(["query", "Note", #"slug == "one""#, "--explain"])[1]
    #expect(result.status == 0)
    #expect(result.output.contains("Note"), "\(result.output)")
  }

  @Test(
    arguments: [
      (["query", "Nobody"], "there is no entity 'Nobody'"),
      (["query", "Note", "slug = 1"], "error: '=' has no meaning here"),
    ]
  )
  func `faults are told as those of stores`(_ words: [String], _ message: String) throws {
    let result = try answers(words)[1]
    #expect(result.status == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `a database without objects is told`() throws {
    let result = try tool.run(
      "query",
      CopyServer.address ?? "",
      "Note",
      "--schema",
      "nothing \(UUID().uuidString)"
    )
    #expect(result.status == 1)
    #expect(result.errors.contains("has no objects of a cluster"), "\(result.errors)")
  }
}
