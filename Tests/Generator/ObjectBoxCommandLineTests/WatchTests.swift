import Foundation
import ObjectBoxTestSupport
import Testing

/// Runs with `--watch`, and runs whose sources a file lists.
struct WatchTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write("class A: Entity { var id: Id = 0 }", to: "src/A.swift")
  }

  @Test func `a watching run generates again when a source changes`() throws {
    let process = Process()
    process.executableURL = try Tool.executable
    process.arguments = [
      "--watch", "--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift",
    ]
    process.currentDirectoryURL = tool.folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Foundation starts processes with signals blocked; SIGKILL ends them always.
    let end: @Sendable () -> Void = { kill(process.processIdentifier, SIGKILL) }
    // A silent tool must not block the tests forever.
    let limit = DispatchWorkItem(block: end)
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: limit)
    defer {
      limit.cancel()
      end()
      process.waitUntilExit()
    }

    var told = ""
    func wait(for text: String) -> Bool {
      while !told.contains(text) {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { return false }
        told += String(decoding: data, as: UTF8.self)
      }
      return true
    }
    #expect(wait(for: "1 entity in 1 file"))
    try tool.folder.write("class B: Entity { var id: Id = 0 }", to: "src/B.swift")
    #expect(wait(for: "2 entities in 2 files"))
    #expect(try tool.folder.read("out/Code.swift").contains("extension B:"))
  }

  @Test func `a configuration file takes the place of the options`() throws {
    try tool.folder.write("class B: Entity { var id: Id = 0 }", to: "src/left/B.swift")
    try tool.folder.write(
      """
      # The sources to read.
      sources:
        include:
          - src   # all of it
        exclude: [ "src/left" ]
      output:
        path: 'made/Code.swift'
      """,
      to: ".sourcery.yml"
    )
    let result = try tool.run(
      "--config",
      ".sourcery.yml",
      "--sources",
      "nowhere",
      "--model-json",
      "model.json"
    )
    #expect(result.status == 0, "\(result.errors)")
    let code = try tool.folder.read("made/Code.swift")
    #expect(code.contains("extension A:"))
    #expect(!code.contains("extension B:"))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `the lines of a configuration file have any line ends`(_ end: String) throws {
    try tool.folder.write("class B: Entity { var id: Id = 0 }", to: "src/left/B.swift")
    let lines = [
      "# The sources.", "sources:", "  include:", "    - src # all", "  exclude:", "    - src/left",
      "", "output: made/Code.swift",
    ]
    try tool.folder.write(lines.map { $0 + end }.joined(), to: ".sourcery.yml")
    let result = try tool.run("--config", ".sourcery.yml", "--model-json", "model.json")
    #expect(result.status == 0, "\(result.errors)")
    let code = try tool.folder.read("made/Code.swift")
    #expect(code.contains("extension A:"))
    #expect(!code.contains("extension B:"))
    try tool.folder.write("sources: src\(end)\(end)nonsense\(end)", to: "1.yml")
    let wrong = try tool.run("--config", "1.yml")
    #expect(wrong.errors.contains("1.yml:3:1: 'nonsense' is neither a key"), "\(wrong.errors)")
  }

  @Test(arguments: [
    ("templates:\n  - x\n", "1.yml:2:1: the key 'templates' is not supported"),
    ("sources:\n  - src\nnonsense\n", "1.yml:3:1: 'nonsense' is neither a key"),
  ])
  func `what a configuration file may not say is told with its line`(
    _ text: String,
    _ expected: String
  ) throws {
    try tool.folder.write(text, to: "1.yml")
    let result = try tool.run("--config", "1.yml")
    #expect(result.status == 1)
    #expect(result.errors.contains(expected), "\(result.errors)")
  }

  @Test func `a configuration file that is missing is told`() throws {
    let result = try tool.run("--config", "none.yml")
    #expect(result.status == 1)
    #expect(result.errors.contains("cannot read the configuration 'none.yml'"))
  }
}
