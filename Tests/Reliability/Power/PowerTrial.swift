import Foundation

/// Records the file calls of programs that write, and opens what a loss of power leaves at each of them.
enum PowerTrial: Trial {
  static let name = "power"
  /// A new store is not synced before its first commit, and its folder never.
  static let known = ["creation", "folder"]

  static func run(_ options: TrialOptions) throws -> TrialReport {
    let cases = options.count(long: 100_000, short: 2000)
    var batch = Batch()
    var syncs = 0
    var heads = 0
    // A part is the number of a log.
    let part = options.part.flatMap { Int($0) }
    let all = 0..<Workload.all.count
    for number in part.map({ $0..<$0 + 1 }) ?? all {
      let scratch = try Scratch(isInMemory: true)
      let seed = options.seed &* 7919 &+ number
      let log = scratch["log"]
      try record(number, seed, scratch, log, options)
      let operations = try RecordedOperation.log(at: log)
      for operation in operations {
        if case .sync = operation { syncs += 1 }
        if case .write(_, _, _, isThrough: true) = operation { heads += 1 }
      }
      let positions = operations.count { if case .mark = $0 { false } else { true } }
      let repetitions = max(1, cases / all.count / positions)
      let count = operations.count * (repetitions + 1)
      let before = batch.report.kinds.count { !isKnown($0.key) }
      // Threads make another log each time, so a log with findings is kept for the command that repeats them.
      let kept = FileManager.default.temporaryDirectory.path + "/power-\(seed).log"
      func arguments(_ log: String, _ cases: Range<Int>) -> [String] {
        PowerJob.arguments(log, seed: seed, repetitions: repetitions, cases)
      }
      try batch.run(
        0..<count,
        again: { (["job"] + arguments(kept, $0..<$0 + 1)).joined(separator: " ") },
        arguments: { arguments(log, $0) }
      )
      if batch.report.kinds.count(where: { !isKnown($0.key) }) > before {
        try? FileManager.default.removeItem(atPath: kept)
        try FileManager.default.copyItem(atPath: log, toPath: kept)
      }
    }
    var report = batch.report
    report.figures =
      "\(batch.counts["cases"] ?? 0) images of disks, around \(syncs) syncs and \(heads) synced writes of heads"
    return report
  }

  /// Runs two workloads on a new store.
  private static func record(
    _ number: Int,
    _ seed: Int,
    _ scratch: Scratch,
    _ log: String,
    _ options: TrialOptions
  ) throws {
    let root = scratch["root"]
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let pipe = try LinePipe()
    let second = (number + 4) % Workload.all.count
    let job = ["job", "record", root + "/" + PowerCase.storeName]
    let numbers = [seed, options.isShort ? 6 : 24, number, second].map { "\($0)" }
    let environment = try ShimLibrary.environment(root: root, log: log)
    let child = try Child(job + numbers, to: pipe, environment: environment)
    pipe.endWriting()
    let lines = pipe.lines()
    guard child.wait() == .exit(0), lines.isEmpty else {
      throw TrialError("the recorded program: \(child.wait()) \(lines)")
    }
  }
}
