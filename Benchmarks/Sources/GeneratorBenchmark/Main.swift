import Foundation

/// Times complete generator runs: a first run, and runs without changes.
///
/// usage: GeneratorBenchmark --tool PATH [--files N] [--lines N] [--entities N] [--reps N] [--dir FOLDER]
@main
enum Main {
  static func main() {
    var numbers = ["--files": 1000, "--lines": 200, "--entities": 50, "--reps": 7]
    var tool: String?
    var folder = NSTemporaryDirectory()
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      guard let value = words.popFirst() else { fail("option '\(word)' needs a value") }
      switch word {
      case "--tool": tool = value
      case "--dir": folder = value
      default:
        guard numbers[word] != nil, let number = Int(value), number > 0 else {
          fail("'\(word) \(value)' is no option with a number of at least 1")
        }
        numbers[word] = number
      }
    }
    guard let tool else { fail("pass the built generator with --tool") }
    let tree = SourceTree(
      files: numbers["--files"] ?? 0,
      lines: numbers["--lines"] ?? 0,
      entities: numbers["--entities"] ?? 0
    )
    let root = folder + "/objectbox-generator-benchmark"
    try? FileManager.default.removeItem(atPath: root)
    defer { try? FileManager.default.removeItem(atPath: root) }
    do {
      try tree.write(to: root + "/Sources")
      try measure(tool, root: root, repetitions: numbers["--reps"] ?? 0)
    } catch {
      fail("\(error)")
    }
  }

  private static func measure(_ tool: String, root: String, repetitions: Int) throws {
    let arguments = [
      "--sources", root + "/Sources", "--model-json", root + "/model.json",
      "--output", root + "/out/EntityInfo.generated.swift", "--quiet",
    ]
    // Like a project after a clean build: the model exists, the output does not.
    _ = try ToolRun(tool, arguments)
    var runs: [(name: String, runs: [ToolRun])] = [("cold", []), ("warm", []), ("start", [])]
    for _ in 0..<repetitions {
      try FileManager.default.removeItem(atPath: root + "/out")
      runs[0].runs.append(try ToolRun(tool, arguments))
      runs[1].runs.append(try ToolRun(tool, arguments))
      runs[2].runs.append(try ToolRun(tool, ["--version"]))
    }
    print("run\tmin ms\tmedian ms\tmax ms\tprocessor ms\tpeak MB")
    for (name, runs) in runs {
      let times = runs.map(\.milliseconds).sorted()
      let processor = runs.map(\.processorMilliseconds).sorted()
      let values = [
        times[0], times[times.count / 2], times[times.count - 1], processor[processor.count / 2],
        runs.map(\.peakMegabytes).max() ?? 0,
      ]
      print(([name] + values.map { String(format: "%.1f", $0) }).joined(separator: "\t"))
    }
  }

  private static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(1)
  }
}
