import Foundation
import ObjectBoxTestSupport

/// Python's `websockets`, another implementation as the peer.
///
/// `OBJECTBOX_PYTHON` names an interpreter. The default is the system's, which has the system's
/// packages, or else `python3`.
enum Python {
  /// Whether the interpreter has the package.
  static let hasWebSockets: Bool = {
    guard let process = try? start("import websockets", []) else { return false }
    process.program.waitUntilExit()
    return process.program.terminationStatus == 0
  }()

  /// A program that runs.
  struct Running {
    let program: Process
    let output: FileHandle

    /// Returns the whole output; traces of errors are in it.
    func finish() async throws -> String {
      let (program, output) = (UncheckedBox(program), UncheckedBox(output))
      return try await blocking {
        let text = String(decoding: output.value.readDataToEndOfFile(), as: UTF8.self)
        program.value.waitUntilExit()
        return text
      }
    }
  }

  static func start(_ code: String, _ arguments: [String]) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let system = "/usr/bin/python3"
    let interpreter =
      ProcessInfo.processInfo.environment["OBJECTBOX_PYTHON"]
      ?? (FileManager.default.isExecutableFile(atPath: system) ? system : "python3")
    process.arguments = [interpreter, "-c", code] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    return Running(program: process, output: pipe.fileHandleForReading)
  }

  /// Invariant of `@unchecked Sendable`: only one thread uses the value at a time.
  private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
