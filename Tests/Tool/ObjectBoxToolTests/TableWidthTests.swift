import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// The width of the tables of `objectbox query`.
struct TableWidthTests {
  private let tool: BuiltProgram
  private static let slug = "a slug of more than forty characters, for tables"
  private static let note = "note: texts that end with '…' are shortened to the width"

  init() throws {
    tool = try BuiltProgram("objectbox")
    let store = try tool.folder.store("notes", ModelText.notes)
    defer { store.close() }
    _ = try store.box(named: "Note").put([
      ["slug": Self.slug, "stars": 100], ["slug": "short"],
    ])
  }

  @Test(arguments: [20, 30, 40])
  func `with --width texts are shortened so that lines fit, and numbers are not`(width: Int) throws
  {
    let result = try tool.run("query", "notes", "Note", "--width", "\(width)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    // The columns of numbers need 20 characters, and a text at least 8.
    #expect(lines.allSatisfy { $0.count <= max(width, 30) }, "\(result.output)")
    #expect(lines[1].contains("…") && lines[1].contains("  100"))
    #expect(lines[2].contains("short"))
    #expect(result.errors.hasPrefix(Self.note))
  }

  @Test func `widest columns give most`() throws {
    try tool.folder.store("things", ModelText.everything).close()
    _ = try tool.folder.write("string,decimal\n0123456789,1234567890123456789\n", to: "in.csv")
    #expect(try tool.run("import", "things", "Thing", "in.csv").status == 0)
    let words = ["query", "things", "Thing", "--columns", "string,decimal", "--width"]
    #expect(try tool.run(words + ["24"]).output.hasSuffix("\n0123456789  12345678901…\n"))
    #expect(try tool.run(words + ["20"]).output.hasSuffix("\n01234567…  12345678…\n"))
    #expect(try tool.run(words + ["1"]).output.hasSuffix("\n0123456…  1234567…\n"))
  }

  @Test func `what is piped has any width, also with COLUMNS`() throws {
    let program = try BuiltProgram.url("objectbox").path
    let words = ["query", "notes", "Note"]
    let piped = try tool.run(program: program, words, environment: ["COLUMNS": "30"])
    #expect(piped.output.contains(Self.slug))
    #expect(piped.errors.isEmpty)
    let json = try tool.run(words + ["--format", "json", "--width", "30"])
    #expect(json.output.contains(Self.slug))
    #expect(json.errors.isEmpty)
    #expect(try tool.run(words + ["--width", "0"]).output.contains(Self.slug))
    #expect(try tool.run(words + ["--width", "-1"]).status == 2)
  }

  #if os(Linux)
    @Test(arguments: [nil, "35"])
    func `on a terminal a table fits it, or COLUMNS`(columns: String?) throws {
      let terminal = try Terminal()
      terminal.setWidth(44)
      let process = Process()
      process.executableURL = try BuiltProgram.url("objectbox")
      process.arguments = ["query", tool.folder.path + "/notes", "Note"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["NO_COLOR": "1", "COLUMNS": columns ?? ""]
      ) { $1 }
      let end = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      let handle = FileHandle(fileDescriptor: end, closeOnDealloc: true)
      process.standardOutput = handle
      process.standardError = handle
      try process.run()
      let shown = terminal.shown(upTo: "show more")
      process.waitUntilExit()
      let lines = shown.split(whereSeparator: \.isNewline)
      #expect(lines.count == 4)
      #expect(lines.prefix(3).map(\.count).max() == (columns == nil ? 44 : 35), "\(shown)")
      #expect(lines[3].hasPrefix(Self.note))
    }
  #endif
}
