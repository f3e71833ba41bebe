import Foundation

/// The options of a run.
struct TrialOptions {
  var isShort = false
  /// The time for trials that run for a time; nil for their own choice.
  var minutes: Double?
  var seed = 1
  /// The number of cases or rounds; nil for the trial's own choice.
  var count: Int?
  /// The only part of the trial that is run; nil for all.
  var part: String?

  /// Chooses a number by the form of the run, unless it is given.
  func count(long: Int, short: Int) -> Int { count ?? (isShort ? short : long) }
}

/// A broken promise, with the command that shows it again.
struct Finding {
  var text: String
  var command: String
}

/// The result of a trial.
struct TrialReport {
  /// One line of figures.
  var figures = ""
  var findings: [Finding] = []
  /// Findings beyond those that are kept.
  var furtherFindings = 0

  /// Adds a finding; of many only the first ones are kept.
  mutating func add(_ text: String, repeatedBy arguments: String) {
    if findings.count < 20 {
      findings.append(Finding(text: text, command: "ReliabilityTool " + arguments))
    } else {
      furtherFindings += 1
    }
  }
}

/// A kind of trial.
protocol Trial: SendableMetatype {
  static var name: String { get }
  static func run(_ options: TrialOptions) throws -> TrialReport
}
