import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// The verb that saves the readable objects of a damaged store.
struct SalvageTests {
  private let tool: BuiltProgram
  private var folder: TemporaryDirectory { tool.folder }

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  @Test func `the salvage of a sound store has the same dump`() throws {
    let result = try tool.run("salvage", "notes", "saved")
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    #expect(result.errors == "wrote 'saved', with everything\n")
    #expect(try tool.run("dump", "saved").output == tool.run("dump", "notes").output)
    let again = try tool.run("salvage", "notes", "saved")
    #expect(again.status == 1)
    #expect(again.errors.contains("there is something already"))
    #expect(try tool.run("salvage", "missing", "other").status == 1)
    #expect(try tool.run("salvage", "notes").status == 2)
    #expect(!tool.exists("other"))
  }

  @Test func `what is lost is told, and the status says so`() throws {
    let file = folder.url.appendingPathComponent("notes/data.mdb")
    let size = try Data(contentsOf: file).count
    let handle = try FileHandle(forUpdating: file)
    try handle.truncate(atOffset: UInt64(size / 2))
    try handle.close()
    let result = try tool.run("salvage", "notes", "saved", "--uncertain")
    #expect(result.status == 1)
    #expect(!result.output.isEmpty || result.errors.contains("--model"), "\(result.errors)")
    #expect(try tool.run("verify", "saved").status == (tool.exists("saved") ? 0 : 1))
    let commit = try tool.run("salvage", "notes", "other", "--commit", "12345")
    #expect(commit.status == 1)
    #expect(commit.errors.contains("no version 12345"), "\(commit.errors)")
    let json = try tool.run("salvage", "notes", "third", "--format", "json").output
    #expect(json.isEmpty || json.hasPrefix("{\"isWhole\":false,"), "\(json)")
  }
}
