import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// `objectbox query` on the command line.
struct QueryVerbTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  @Test func `a table has aligned columns, numbers at the right`() throws {
    let result = try tool.run("query", "notes", "Author")
    #expect(result.status == 0)
    #expect(
      result.output == """
        id  name
         1  Ada
         2  Grace\\u{0}Hopper

        """
    )
  }

  @Test func `json has an object a line, and csv a header and whole values`() throws {
    let json = try tool.run("query", "notes", "Note", "slug is not null", "--format", "json")
    let lines = json.output.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
    let csv = try tool.run("query", "notes", "Author", "--format", "csv", "--columns", "name,id")
    #expect(csv.output == "name,id\nAda,1\nGrace\u{0}Hopper,2\n")
  }

  @Test func `limit, offset, order and count`() throws {
    let last = try tool.run(
      "query",
      "notes",
      "Author",
      "--order",
      "-id",
      "--limit",
      "1",
      "--columns",
      "id"
    )
    #expect(last.output == "id\n 2\n")
    let rest = try tool.run("query", "notes", "Author", "--offset", "1", "--columns", "id")
    #expect(rest.output == "id\n 2\n")
    #expect(
      try tool.run("query", "notes", "Author", "name startsWith \"A\"", "--count").output == "1\n"
    )
    let none = try tool.run("query", "notes", "Author", "id == 9", "--columns", "id")
    #expect(none.output == "id\n")
  }

  @Test func `explain tells the plan and runs nothing`() throws {
    let result = try tool.run("query", "notes", "Note", "slug == \"one\"", "--explain")
    #expect(result.status == 0)
    #expect(result.output.contains("index on 'slug'"))
  }

  @Test(
    arguments: [
      (["Nobody"], "there is no entity 'Nobody'; there is"),
      (["Note", "slug = 1"], "error: '=' has no meaning here; write '=='\n  slug = 1\n       ^\n"),
      (["Note", "--columns", "a"], "'Note' has no property 'a'; it has 'id', 'slug'"),
      (["Note", "--order", "a"], "'Note' has no property 'a'"),
    ]
  )
  func `faults end with 1 and say what is right`(_ words: [String], _ message: String) throws {
    let result = try tool.run(["query", "notes"] + words)
    #expect(result.status == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `results go to a file, which is whole or not there`() throws {
    let result = try tool.run("query", "notes", "Author", "--format", "csv", "-o", "authors.csv")
    #expect(result.status == 0)
    #expect(result.errors.contains("wrote 2 objects to 'authors.csv'"))
    let own = try tool.run("query", "notes", "Author", "-o", "notes/data.mdb")
    #expect(own.status == 1)
    #expect(own.errors.contains("is the store itself"))
  }

  @Test func `csv quotes what ends a field, whatever stands beside it`() throws {
    let store = try tool.folder.store("notes", ModelText.notes)
    let authors = try store.box(named: "Author")
    try authors.removeAll()
    for name in ["a,\u{301}b", "\"\u{301}", "\u{600}\"x", "\u{600},", "c\r\nd"] {
      try authors.put(["name": name])
    }
    store.close()
    let csv = try tool.run("query", "notes", "Author", "--columns", "name", "--format", "csv")
    let lines =
      "name\n\"a,\u{301}b\"\n\"\"\"\u{301}\"\n\"\u{600}\"\"x\"\n\"\u{600},\"\n\"c\r\nd\"\n"
    #expect(Array(csv.output.utf8) == Array(lines.utf8))
  }

  @Test func `a text with line ends is one line of a table`() throws {
    let store = try tool.folder.store("notes", ModelText.notes)
    let authors = try store.box(named: "Author")
    try authors.removeAll()
    try authors.put(["name": "a\r\nb\nc\td"])
    store.close()
    let table = try tool.run("query", "notes", "Author", "--columns", "name")
    #expect(table.output == "name\na⏎b⏎c d\n")
  }

  @Test func `the value of an option may begin with a combining mark`() throws {
    let result = try tool.run("export", "notes", "Author", "--output=\u{301}.csv")
    #expect(result.status == 0, "\(result.errors)")
    #expect(tool.exists("\u{301}.csv"))
  }
}
