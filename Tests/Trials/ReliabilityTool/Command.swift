import Foundation

/// Parses the command line, runs the trials, and prints their findings.
enum Command {
  private static let trials: [any Trial.Type] = [
    CrashTrial.self, HistoryTrial.self, LoadTrial.self, PowerTrial.self, FaultTrial.self,
    DamageTrial.self, AgesTrial.self, DumpTrial.self,
  ]

  private static let usage = """
    usage: ReliabilityTool TRIAL… [--seconds N] [--minutes N] [--seed N] [--seeds N] [--count N]
      [--part NAME] [--known] [--encrypted]
    trials: \(trials.map { $0.name }.joined(separator: ", ")); or all
    """

  /// Ends the process because a trial cannot run.
  static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(2)
  }

  /// Parses the options, and the names of trials between them.
  private static func parse(_ arguments: [String]) -> (names: [String], options: TrialOptions) {
    var options = TrialOptions()
    var names: [String] = []
    var rest = arguments[...]
    func value<T: LosslessStringConvertible>(of option: String) -> T {
      guard let text = rest.popFirst(), let value = T(text) else {
        fail("\(option) needs a value\n\(usage)")
      }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--seconds": options.seconds = value(of: argument)
      case "--minutes": options.minutes = value(of: argument)
      case "--seed":
        // Trials multiply seeds.
        let seed: UInt32 = value(of: argument)
        options.seed = Int(seed)
      case "--seeds": options.seedCount = value(of: argument)
      case "--count": options.count = value(of: argument)
      case "--part": options.part = value(of: argument)
      case "--known": options.failsOnKnown = true
      // Child processes get the environment of this one.
      case "--encrypted": setenv(TrialStore.encryptionVariable, "1", 1)
      default:
        if argument.hasPrefix("-") { fail("no option '\(argument)'\n\(usage)") }
        names.append(argument)
      }
    }
    return (names, options)
  }

  /// Runs the trials that the arguments name.
  ///
  /// - Returns: True when there are no findings.
  static func run(_ arguments: [String]) -> Bool {
    let (names, options) = parse(arguments)
    guard !names.isEmpty else { fail(usage) }
    let isAll = names == ["all"]
    for name in names where !isAll && !trials.contains(where: { $0.name == name }) {
      fail("no trial '\(name)'\n\(usage)")
    }
    let runs = trials.filter { trial in
      guard isAll else { return names.contains(trial.name) }
      return (options.seconds == nil || trial.share != nil)
        && (!trial.needsEncryption || TrialStore.isEncrypted)
    }.flatMap { trial in
      (0..<max(1, options.seedCount)).map { (trial: trial, seed: options.seed + $0) }
    }
    let deadline = options.seconds.map { Deadline(secondsFromNow: $0) } ?? .none
    var weight = runs.reduce(0) { $0 + ($1.trial.share ?? 1) }
    var repetition: String?
    for (trial, seed) in runs {
      var options = options
      options.seed = seed
      let share = trial.share ?? 1
      options.deadline = deadline.part(share, of: weight, least: trial.floor)
      weight -= share
      let new = run(trial, options)
      repetition = repetition ?? new.first?.command
    }
    if let repetition { tell("again: \(repetition)") }
    return repetition == nil
  }

  /// Runs a trial, and returns its unknown findings; ends the process when the trial cannot run.
  private static func run(_ trial: any Trial.Type, _ options: TrialOptions) -> [Finding] {
    let start = Clock.now
    let time = options.deadline.remaining
    let limit = time.map { String(format: ", %.1f s", $0) } ?? ""
    tell("\(trial.name): seed \(options.seed)\(limit)")
    let seconds = time.map { Int($0.rounded(.up)) }
    let again = Repetition.trial(
      (seconds.map { "--seconds \($0) " } ?? "") + "--seed \(options.seed) \(trial.name)"
    )
    var report: TrialReport
    do {
      report = try trial.run(options)
    } catch {
      tell("error: \(error)")
      tell("again: \(again)")
      exit(2)
    }
    let floor = min(trial.floor, options.count ?? trial.floor)
    if let seconds, options.part == nil, report.count < floor {
      report.add(
        "\(report.count) in \(seconds) s; fewer than \(floor) prove nothing",
        kind: "too little was tried",
        repeatedBy: again
      )
    }
    show(report, of: trial, options, seconds: Clock.now - start)
    return report.findings.filter { !trial.isKnown($0.kind, options) }
  }

  private static func show(
    _ report: TrialReport,
    of trial: any Trial.Type,
    _ options: TrialOptions,
    seconds: Double
  ) {
    let time = String(format: "%.1f", seconds)
    let new = report.kinds.filter { !trial.isKnown($0.key, options) }.values.reduce(0, +)
    tell(
      "\(trial.name)\(TrialStore.isEncrypted ? ", encrypted" : ""): \(report.figures); \(new) findings; seed \(options.seed); \(time) s"
    )
    for (kind, count) in report.kinds.sorted(by: { $0.key < $1.key }) {
      tell("  \(trial.isKnown(kind, options) ? "known" : "FINDING") \(count) times: \(kind)")
      for finding in report.findings where finding.kind == kind && !trial.isKnown(kind, options) {
        tell("    \(finding.text)\n      again: \(finding.command)")
      }
    }
  }
}
