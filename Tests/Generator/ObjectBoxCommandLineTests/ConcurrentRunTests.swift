import Foundation
import ObjectBoxTestSupport
import Testing

/// Runs of the generator at the same time.
struct ConcurrentRunTests {
  private let tool: Tool
  private static let source = """
    // objectbox: entity
    class Note {
      var id: Id = 0
      var title: String = ""
    }
    """

  init() throws {
    tool = try Tool()
    try tool.folder.write(Self.source, to: "src/Note.swift")
  }

  /// Starts a run for each output, waits for all runs, and returns their statuses.
  private func run(_ outputs: [String], _ more: [String] = []) throws -> [Int32] {
    let processes = try outputs.map { output in
      let process = Process()
      process.executableURL = try Tool.executable
      process.currentDirectoryURL = tool.folder.url
      process.arguments = ["--sources", "src", "--output", output, "--quiet"] + more
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return process
    }
    for process in processes { try process.run() }
    return processes.map { process in
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func content(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path + "/" + folder).sorted()
  }

  @Test(arguments: ["model.json", "models/deep/model.json"])
  func `runs at once on one model agree on all UIDs, and leave nothing else behind`(
    model: String
  ) throws {
    let outputs = (0..<6).map { "out\($0)/Code.swift" }
    #expect(try run(outputs, ["--model-json", model]) == [0, 0, 0, 0, 0, 0])
    let codes = try Set(outputs.map { try tool.folder.read($0) })
    #expect(codes.count == 1)
    // The code has the UIDs of the model, so another run changes nothing.
    let agreed = try tool.run(
      "--sources",
      "src",
      "--model-json",
      model,
      "--output",
      "out0/Code.swift"
    )
    #expect(agreed.output.contains("'\(model)' is unchanged"))
    #expect(agreed.output.contains("'out0/Code.swift' is unchanged"))
    let folder = URL(fileURLWithPath: model).deletingLastPathComponent().relativePath
    let files = try content(folder).filter { !$0.hasPrefix(".output") && !$0.hasPrefix(".errors") }
    #expect(files.filter { $0.hasPrefix("model.json") } == ["model.json"])
    #expect(files.filter { $0.contains("lock") } == [])
  }

  @Test func `a run waits for the one that has the model, and reads what it left`() throws {
    // Locks the folder as another run would.
    let descriptor = open(tool.folder.path, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let process = Process()
    process.executableURL = try Tool.executable
    process.currentDirectoryURL = tool.folder.url
    process.arguments = ["--sources", "src", "--output", "out/Code.swift", "--quiet"]
    try process.run()
    let model = try other()
    try tool.folder.write(model, to: "model.json")
    close(descriptor)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try tool.folder.read("model.json") == model)
  }

  /// Returns a model of the same sources, with different UIDs, from a run in another folder.
  private func other() throws -> String {
    let folder = try TemporaryDirectory()
    let result = try tool.run(
      "--sources",
      "src",
      "--model-json",
      folder.path + "/model.json",
      "--output",
      folder.path + "/Code.swift"
    )
    #expect(result.status == 0)
    return try folder.read("model.json")
  }

  @Test func `builds and checks do not wait`() throws {
    #expect(try run(["out/Code.swift"]) == [0])
    let descriptor = open(tool.folder.path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(try run(["out/Code.swift"], ["--locked"]) == [0])
    #expect(
      try tool.run("model", "check", "--sources", "src", "--model-json", "model.json").status == 0
    )
  }
}
