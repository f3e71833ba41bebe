import Foundation

/// Parses the command line, runs the trials, and prints their findings.
enum Command {
  private static let trials: [any Trial.Type] = [
    CrashTrial.self, HistoryTrial.self, LoadTrial.self, PowerTrial.self, FaultTrial.self,
    DamageTrial.self,
  ]

  private static let usage = """
    usage: ReliabilityTool TRIAL… [--short] [--minutes N] [--seed N] [--seeds N] [--count N] [--part NAME]
      [--known] [--encrypted]
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
      case "--short": options.isShort = true
      case "--minutes": options.minutes = value(of: argument)
      case "--seed": options.seed = value(of: argument)
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
  static func run(_ arguments: [String]) throws -> Bool {
    let (names, options) = parse(arguments)
    guard !names.isEmpty else { fail(usage) }
    let isAll = names == ["all"]
    for name in names where !isAll && !trials.contains(where: { $0.name == name }) {
      fail("no trial '\(name)'\n\(usage)")
    }
    var isClean = true
    for trial in trials where isAll || names.contains(trial.name) {
      var options = options
      for _ in 0..<max(1, options.seedCount) {
        let start = Clock.now
        let report = try trial.run(options)
        show(report, of: trial, options, seconds: Clock.now - start)
        if report.kinds.keys.contains(where: { !trial.isKnown($0, options) }) { isClean = false }
        options.seed += 1
      }
    }
    return isClean
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
