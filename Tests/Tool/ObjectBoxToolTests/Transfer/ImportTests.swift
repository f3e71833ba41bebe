import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// `objectbox import`: CSV and JSON Lines, types, IDs and faulty lines.
struct ImportTests {
  private let tool: BuiltProgram

  /// A store with the note `one` and the authors 1 and 2.
  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  private func rows(_ entity: String) throws -> [String] {
    try tool.run("query", "notes", entity, "--format", "csv").output
      .split(separator: "\n").map(String.init)
  }

  private func importing(_ text: String, _ words: String..., name: String = "in.csv") throws
    -> BuiltProgram.Result
  {
    _ = try tool.folder.write(text, to: name)
    return try tool.run(["import", "notes"] + words + [name])
  }

  @Test func `csv replaces objects by their IDs, and gives new ones to the others`() throws {
    let before = try rows("Author").count
    let result = try importing("name,id\nGrace,1\n\"a \"\"b\"\",\nc\",\nNo ID,0\n\"\",\n", "Author")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "stored 4 objects\n")
    let names = try tool.run("query", "notes", "Author", "--format", "json").output
    #expect(names.contains(#"{"id":1,"name":"Grace"}"#))
    #expect(names.contains(#""name":"a \"b\",\nc"}"#))
    #expect(names.contains(#""name":""}"#))
    #expect(names.split(separator: "\n").count == before - 1 + 3)
  }

  @Test func `what query writes is read again as it was`() throws {
    for format in ["csv", "json"] {
      for entity in ["Author", "Note"] {
        let text = try tool.run("query", "notes", entity, "--format", format).output
        let before = try rows(entity)
        let result = try importing(text, entity, "--format", format)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try rows(entity) == before)
      }
    }
  }

  @Test func `an export of one column has each object, the ones with null too`() throws {
    #expect(try importing("{}\n{\"name\":\"\"}\n{}\n", "Author", name: "in.json").status == 0)
    let count = try rows("Author").count - 1
    let text = try tool.run("query", "notes", "Author", "--columns", "name", "--format", "csv")
      .output
    #expect(text.hasSuffix("\n\n\"\"\n\n"))
    let result = try importing(text, "Author")
    #expect(result.errors == "stored \(count) objects\n")
    // The second half has the names of the first, under new IDs.
    let names = try tool.run("query", "notes", "Author", "--columns", "name", "--format", "json")
      .output.split(separator: "\n")
    #expect(names.count == 2 * count)
    #expect(names.prefix(count) == names.suffix(count))
  }

  @Test func `columns are named once each`() throws {
    for format in ["csv", "json", "table"] {
      let result = try tool.run(
        "query",
        "notes",
        "Author",
        "--columns",
        "name,id,name",
        "--format",
        format
      )
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("'--columns' names 'name' twice"), "\(result.errors)")
    }
  }

  @Test(
    arguments: [
      (
        "slug,stars\nx,5\ny,1000\n",
        "in.csv:3:3: 'Note.stars' is the number 1000, and a whole number from -128 to 127"
      ),
      ("slug,stars\nx,many\n", "in.csv:2:3: 'Note.stars' is the text \"many\", and a whole number"),
      (
        "slug,star\nx,1\n",
        "in.csv:1:6: found \"star\", and a property of 'Note' is expected: 'id', 'slug', 'stars'"
      ),
      ("slug,slug\nx,1\n", "in.csv:1:6: found the column \"slug\" twice"),
      ("slug,stars\nx\n", "in.csv:2:1: found 1 field, and 2 are expected"),
      ("slug,stars\n\"x\"y,1\n", "in.csv:2:4: found text behind the closing quotes"),
      ("slug,stars\n\"x,1\n", "in.csv:2:1: the quotes of a field that begins here do not end"),
      ("id,slug\n-1,x\n", "in.csv:2:1: 'Note.id' is the number -1, and an ID from 1 to"),
      ("slug\nnew\none\n", "in.csv:3:1: unique constraint on 'Note.slug'"),
    ]
  )
  func `a faulty line is told with its place, and nothing is stored`(
    _ text: String,
    _ message: String
  ) throws {
    let before = try rows("Note")
    let result = try importing(text, "Note")
    #expect(result.status == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try rows("Note") == before)
  }

  @Test func `rejected lines go to a file, and the others are stored`() throws {
    let before = try rows("Note").count
    let result = try importing(
      "slug,stars\r\na,1\r\none,2\r\nb,999\r\n\r\n\"c\r\nd\",x\r\ne,5\r\n",
      "Note",
      "--rejected",
      "bad.csv",
      "--max-faults",
      "2"
    )
    #expect(result.status == 1)
    #expect(result.errors.contains("stored 2 objects\nrejected 3 lines\n"), "\(result.errors)")
    #expect(result.errors.contains("… and 1 more"))
    #expect(try rows("Note").count == before + 2)
    let bad = try String(
      contentsOf: tool.folder.url.appendingPathComponent("bad.csv"),
      encoding: .utf8
    )
    #expect(bad == "slug,stars\r\none,2\r\nb,999\r\n\"c\r\nd\",x\r\n")
  }

  @Test(
    arguments: [
      "id,slug,stars\n900,one,\n901,x,1000\n18446744073709551614,y,many\n,new,\n",
      "id,slug,stars\n18446744073709551614,two,\n,new,\n18446744073709551615,z,\n",
    ]
  )
  func `a rejected line leaves the sequence of IDs as it is`(_ text: String) throws {
    let result = try importing(text, "Note", "--rejected", "bad.csv")
    #expect(result.errors.contains("stored 1 object\n"), "\(result.errors)")
    #expect(try rows("Note").contains("4,new,,"))
    #expect(try importing("slug\nnewer\n", "Note").status == 0)
    #expect(try rows("Note").contains("5,newer,,"))
  }

  @Test func `IDs that are used up are told as such`() throws {
    let result = try importing("id,slug\n18446744073709551614,last\n,new\n", "Note")
    #expect(result.status == 1)
    #expect(result.errors.contains("in.csv:3:1: "), "\(result.errors)")
    #expect(result.errors.contains("the IDs of 'Note' are used up"), "\(result.errors)")
  }

  @Test(arguments: [UInt64.max - 1, .max])
  func `a store whose last ID was assigned gets no object without an ID`(_ last: UInt64) throws {
    let store = try tool.folder.store("notes", ModelText.notes)
    let index = try #require(store.schema.index(ofEntity: "Note"))
    // A damaged file may have the greatest number of all.
    try store.writingStored { try $0.raiseLastID(entity: index, to: last) }
    store.close()
    let result = try importing("slug\nnew\n", "Note")
    #expect(result.status == 1)
    #expect(result.errors.contains("the IDs of 'Note' are used up"), "\(result.errors)")
  }

  @Test func `json lines, separators and standard input`() throws {
    let lines = #"{"name":"J"}"# + "\n\n" + #"{"name":null,"id":77}"# + "\n"
    #expect(try importing(lines, "Author", name: "a.jsonl").status == 0)
    let json = try importing("{\"name\":}\n", "Author", name: "b.jsonl")
    #expect(json.errors.contains("b.jsonl:1:9: found no JSON:"), "\(json.errors)")
    #expect(try importing("id;name\n90;x\n", "Author", "--separator", ";").status == 0)
    #expect(try importing("id\tname\n91\ty\n", "Author", name: "c.tsv").status == 0)
    let ids = try tool.run(
      "query",
      "notes",
      "Author",
      "id >= 77",
      "--columns",
      "id",
      "--format",
      "csv"
    )
    #expect(ids.output == "id\n77\n90\n91\n")
    let unknown = try importing("", "Author", name: "a.txt")
    #expect(unknown.status == 2)
    #expect(
      unknown.errors.contains("the name 'a.txt' tells no form; use --format csv or --format json")
    )
  }

  @Test(
    arguments: [
      ("authors.csv", "id,name\n1,Ada\n2,Grace\n"),
      ("authors.tsv", "id\tname\n1\tAda\n2\tGrace\n"),
      ("authors.jsonl", #"{"id":1,"name":"Ada"}"# + "\n" + #"{"id":2,"name":"Grace"}"# + "\n"),
    ]
  )
  func `an export has the form that the name of the file tells, and is imported again`(
    _ name: String,
    _ text: String
  ) throws {
    let store = try tool.folder.store("notes", ModelText.notes)
    _ = try store.box(named: "Author").put(["id": 2, "name": "Grace"])
    store.close()
    #expect(try tool.run("export", "notes", "Author", "-o", name).status == 0)
    #expect(try tool.folder.read(name) == text)
    let imported = try tool.run("import", "notes", "Author", name)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try tool.run("export", "notes", "Author", "name startsWith \"G\"").output
        == "id,name\n2,Grace\n"
    )
  }

  @Test func `a store may grow as far as the tool's limit, however small it is before`() throws {
    let store = try StoreLocation(tool.folder.path + "/notes").openToShare()
    defer { store.close() }
    #expect(store.maximumSize == 256 << 30)
  }
}
