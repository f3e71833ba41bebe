import Foundation

/// The options of a run.
struct TrialOptions {
  var isShort = false
  /// The duration of timed trials; nil for their default.
  var minutes: Double?
  var seed = 1
  /// The number of runs, with the seeds from `seed` on.
  var seedCount = 1
  /// The number of cases or rounds; nil for the trial's default.
  var count: Int?
  /// The only part of the trial to run; nil for all.
  var part: String?
  /// True when known faults fail as well.
  var failsOnKnown = false

  /// The given count, or the default for the form of the run.
  func count(long: Int, short: Int) -> Int { count ?? (isShort ? short : long) }
}

/// A broken promise, with the command that repeats it.
struct Finding {
  var kind: String
  var text: String
  var command: String
}

/// The result of a trial.
struct TrialReport {
  /// One line of figures.
  var figures = ""
  private(set) var findings: [Finding] = []
  /// The number of findings of each kind.
  private(set) var kinds: [String: Int] = [:]

  /// Adds a finding; only the first of each kind are kept.
  mutating func add(_ text: String, kind: String = "other", repeatedBy arguments: String) {
    kinds[kind, default: 0] += 1
    if kinds[kind, default: 0] <= 3 {
      let variable = TrialStore.isEncrypted ? "\(TrialStore.encryptionVariable)=1 " : ""
      let command = variable + "ReliabilityTool " + arguments
      findings.append(Finding(kind: kind, text: text, command: command))
    }
  }
}

/// A kind of trial.
protocol Trial: SendableMetatype {
  static var name: String { get }
  /// Prefixes of known kinds of findings, which are counted but do not fail.
  static var known: [String] { get }
  static func run(_ options: TrialOptions) throws -> TrialReport
}

extension Trial {
  static var known: [String] { [] }

  /// Returns whether a kind of finding is known and does not fail.
  static func isKnown(_ kind: String, _ options: TrialOptions) -> Bool {
    !options.failsOnKnown && known.contains { kind.hasPrefix($0) }
  }
}
