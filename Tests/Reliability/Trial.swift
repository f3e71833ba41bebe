import Foundation

/// The options of a run.
struct TrialOptions {
  var isShort = false
  /// The time for trials that run for a time; nil for their own choice.
  var minutes: Double?
  var seed = 1
  /// The number of seeds from `seed` on, with a run of each.
  var seedCount = 1
  /// The number of cases or rounds; nil for the trial's own choice.
  var count: Int?
  /// The only part of the trial that is run; nil for all.
  var part: String?
  /// True when faults that are known fail as others do.
  var failsOnKnown = false

  /// Chooses a number by the form of the run, unless it is given.
  func count(long: Int, short: Int) -> Int { count ?? (isShort ? short : long) }
}

/// A broken promise, with the command that shows it again.
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

  /// Adds a finding; of those of a kind only the first ones are kept.
  mutating func add(_ text: String, kind: String = "other", repeatedBy arguments: String) {
    kinds[kind, default: 0] += 1
    if kinds[kind, default: 0] <= 3 {
      findings.append(Finding(kind: kind, text: text, command: "ReliabilityTool " + arguments))
    }
  }
}

/// A kind of trial.
protocol Trial: SendableMetatype {
  static var name: String { get }
  /// Beginnings of kinds of findings that are known and not cured yet; they are counted, and do not fail.
  static var known: [String] { get }
  static func run(_ options: TrialOptions) throws -> TrialReport
}

extension Trial {
  static var known: [String] { [] }

  /// Returns whether a kind of finding is known, and does not fail.
  static func isKnown(_ kind: String, _ options: TrialOptions) -> Bool {
    !options.failsOnKnown && known.contains { kind.hasPrefix($0) }
  }
}
