import Foundation
import ObjectBoxTestSupport
import Testing

/// Runs the built command line tool in a folder of its own.
struct Tool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// The tool stands beside the test bundle.
  static var executable: URL {
    get throws {
      let test = URL(fileURLWithPath: CommandLine.arguments[0])
      var folder = test.deletingLastPathComponent()
      for _ in 0..<5 {
        let tool = folder.appendingPathComponent("objectbox-generator")
        if FileManager.default.isExecutableFile(atPath: tool.path) { return tool }
        folder.deleteLastPathComponent()
      }
      throw MissingTool(description: "objectbox-generator is not built beside \(test.path)")
    }
  }

  private struct MissingTool: Error, CustomStringConvertible {
    var description: String
  }

  func run(_ arguments: String...) throws -> Result { try run(arguments) }

  func run(_ arguments: [String]) throws -> Result {
    try run(program: try Self.executable.path, arguments)
  }

  /// Runs any program in the folder; `environment` changes what it inherits.
  func run(
    program: String,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    // Files take any amount of text; a pipe would block when nobody reads it.
    let output = folder.url.appendingPathComponent(".output")
    let errors = folder.url.appendingPathComponent(".errors")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try folder.read(".output"),
      errors: try folder.read(".errors")
    )
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(name).path)
  }
}
