import Foundation
import ObjectBoxTestSupport

/// A process that runs a job of `ProcessTestTool` on a store; deinit ends it.
package final class ChildProcess {
  private let process = Process()
  private let output = Pipe()
  private var unread = Data()

  /// Starts a job.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - job: The name of the job.
  ///   - number: The job's number argument.
  ///   - kilobytesOfAddresses: The limit of the address space in KiB; nil for the default.
  /// - Throws: Errors of starting a process.
  package init(
    _ directory: String,
    _ job: String,
    _ number: Int = 0,
    kilobytesOfAddresses: Int? = nil
  ) throws {
    let program = try BuiltProgram.url("ProcessTestTool")
    process.executableURL = program
    process.arguments = [directory, job, "\(number)"]
    if let kilobytesOfAddresses {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let command = "ulimit -v \(kilobytesOfAddresses) && exec \"$0\" \"$@\""
      process.arguments = ["-c", command, program.path, directory, job, "\(number)"]
    }
    process.standardOutput = output
    try process.run()
  }

  /// The process ID.
  package var processID: Int32 { process.processIdentifier }

  deinit {
    kill()
  }

  /// Returns the next line; nil when the process has ended.
  package func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[unread.index(after: end)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }

  /// Returns all remaining lines after the process has ended.
  package func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  /// Kills the process.
  package func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
