import Foundation

/// Runs a group of workloads.
///
/// usage: ObjectBoxBenchmarks [--group 100k|durable|conc|1m|rss|growth|micro|vectors|vector-file|filtered|digest]
///   [--dir FOLDER] [--n COUNT] [--reps N] [--seconds S] [--only PART-OF-A-NAME] [--clock day|processor|none]
@main
enum Main {
  static func main() throws {
    var folder = NSTemporaryDirectory()
    var group = "100k"
    var count = 100_000
    var repetitions = 3
    var seconds = 3.0
    var filter = ""
    var clock = Report.Clock.day
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst(), let value = words.popFirst() {
      switch word {
      case "--dir": folder = value
      case "--group": group = value
      case "--n": count = Int(value) ?? count
      case "--reps": repetitions = Int(value) ?? repetitions
      case "--seconds": seconds = Double(value) ?? seconds
      case "--only": filter = value
      case "--clock": clock = Report.Clock(rawValue: value) ?? clock
      default:
        FileHandle.standardError.write(Data("there is no option '\(word)'\n".utf8))
        exit(1)
      }
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let report = Report(
      peer: "objectbox",
      repetitions: repetitions,
      filter: filter,
      clock: clock
    )
    try Workloads(
      folder: folder + "/objectbox-benchmark",
      count: count,
      report: report,
      seconds: seconds
    ).run(group)
  }
}
