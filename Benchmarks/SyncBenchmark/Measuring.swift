import Foundation

/// Prints the lines of the table.
enum Report {
  /// Prints a result beside its goal; `isMet` is nil for a line without a goal.
  static func line(_ what: String, goal: String = "", _ result: String, isMet: Bool? = nil) {
    Report.say("| \(what) | \(goal) | \(result) | \(isMet.map { $0 ? "yes" : "**no**" } ?? "") |")
  }

  /// Prints a line at once, also into a pipe.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  static func atMost(_ what: String, _ limit: Double, _ value: Double, _ unit: String = "") {
    line(what, goal: "≤ \(short(limit))\(unit)", "\(short(value))\(unit)", isMet: value <= limit)
  }

  static func atLeast(_ what: String, _ limit: Double, _ value: Double, _ unit: String = "") {
    line(what, goal: "≥ \(short(limit))\(unit)", "\(short(value))\(unit)", isMet: value >= limit)
  }

  static func short(_ value: Double) -> String {
    if value >= 1_000 {
      return Int(value.rounded()).formatted(.number.locale(Locale(identifier: "en_US")))
    }
    return value >= 100 ? String(format: "%.0f", value) : String(format: "%.2f", value)
  }

  /// Tells what happens now, beside the table.
  static func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

extension [Double] {
  /// The value below which the given share of the values is.
  func quantile(_ share: Double) -> Double {
    let all = sorted()
    return all.isEmpty ? .nan : all[Swift.min(all.count - 1, Int(share * Double(all.count)))]
  }
  var median: Double { quantile(0.5) }
}

/// Processor times and memory of processes.
enum Usage {
  /// The processor time of this thread's process in seconds.
  static var own: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static var clock: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The processor time of another process in seconds, in steps of 10 ms.
  static func time(of pid: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return .nan
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The processor time of another process's first thread in nanoseconds; 0 after its end.
  static func nanoseconds(of pid: Int32) -> Int {
    let text = try? String(contentsOfFile: "/proc/\(pid)/schedstat", encoding: .utf8)
    return text.flatMap { $0.split(separator: " ").first.flatMap { Int($0) } } ?? 0
  }

  /// A value of a process's status in MB: `VmHWM` for the peak, `VmRSS` for the present memory, `RssAnon` for the
  /// part that is not of files.
  static func memory(_ name: String, of pid: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    let kilobytes = line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Double($0) }
    return (kilobytes ?? .nan) / 1_024
  }
}

/// Another process of this program or of PostgreSQL's.
final class Child {
  private let process = Process()
  private let input = Pipe()
  private let lines = Pipe()
  private var rest: [UInt8] = []

  var pid: Int32 { process.processIdentifier }

  /// Starts this program.
  init(_ words: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = words
    process.standardInput = input
    process.standardOutput = lines
    try process.run()
  }

  /// Waits for the next line of its output.
  func line() throws -> String {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = lines.fileHandleForReading.availableData
      if more.isEmpty { throw CocoaError(.fileReadUnknown) }
      rest += more
    }
  }

  /// Waits until the parent of this process closes its end, also by its own end.
  static func waitForParent() async {
    // On a thread of its own: the tasks of a small machine share two.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = FileHandle.standardInput.readDataToEndOfFile()
        continuation.resume()
      }
    }
  }

  /// Waits until it uses no more than a few percent of a processor, such as for what was written before.
  func waitUntilIdle() async throws {
    var last = Double.infinity
    while true {
      let now = Usage.time(of: pid)
      if now - last <= 0.02 { return }
      last = now
      try await Task.sleep(for: .seconds(1.5))
    }
  }

  /// Ends it.
  func stop() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  static func output(of program: String, _ words: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + words
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self)
  }
}

/// A folder that is removed at the end of its use.
final class Folder {
  let path: String

  init() throws {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = "\(parent)/sync-benchmark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
