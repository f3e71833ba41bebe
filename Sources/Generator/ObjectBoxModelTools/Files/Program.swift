internal import Foundation
internal import ObjectBoxGenerator

/// The failure to run a program of the system, or its failed run.
package struct ProgramFault: Error, CustomStringConvertible {
  package var description: String
}

/// A program in a folder of `PATH`.
struct Program {
  private let name: String
  private let url: URL

  /// Finds a program; nil when no folder of `PATH` has it.
  init?(named name: String) {
    self.name = name
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let files = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let file = files.first(where: FileManager.default.isExecutableFile) else { return nil }
    url = URL(fileURLWithPath: file)
  }

  /// Exit status and output of a finished program.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the program with the given input until it ends.
  ///
  /// - Throws: ``ProgramFault`` when it cannot be started.
  func run(_ arguments: [String], input: String = "") throws(ProgramFault) -> Result {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(
      "objectbox-generator-\(UUID().uuidString)"
    )
    defer { try? manager.removeItem(at: folder) }
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      // Files, not pipes: pipes could fill up and block each other.
      let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
      for file in files { try Data((file == files[0] ? input : "").utf8).write(to: file) }
      let process = Process()
      process.executableURL = url
      process.arguments = arguments
      process.standardInput = try FileHandle(forReadingFrom: files[0])
      process.standardOutput = try FileHandle(forWritingTo: files[1])
      process.standardError = try FileHandle(forWritingTo: files[2])
      try process.run()
      process.waitUntilExit()
      return Result(
        status: process.terminationReason == .exit ? process.terminationStatus : -1,
        output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
      )
    } catch {
      throw ProgramFault(description: "cannot run '\(url.path)': \(error.localizedDescription)")
    }
  }

  /// Runs the program and returns its output; throws ``ProgramFault`` when its exit status is not
  /// 0.
  func output(of arguments: [String], input: String = "") throws(ProgramFault) -> String {
    let result = try run(arguments, input: input)
    guard result.status == 0 else {
      let reason = result.errors.split(whereSeparator: \.isNewline).joined(separator: " ")
      throw ProgramFault(
        description: "'\(([name] + arguments).joined(separator: " "))' ended with status "
          + "\(result.status): \(reason)"
      )
    }
    return result.output
  }
}
