package import Foundation

/// Runs a program of the package in its own folder.
package struct BuiltProgram: Sendable {
  package struct Result: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String
  }

  package let folder: TemporaryDirectory
  private let executable: URL

  package init(_ name: String, in folder: TemporaryDirectory? = nil) throws {
    executable = try Self.url(name)
    self.folder = try folder ?? TemporaryDirectory()
  }

  private struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  /// Returns the URL of a program, which is built beside the test bundle.
  package static func url(_ name: String) throws -> URL {
    let test = URL(fileURLWithPath: CommandLine.arguments[0])
    var folder = test.deletingLastPathComponent()
    for _ in 0..<5 {
      let program = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      folder.deleteLastPathComponent()
    }
    throw Missing(description: "\(name) is not built beside \(test.path)")
  }

  package func run(_ arguments: String...) throws -> Result { try run(arguments) }

  package func run(_ arguments: [String]) throws -> Result {
    try run(program: executable.path, arguments)
  }

  /// Runs any program in the folder; `environment` overrides inherited variables.
  package func run(
    program: String,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    // Files take any amount of output; a full pipe would block the program.
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

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(name).path)
  }
}
