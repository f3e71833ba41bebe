import Foundation

/// Records the file calls of writing programs, and opens what a loss of power leaves at each call.
enum PowerTrial: Trial {
  static let name = "power"
  static let share: Double? = 3
  static let floor = 20

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var run = PowerRun(options: options)
    // A part is the number of a log.
    for number in options.numbers(options.deadline.isTimed ? 100_000 : Workload.all.count) {
      if options.deadline.isOver(after: run.count) { break }
      let scratch = try Scratch(isInMemory: true)
      let log = scratch["log"]
      let seed = options.seed &* 7919 &+ number
      try record(number, seed, scratch, log, options)
      try run.replay(log, seed: seed)
    }
    return run.report
  }

  /// Runs two workloads on a new store, which is opened three times.
  private static func record(
    _ number: Int,
    _ seed: Int,
    _ scratch: Scratch,
    _ log: String,
    _ options: TrialOptions
  ) throws {
    let root = scratch["root"]
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    // The next seed begins with another workload.
    let workloads = [0, 4].map { (options.seed + number + $0) % Workload.all.count }
    let job = ["job", "record", root + "/" + PowerCase.storeName]
    let steps = options.deadline.isTimed ? 6 : 24
    // The disk of each second log forgets.
    let forgets = (options.seed + number) % 2
    let numbers = ([seed, steps, forgets] + workloads).map { "\($0)" }
    let environment = try ShimLibrary.environment(root: root, log: log)
    let pipe = try LinePipe()
    let child = try Child(job + numbers, to: pipe, environment: environment)
    pipe.endWriting()
    let lines = pipe.lines()
    guard child.wait() == .exit(0), lines.isEmpty else {
      throw TrialError("the recorded program: \(child.wait()) \(lines)")
    }
  }
}

/// The cases of all logs, and their figures.
private struct PowerRun {
  let options: TrialOptions
  private var batch = Batch()
  private var logs = 0
  private var syncs = 0
  private var heads = 0
  private var failed = 0
  private var lies = 0
  /// The most images of a log in a timed run, which then takes the next log.
  private static let timedCount = 60

  init(options: TrialOptions) {
    self.options = options
    batch.deadline = options.deadline
  }

  /// The number of images so far.
  var count: Int { batch.done }

  var report: TrialReport {
    var report = batch.report
    report.count = count
    report.figures =
      "\(count) images of disks in \(logs) logs, around \(syncs) syncs and \(heads) synced writes of "
      + "heads, after \(failed) failed syncs that the disk forgot, with \(batch.counts["backups"] ?? 0) "
      + "backups; \(lies) faults on a disk that lies about syncs, as they should be found"
    return report
  }

  /// Opens the images of a log.
  mutating func replay(_ log: String, seed: Int) throws {
    let operations = try RecordedOperation.log(at: log)
    for operation in operations {
      switch operation {
      case .sync: syncs += 1
      case .failedSync, .forgottenWrite: failed += 1
      default: break
      }
      if case .write(_, _, _, isThrough: true) = operation { heads += 1 }
      // Encrypted stores write a head to a new file, which they sync and rename.
      if case .rename(_, let to) = operation, to.hasSuffix("sealed.head") { heads += 1 }
    }
    let positions = operations.count { if case .mark = $0 { false } else { true } }
    let cases = options.count(long: 100_000, timed: 1)
    let repetitions = max(1, cases / Workload.all.count / positions)
    let count = operations.count * (repetitions + 1)
    let step = options.deadline.isTimed ? Self.step(positions * (repetitions + 1)) : 1
    // Threads make a different log each time, so a log with findings is kept to repeat them.
    let kept = FileManager.default.temporaryDirectory.path + "/power-\(seed).log"
    func arguments(
      _ log: String,
      _ cases: Range<Int>,
      step: Int = 1,
      isHonest: Bool = true
    ) -> [String] {
      PowerJob.arguments(
        log,
        seed: seed,
        repetitions: repetitions,
        isHonest: isHonest,
        step: step,
        cases
      )
    }
    let before = unknownKinds
    try batch.run(
      0..<count,
      again: { Repetition.job(arguments(kept, $0..<$0 + 1)) },
      arguments: { arguments(log, $0, step: step) }
    )
    if unknownKinds > before {
      try? FileManager.default.removeItem(atPath: kept)
      try FileManager.default.copyItem(atPath: log, toPath: kept)
    }
    logs += 1
    if logs == 1 { try lie(count) { arguments(log, $0, isHonest: false) } }
  }

  /// Returns the step by which a timed run takes the images of a log.
  ///
  /// It has no factor 2 or 3: each second image is a whole one, and each third one has garbage.
  private static func step(_ images: Int) -> Int {
    let step = images / timedCount | 1
    return step.isMultiple(of: 3) ? step + 2 : step
  }

  private var unknownKinds: Int {
    batch.report.kinds.count { !PowerTrial.isKnown($0.key, options) }
  }

  /// Expects findings on a disk that lies about syncs.
  private mutating func lie(_ count: Int, arguments: (Range<Int>) -> [String]) throws {
    var lying = Batch()
    let middle = count / 2
    let end = min(middle + (options.deadline.isTimed ? 60 : 300), count)
    try lying.run(middle..<end, again: { _ in "" }, arguments: arguments)
    lies = lying.report.kinds.values.reduce(0, +)
    if lies == 0 { batch.note(blindness: "no fault is found on a disk that lies about syncs") }
  }
}
