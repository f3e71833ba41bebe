import Foundation

/// The options of a run.
struct TrialOptions {
  /// The time of the whole run in seconds; nil for a run that only counts limit.
  var seconds: Double?
  /// The duration of the load; nil for its default.
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
  /// The end of the trial's time; its least number is the trial's floor.
  var deadline = Deadline.none

  /// Returns the given count, or the default for the form of the run.
  func count(long: Int, timed: Int) -> Int { count ?? (deadline.isTimed ? timed : long) }

  /// The given part, if it is a number.
  var partNumber: Int? { part.flatMap { Int($0) } }

  /// Returns the given part alone, or the numbers up to the count.
  func numbers(_ count: Int) -> Range<Int> { partNumber.map { $0..<$0 + 1 } ?? 0..<count }
}

/// A broken promise, with the command that repeats it.
struct Finding {
  var kind: String
  var text: String
  var command: String
}

/// Commands that repeat findings.
enum Repetition {
  /// The command that runs a trial with this program.
  ///
  /// - Parameter arguments: The trial, and its options.
  /// - Returns: The command, for a shell in the package's folder.
  static func trial(_ arguments: String) -> String {
    let binary = ProcessInfo.processInfo.environment["BINARY"].map { "BINARY=\($0) " } ?? ""
    let option = TrialStore.isEncrypted ? "--encrypted " : ""
    return "\(binary)Scripts/reliability.sh \(option)\(arguments)"
  }

  /// The command that runs a job.
  static func job(_ arguments: [String]) -> String {
    let variable = TrialStore.isEncrypted ? "\(TrialStore.encryptionVariable)=1 " : ""
    let words = [CommandLine.arguments[0], "job"] + arguments
    return variable + words.joined(separator: " ")
  }
}

/// The result of a trial.
struct TrialReport {
  /// One line of figures.
  var figures = ""
  /// The number of rounds or cases that were completed; see ``Trial/floor``.
  var count = 0
  private(set) var findings: [Finding] = []
  /// The number of findings of each kind.
  private(set) var kinds: [String: Int] = [:]

  /// Adds a finding; only the first of each kind are kept.
  mutating func add(_ text: String, kind: String = "other", repeatedBy command: String) {
    kinds[kind, default: 0] += 1
    if kinds[kind, default: 0] <= 3 {
      findings.append(Finding(kind: kind, text: text, command: command))
    }
  }
}

/// A kind of trial.
protocol Trial: SendableMetatype {
  static var name: String { get }
  /// The trial's weight when a time is divided among all trials; nil for a trial that is too long
  /// to be one of these.
  static var share: Double? { get }
  /// The least number of rounds or cases with which a timed run has proved anything.
  static var floor: Int { get }
  /// Prefixes of known kinds of findings, which are counted but do not fail.
  static var known: [String] { get }
  /// True for a trial of encrypted stores alone.
  static var needsEncryption: Bool { get }
  static func run(_ options: TrialOptions) throws -> TrialReport
}

extension Trial {
  static var known: [String] { [] }
  static var needsEncryption: Bool { false }

  /// Returns whether a kind of finding is known and does not fail.
  static func isKnown(_ kind: String, _ options: TrialOptions) -> Bool {
    !options.failsOnKnown && known.contains { kind.hasPrefix($0) }
  }
}
