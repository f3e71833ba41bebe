import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCare
import ObjectBoxTestSupport
import Testing

/// `objectbox watch` while a program writes.
struct WatchTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  /// Runs the verb, and calls a body once it is watching.
  ///
  /// - Returns: The exit status, and the lines of standard output.
  private func watch(
    _ words: [String],
    _ body: (Store, Process) throws -> Void
  ) throws -> (status: Int32, lines: [String]) {
    let process = Process()
    process.executableURL = try BuiltProgram.url("objectbox")
    process.arguments = ["watch", "notes"] + words
    process.currentDirectoryURL = tool.folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The verb reports that it has begun.
    let begin = errors.fileHandleForReading.availableData
    #expect(String(decoding: begin, as: UTF8.self).hasPrefix("watching '"))
    let store = try tool.folder.store("notes", ModelText.notes)
    defer { store.close() }
    try body(store, process)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    return (process.terminationStatus, lines)
  }

  @Test func `objects that come, change and go are told with their values`() throws {
    let result = try watch(["Author", "--changes", "3"]) { store, _ in
      let authors = try store.box(named: "Author")
      try store.runInTransaction {
        _ = try authors.put(["name": "Alan"])
        _ = try authors.put(["id": 1, "name": "Ada Lovelace"])
        _ = try authors.remove(2)
      }
    }
    #expect(result.status == 0)
    #expect(
      result.lines.dropFirst() == [
        "  ~ 1  name: Ada → Ada Lovelace", "  - 2  name: Grace\\u{0}Hopper", "  + 3  name: Alan",
      ]
    )
    #expect(result.lines.first?.hasPrefix("version ") == true)
  }

  @Test func `json has a change a line, with the whole object`() throws {
    let result = try watch(["Author", "--format", "json", "--changes", "2"]) { store, _ in
      let authors = try store.box(named: "Author")
      try store.runInTransaction {
        _ = try authors.put(["id": 1, "name": "A"])
        _ = try authors.remove(2)
      }
    }
    let version = try #require(result.lines.first?.split(separator: ",").first)
    #expect(
      result.lines == [
        #"\#(version),"id":1,"before":{"id":1,"name":"Ada"},"after":{"id":1,"name":"A"}}"#,
        #"\#(version),"id":2,"before":{"id":2,"name":"Grace\u0000Hopper"}}"#,
      ]
    )
  }

  @Test func `with a condition an object comes when it matches, and goes when it does not`() throws
  {
    let result = try watch(
      ["Author", #"name startsWith "A" || name == "Grace""#, "--changes", "3"]
    ) { store, _ in
      let authors = try store.box(named: "Author")
      try store.runInTransaction {
        _ = try authors.put(["id": 1, "name": "Bob"])
        _ = try authors.put(["id": 2, "name": "Grace"])
        _ = try authors.put(["name": "Nobody"])
        _ = try authors.put(["name": "Alan"])
      }
    }
    #expect(
      result.lines.dropFirst() == ["  - 1  name: Ada", "  + 2  name: Grace", "  + 4  name: Alan"]
    )
  }

  @Test func `a store that is watched is not compacted, and the refusal names the process`() throws
  {
    let result = try watch(["Author", "--changes", "1"]) { store, process in
      do {
        try store.compact()
        Issue.record("it was compacted")
      } catch ObjectBoxError.illegalState(let message) {
        #expect(message.contains("process \(process.processIdentifier) has it open"), "\(message)")
      }
      _ = try store.box(named: "Author").put(["name": "Alan"])
    }
    #expect(result.lines.dropFirst() == ["  + 3  name: Alan"])
  }

  @Test func `a signal ends it with 130`() throws {
    let result = try watch(["Note"]) { _, process in kill(process.processIdentifier, SIGINT) }
    #expect(result.status == 130)
    #expect(result.lines == [])
  }

  @Test(
    arguments: [
      (["Nobody"], "there is no entity 'Nobody'"),
      (["Author", "name = 1"], "error: '=' has no meaning here"),
      (["Author", "--changes", "0"], "use a whole number from 1"),
    ]
  )
  func `faults are told before anything is watched`(_ words: [String], _ message: String) throws {
    let result = try tool.run(["watch", "notes"] + words)
    #expect(result.status != 0)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
