import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// The verbs that check and copy a store.
struct VerifyAndBackupTests {
  private let tool: BuiltProgram
  private var folder: TemporaryDirectory { tool.folder }

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  @Test func `a sound store is told with its figures`() throws {
    let result = try tool.run("verify", "notes")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("notes/data.mdb: sound; version "), "\(result.output)")
    let output = try tool.run("verify", "notes/data.mdb", "--format", "json").output
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let report = try #require(value)
    #expect(report["isSound"] as? Bool == true)
    #expect((report["faults"] as? [Any])?.isEmpty == true)
    #expect(report["records"] as? Int ?? 0 > 0)
  }

  @Test func `faults are told a line each, and the status says so`() throws {
    let size = try Data(contentsOf: folder.url.appendingPathComponent("notes/data.mdb")).count
    let handle = try FileHandle(forUpdating: folder.url.appendingPathComponent("notes/data.mdb"))
    try handle.truncate(atOffset: UInt64(size / 2))
    try handle.close()
    let result = try tool.run("verify", "notes")
    #expect(result.status == 1)
    #expect(result.output.contains("page: page "), "\(result.output)")
    #expect(result.output.contains("faults"))
    let limited = try tool.run("verify", "notes", "--max-faults", "1")
    #expect(limited.output.contains("1 fault, not checked to the end"), "\(limited.output)")
    #expect(try tool.run("verify", "notes", "--max-faults", "0").status == 2)
  }

  @Test func `links to missing objects are noted, and the status is that of a sound store`() throws
  {
    #expect(try !tool.run("verify", "notes").output.contains("note: "))
    let store = try folder.store("notes", NotesModel.json)
    _ = try store.box(named: "Note").put(["slug": "lost", "author": 77])
    store.close()
    let result = try tool.run("verify", "notes")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "note: 'Note.author' to 'Author' has 1 link with a missing object, from ID 4 to ID 77\n"
          + "notes/data.mdb: sound; "
      ),
      "\(result.output)"
    )
    let output = try tool.run("verify", "notes", "--format", "json").output
    #expect(
      output.contains(
        #""danglingRelations":[{"entity":"Note","relation":"author","target":"Author","count":1,"#
          + #""sourceId":4,"targetId":77}]"#
      ),
      "\(output)"
    )
  }

  @Test func `a backup is a store of its own, and replaces none`() throws {
    let result = try tool.run("backup", "notes", "copy")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.hasPrefix("wrote version "))
    #expect(try tool.run("dump", "copy").output == tool.run("dump", "notes").output)
    let again = try tool.run("backup", "notes", "copy")
    #expect(again.status == 1)
    #expect(again.errors.contains("there is a store already"))
    #expect(try tool.run("backup", "missing", "other").status == 1)
    #expect(!tool.exists("other"))
  }

  @Test func `a compacted store gives the same dump`() throws {
    let dump = try tool.run("dump", "notes").output
    let result = try tool.run("compact", "notes")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.hasPrefix("made "), "\(result.errors)")
    #expect(try tool.run("dump", "notes").output == dump)
    #expect(try tool.run("verify", "notes").status == 0)
    #expect(try tool.run("compact", "missing").status == 1)
  }

  @Test(arguments: [false, true])
  func `a store that a program has open is not compacted, and the program is named`(
    isShared: Bool
  ) throws {
    var configuration = Store.Configuration(
      directory: folder.url.appendingPathComponent("notes").path
    )
    configuration.isSharedWithOtherProcesses = isShared
    let store = try Store(existing: configuration)
    defer { store.close() }
    let result = try tool.run("compact", "notes")
    #expect(result.status == 1)
    let name = "process \(ProcessInfo.processInfo.processIdentifier) has it open"
    #expect(result.errors.contains(name), "\(result.errors)")
    #expect(result.errors.contains("close it there"), "\(result.errors)")
  }
}
