import Foundation
import ObjectBox
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// `objectbox import` of lines that leave out properties.
struct PartialImportTests {
  private let tool: BuiltProgram

  /// A store with the notes `1,one,5,1` and `2,two,-1,`, and the authors 1 and 2.
  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  private func notes() throws -> [String] {
    try tool.run("query", "notes", "Note", "--format", "csv").output
      .split(separator: "\n").dropFirst().map(String.init)
  }

  private func importing(_ text: String, _ words: String..., name: String = "in.csv") throws
    -> BuiltProgram.Result
  {
    _ = try tool.folder.write(text, to: name)
    return try tool.run(["import", "notes", "Note"] + words + [name])
  }

  @Test(
    arguments: [
      ("in.csv", "id,stars\n1,3\n2,4\n,9\n", 2),
      ("in.jsonl", "{\"id\":1,\"stars\":3}\n{\"id\":2}\n", 1),
    ]
  )
  func `values of stored objects that lines leave out are named, and nothing is stored`(
    _ name: String,
    _ text: String,
    _ line: Int
  ) throws {
    let before = try notes()
    let result = try importing(text, name: name)
    #expect(result.status == 1)
    #expect(
      result.errors == """
        \(name):\(line):1: this line and 1 other leave out values of stored objects, \
        'slug', 'author'\(name == "in.csv" ? "" : ", 'stars'"), first of 'Note' with ID 1; use --update to keep \
        such values, or --replace to lose them
        nothing was stored

        """
    )
    #expect(try notes() == before)
  }

  @Test(arguments: ["in.csv", "in.jsonl"])
  func `with --update stored objects keep what lines leave out`(_ name: String) throws {
    let text =
      name == "in.csv"
      ? "id,stars\n1,3\n2,\n9,9\n"
      : #"{"id":1,"stars":3}"# + "\n" + #"{"id":2,"stars":null}"# + "\n" + #"{"id":9,"stars":9}"#
        + "\n"
    let result = try importing(text, "--update", name: name)
    #expect(result.errors == "stored 3 objects, 1 of them new\n")
    #expect(try notes() == ["1,one,3,1", "2,two,,", "9,,9,"])
  }

  @Test func `with --replace they lose it, as do only they`() throws {
    #expect(try importing("id,stars\n1,3\n", "--replace").errors == "stored 1 object\n")
    #expect(try notes() == ["1,,3,", "2,two,-1,"])
    #expect(try tool.run("verify", "notes").status == 0)
  }

  @Test func `new objects, whole lines and nulls that stay null need no option`() throws {
    #expect(
      try importing("id,slug,stars\n2,zwei,2\n30,new,\n,newer,1\n").errors == "stored 3 objects\n"
    )
    #expect(try notes() == ["1,one,5,1", "2,zwei,2,", "30,new,,", "31,newer,1,"])
    // The second line leaves out what the first line has stored.
    let result = try importing("id,slug\n40,a\n40,b\n")
    #expect(result.errors == "stored 2 objects\n")
    let again = try importing(
      #"{"id":50,"stars":1}"# + "\n" + #"{"id":50,"slug":"x"}"# + "\n",
      name: "a.json"
    )
    #expect(again.status == 1)
    #expect(
      again.errors.contains(
        "a.json:2:1: this line leaves out values of the stored 'Note' with ID 50, 'stars'; use"
      )
    )
  }

  @Test func `with --rejected such lines go to the file`() throws {
    let result = try importing("id,stars\n1,3\n,9\n", "--rejected", "bad.csv")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        in.csv:2:1: this line leaves out values of the stored 'Note' with ID 1, 'slug', 'author'; use --update to \
        keep such values, or --replace to lose them
        stored 1 object
        rejected 1 line

        """
    )
    #expect(try notes().first == "1,one,5,1")
    #expect(try tool.folder.read("bad.csv") == "id,stars\n1,3\n")
    let both = try importing("id,stars\n1,3\n", "--update", "--replace")
    #expect(both.status == 2)
    #expect(both.errors.contains("leave one of them out"))
  }

  @Test func `a changed index and relation agree after an update`() throws {
    #expect(try importing("id,author\n2,2\n1,\n", "--update").status == 0)
    #expect(try notes() == ["1,one,5,", "2,two,-1,2"])
    #expect(
      try tool.run("query", "notes", "Note", "slug == \"two\" && author == 2", "--count").output
        == "1\n"
    )
    #expect(try tool.run("verify", "notes").status == 0)
  }

  // MARK: A missing store

  @Test func `a missing store is made with a model, and removed if nothing is stored`() throws {
    _ = try tool.folder.write("id,slug\n7,a\n", to: "in.csv")
    _ = try tool.folder.write("id,slug\n-7,a\n", to: "bad.csv")
    _ = try tool.folder.write(NotesModel.json, to: "model.json")
    let missing = try tool.run("import", "new", "Note", "in.csv")
    #expect(missing.status == 1)
    #expect(
      missing.errors.contains("there is no store at 'new'")
        && missing.errors.contains("to make one, add '--model FILE'"),
      "\(missing.errors)"
    )
    #expect(!tool.exists("new"))
    #expect(try tool.run("import", "new", "Note", "bad.csv", "--model", "model.json").status == 1)
    #expect(!tool.exists("new"))
    let result = try tool.run("import", "new", "Note", "in.csv", "--model", "model.json")
    #expect(result.errors == "stored 1 object\n")
    #expect(
      try tool.run("query", "new", "Note", "--columns", "id,slug", "--format", "csv").output
        == "id,slug\n7,a\n"
    )
    // The model of an existing store stays.
    #expect(try tool.run("import", "new", "Note", "in.csv", "--model", "model.json").status == 0)
  }

  // MARK: Numbers for dates

  @Test func `the digits of a day are refused, and numbers of 1970 are shown as dates`() throws {
    try tool.folder.store("dates", ModelText.everything).close()
    func importing(_ text: String, name: String = "in.csv") throws -> BuiltProgram.Result {
      _ = try tool.folder.write(text, to: name)
      return try tool.run("import", "dates", "Thing", name)
    }
    let day = try importing("date\n20240131\n")
    #expect(day.status == 1)
    #expect(
      day.errors.contains(
        "in.csv:2:1: 'date' is the number 20240131, which counts milliseconds and means 1970-01-01T05:37:20.131Z; "
          + "write 2024-01-31 for the day"
      ),
      "\(day.errors)"
    )
    let seconds = try importing("date,nanos\n1704067200,1704067200000\n1704067201,5\n")
    #expect(seconds.status == 0)
    #expect(
      seconds.errors.contains(
        "warning: in.csv:2:1: 'date' is the number 1704067200, which means 1970-01-20T17:21:07.2Z (and 1 more of "
          + "1970); a number counts milliseconds"
      ),
      "\(seconds.errors)"
    )
    #expect(seconds.errors.contains("warning: in.csv:2:12: 'nanos' is the number 1704067200000"))
    // Numbers as exports and dumps have them.
    for text in ["date\n1704067200000\n0\n20241399\n", "{\"date\":20240131}\n"] {
      let result = try importing(text, name: text.hasPrefix("{") ? "in.jsonl" : "in.csv")
      #expect(result.status == 0)
      #expect(result.errors.contains("warning") == text.contains("2024"), "\(result.errors)")
    }
  }
}
