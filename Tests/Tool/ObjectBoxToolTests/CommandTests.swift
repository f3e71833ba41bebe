import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxTestSupport
import Testing

/// The built tool: its verbs, messages and exit statuses.
struct CommandTests {
  private let tool: BuiltProgram
  private var folder: TemporaryDirectory { tool.folder }

  init() throws {
    tool = try BuiltProgram("objectbox")
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent(name))
  }

  // MARK: Help and usage

  @Test(arguments: [
    "info", "schema", "stats", "query", "watch", "verify", "salvage", "backup", "dump", "load",
    "import",
  ])
  func `each verb has a help with options, exit statuses and examples`(verb: String) throws {
    let result = try tool.run(verb, "--help")
    #expect(result.status == 0)
    #expect(result.output.contains("usage: objectbox \(verb) STORE"))
    #expect(result.output.contains("--help, -h"))
    #expect(result.output.contains("ends with 0"))
    #expect(result.output.contains("examples:\n  objectbox \(verb) "))
    #expect(try tool.run("--help").output.contains("  \(verb) "))
  }

  @Test(
    arguments: [
      (
        [],
        "a verb is missing; use one of: info, schema, stats, query, browse, watch, verify, salvage, backup, compact, dump"
      ),
      (["frobnicate"], "there is no verb 'frobnicate'; use one of: info"),
      (["quer", "a"], "there is no verb 'quer'; did you mean 'query'? see objectbox --help"),
      (["qurey", "a"], "there is no verb 'qurey'; did you mean 'query'? see objectbox --help"),
      (
        ["cluster", "pln", "postgresql://x"], "there is no verb 'cluster pln'; did you mean 'plan'?"
      ),
      (
        ["query", "a", "B", "--limt", "3"],
        "there is no option '--limt'; did you mean '--limit'? see objectbox query --help"
      ),
      (["info", ""], "STORE is '', which is empty; pass a path or a name"),
      (["dump", "a", "-o", ""], "option '-o' has the value '', which is empty; pass a FILE"),
      (["info"], "the files to pass are: STORE; found: none"),
      (["info", "a", "b"], "the files to pass are: STORE; found: a b"),
      (
        ["info", "a", "--format", "xml"],
        "'xml' is no value of option '--format'; use one of: text, json"
      ),
      (["dump", "a", "-o"], "option '-o' needs a value (FILE)"),
      (["load", "a", "b", "--batch", "-1"], "'-1' is no value of option '--batch'"),
      (["stats", "a", "--quick"], "there is no option '--quick'"),
      (["info", "a", "--max-size", "3"], "'3' is no value of option '--max-size'"),
    ]
  )
  func `a wrong command line ends with 2 and names what is right`(
    words: [String],
    message: String
  ) throws {
    let result = try tool.run(words)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
    #expect(result.errors.contains("see objectbox"))
    #expect(result.output == "")
  }

  // MARK: Stores that cannot be read

  @Test func `what is no store is refused in words, and nothing is made`() throws {
    try folder.write(
      "no database, but longer than a page" + String(repeating: " ", count: 9000),
      to: "text/data.mdb"
    )
    try folder.write("", to: "empty/note.txt")
    for (path, message) in [
      ("missing", "there is no store at 'missing': No such file or directory"),
      ("empty", "there is no store in 'empty': it has no data.mdb"),
      (
        "empty/note.txt",
        "'empty/note.txt' is a file; pass the directory of a store, or the data.mdb in it"
      ),
      ("text", "the file of the store at 'text' is damaged or no database"),
    ] {
      for verb in ["info", "stats", "dump"] {
        let result = try tool.run(verb, path)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
        #expect(result.output == "")
      }
    }
    #expect(!tool.exists("missing"))
    #expect(!tool.exists("empty/lock.mdb"))
  }

  @Test func `a store of a newer format is refused as such`() throws {
    try folder.makeNotes("notes")
    // The format's key, followed by its version.
    let old = Data([0x66, 0x6f, 0x72, 0x6d, 0x61, 0x74, 6, 0, 0, 0])
    var file = try bytes("notes/data.mdb")
    while let range = file.range(of: old) { file[range.upperBound - 4] = 9 }
    try file.write(to: folder.url.appendingPathComponent("notes/data.mdb"))
    let result = try tool.run("info", "notes")
    #expect(result.status == 1)
    #expect(
      result.errors.contains("its file format is 9, and this version of the library reads 6; use"),
      "\(result.errors)"
    )
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
  func `a store without the right to read it is refused as such`() throws {
    try folder.makeNotes("notes")
    #expect(chmod(folder.path + "/notes/data.mdb", 0) == 0)
    let result = try tool.run("info", "notes")
    #expect(result.status == 1)
    #expect(result.errors.contains("Permission denied"))
  }

  // MARK: Reading

  @Test func `info tells entities, counts, types, last IDs and relations`() throws {
    try folder.makeNotes("notes")
    let result = try tool.run("info", "notes/data.mdb")
    #expect(result.status == 0)
    #expect(result.errors == "")
    for text in [
      "notes/data.mdb\n", "  format     6\n", "  version    ", "  page size  ",
      "Note (1:1000)  2 objects, last ID 3\n", "  stars     byte\n", "  author    to-one Author\n",
      "  slug      string         unique, index of hashes\n",
      "  readers   Note  Author      3\n",
    ] {
      #expect(result.output.contains(text), "\(text) in \(result.output)")
    }
  }

  @Test func `info and stats in JSON have the figures for scripts`() throws {
    try folder.makeNotes("notes")
    func json(_ verb: String) throws -> [String: Any] {
      let output = try tool.run(verb, "notes", "--format=json").output
      #expect(output.split(separator: "\n").count == 1)
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
      return try #require(value as? [String: Any])
    }
    let info = try json("info")
    let note = try #require((info["entities"] as? [[String: Any]])?.first)
    #expect(note["name"] as? String == "Note")
    #expect(note["objects"] as? Int == 2)
    #expect(note["lastId"] as? Int == 3)
    let stats = try json("stats")
    #expect(stats["fileSize"] as? Int == (try bytes("notes/data.mdb").count))
    let tables = try #require(stats["tables"] as? [[String: Any]])
    #expect(
      tables.compactMap { $0["name"] as? String } == [
        "main", "free", "b1", "e1", "e2", "i1", "objectbox", "r1",
      ]
    )
    let used = tables.compactMap { $0["bytes"] as? Int }.reduce(0, +)
    let free = try #require(stats["freePages"] as? Int)
    let pageSize = try #require(stats["pageSize"] as? Int)
    // Plus two head pages.
    #expect(used / pageSize + free + 2 == stats["pages"] as? Int)
  }

  @Test(arguments: ["info", "stats"])
  func `info and stats tell the limit of the file and how much of it is used`(verb: String) throws {
    try folder.makeNotes("notes")
    func figures(_ words: String...) throws -> [String: Int] {
      let output = try tool.run(words + ["notes", "--format", "json"]).output
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
      return try #require(value as? [String: Any]).compactMapValues { $0 as? Int }
    }
    let pages = try figures("stats")
    let (all, free) = (pages["pages"] ?? 0, pages["freePages"] ?? 0)
    #expect(free > 0)
    let used = (all - free) * (pages["pageSize"] ?? 0)
    let given = try figures(verb, "--max-size", "160")
    #expect(given["maximumSize"] == 160 << 10)
    #expect(given["usedBytes"] == used)
    #expect(try figures(verb)["maximumSize"] == 1 << 30)
    let text = try tool.run(verb, "notes", "--max-size", "160").output
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  limit ") })
    let part = (Double(used) / Double(160 << 10) * 1000).rounded() / 10
    let expected = "  160.0 KiB, of which \(used / 1024).0 KiB (\(part) %) are used"
    #expect(line.hasSuffix(expected), "\(line)")
    #expect(try tool.run(verb, "notes").output.contains("  1.0 GiB, of which "))
  }

  @Test func `reading leaves the data file as it is`() throws {
    try folder.makeNotes("notes")
    let before = try bytes("notes/data.mdb")
    for verb in ["info", "stats", "dump"] { #expect(try tool.run(verb, "notes").status == 0) }
    #expect(try bytes("notes/data.mdb") == before)
  }

  @Test
  func `a store that a program has open is read beside it, and loaded into where it is shared`()
    throws
  {
    try folder.makeNotes("notes")
    let dump = try tool.run("dump", "notes").output
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    #expect(try tool.run("info", "notes").output.contains("2 objects"))
    try store.box(named: "Note").put(["slug": "new"])
    #expect(try tool.run("info", "notes").output.contains("3 objects"))
    try store.box(named: "Note").removeAll()
    try folder.write(dump, to: "notes.jsonl")
    let result = try tool.run("load", "notes", "notes.jsonl")
    #expect(result.errors == "stored 4 objects and 3 pairs of relations\n")
    #expect(try store.box(named: "Note").count() == 2)
    #expect(try store.box(named: "Note").put(["slug": "next"]) == 5)
  }

  @Test func `stats shows the version that another process keeps`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let snapshot = try store.freeze()
    defer { snapshot.invalidate() }
    try store.box(named: "Note").put(["slug": "new"])
    let output = try tool.run("stats", "notes").output
    let line = try #require(output.split(separator: "\n").first { $0.contains(" \(getpid()) ") })
    #expect(line.contains("  1 commit  "), "\(output)")
  }

  // MARK: Dumps

  @Test func `a dump that is loaded and dumped again has the same bytes`() throws {
    try folder.makeNotes("notes")
    #expect(
      try tool.run("dump", "notes", "-o", "first.jsonl").errors
        == "wrote 4 objects to 'first.jsonl'\n"
    )
    let made = try tool.run("load", "copy", "first.jsonl")
    #expect(made.status == 0)
    #expect(made.errors == "stored 4 objects and 3 pairs of relations\n")
    #expect(try tool.run("dump", "copy", "--output=second.jsonl").status == 0)
    #expect(try bytes("first.jsonl") == bytes("second.jsonl"))
    #expect(try tool.run("dump", "copy").output == folder.read("first.jsonl"))
    let piped = try tool.run(
      program: "/bin/sh",
      ["-c", "'\(try BuiltProgram.url("objectbox").path)' load piped < first.jsonl"]
    )
    #expect(piped.status == 0)
    #expect(try tool.run("dump", "piped").output == folder.read("first.jsonl"))
  }

  @Test func `an output file is written whole or not at all`() throws {
    try folder.makeNotes("notes")
    try folder.write("old", to: "out.jsonl")
    let unknown = try tool.run("dump", "notes", "Page", "-o", "out.jsonl")
    #expect(unknown.status == 1)
    #expect(unknown.errors == "error: the store has no entity 'Page'; it has 'Note', 'Author'\n")
    #expect(try folder.read("out.jsonl") == "old")
    #expect(
      try tool.run("dump", "notes", "-o", "notes/data.mdb").errors.contains("is the store itself")
    )
    #expect(
      try tool.run("dump", "notes", "-o", "none/out.jsonl").errors.contains("cannot write the file")
    )
    #expect(try tool.run("dump", "notes", "-o", "out.jsonl").status == 0)
    #expect(try folder.read("out.jsonl").hasPrefix("{\"objectboxDump\":1"))
    #expect(try names().filter { $0.hasSuffix(".tmp") } == [])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  @Test func `a reader of a dump may go away`() throws {
    try folder.makeNotes("notes")
    let program = try BuiltProgram.url("objectbox").path
    let result = try tool.run(
      program: "/bin/bash",
      ["-c", "for i in 1 2 3; do '\(program)' dump notes | head -c 1 >/dev/null; done"]
    )
    #expect(result.errors == "")
    let readers = try tool.run("stats", "notes").output
    #expect(readers.contains("no other process reads the store"), "\(readers)")
  }

  // MARK: Loads

  @Test func `a bad line leaves no new store, and an old one as it was`() throws {
    try folder.makeNotes("notes")
    let dump = try tool.run("dump", "notes").output
    try folder.write(
      dump.replacingOccurrences(of: "\"stars\":-1", with: "\"stars\":999"),
      to: "bad.jsonl"
    )
    let fresh = try tool.run("load", "copy", "bad.jsonl")
    #expect(fresh.status == 1)
    let line =
      "bad.jsonl:3:38: 'Note.stars' is the number 999, and a whole number from -128 to 127 is expected"
    #expect(fresh.errors == "nothing was stored\n\(line)\n")
    #expect(!tool.exists("copy"))
    #expect(try tool.run("load", "notes", "bad.jsonl").errors == fresh.errors)
    #expect(try tool.run("dump", "notes").output == dump)
    let batches = try tool.run("load", "copy", "bad.jsonl", "--batch", "1")
    #expect(
      batches.errors.hasPrefix("stored 1 object or pair, up to line 2; run the same command again")
    )
    #expect(try tool.run("load", "copy", "bad.jsonl", "--batch", "1").status == 1)
    try folder.write(dump, to: "bad.jsonl")
    #expect(try tool.run("load", "copy", "bad.jsonl", "--batch", "1").status == 0)
    #expect(try tool.run("dump", "copy").output == dump)
  }

  @Test func `a folder with other files is no place for a new store, and keeps them`() throws {
    try folder.makeNotes("notes")
    try folder.write(try tool.run("dump", "notes").output, to: "dumps/notes.jsonl")
    let result = try tool.run("load", "dumps", "dumps/notes.jsonl")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "error: 'dumps' has no store and other files; make the store in a folder of its own\n"
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/dumps")
    #expect(names == ["notes.jsonl"])
    let empty = folder.path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    #expect(try tool.run("load", "empty", "dumps/notes.jsonl").status == 0)
    #expect(try tool.run("dump", "empty").output == folder.read("dumps/notes.jsonl"))
    #expect(try tool.run("load", "fresh/data.mdb", "dumps/notes.jsonl").status == 0)
    #expect(try tool.run("dump", "fresh").output == folder.read("dumps/notes.jsonl"))
  }

  @Test func `a file that is too small for the objects is told, and nothing is stored`() throws {
    try folder.makeNotes("notes")
    let dump = try tool.run("dump", "notes").output
    let text = String(repeating: "x", count: 200_000)
    try folder.write(dump.replacingOccurrences(of: "\"two\"", with: "\"\(text)\""), to: "big.jsonl")
    let result = try tool.run("load", "copy", "big.jsonl", "--max-size", "100")
    #expect(result.status == 1)
    #expect(
      result.errors.contains("it has reached its greatest size of 100 KiB"),
      "\(result.errors)"
    )
    #expect(!tool.exists("copy"))
  }
}
