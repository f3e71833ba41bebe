import Foundation

/// The end of a trial's time: no further round or case begins after it, but for the first few.
///
/// A trial with fewer rounds or cases than the least number proves nothing, so a slow machine takes
/// longer for them. Trials ask the deadline before each round, and the processes of a ``Batch``
/// before each case.
struct Deadline: Sendable {
  private static let endVariable = "RELIABILITY_END"
  private static let leastVariable = "RELIABILITY_LEAST"

  /// The end by `Clock.now`, which all processes share; nil for a run that only a count limits.
  private let end: Double?
  /// The number of rounds or cases that are done however long they take.
  private let least: Int

  /// The deadline of a run that only a count limits.
  static let none = Deadline(end: nil, least: 0)

  /// The deadline that this process got from its parent.
  static let ofProcess: Deadline = {
    let variables = ProcessInfo.processInfo.environment
    return Deadline(
      end: variables[endVariable].flatMap { Double($0) },
      least: variables[leastVariable].flatMap { Int($0) } ?? 0
    )
  }()

  private init(end: Double?, least: Int) {
    self.end = end
    self.least = least
  }

  init(secondsFromNow seconds: Double) {
    self.init(end: Clock.now + seconds, least: 0)
  }

  /// True when the run is limited by a time.
  var isTimed: Bool { end != nil }

  /// The remaining seconds; nil for a run that only a count limits.
  var remaining: Double? { end.map { max(0, $0 - Clock.now) } }

  /// Returns whether no further round or case begins.
  ///
  /// - Parameter done: The number of those that were done.
  /// - Returns: True when the time is over, and the least number is done.
  func isOver(after done: Int) -> Bool {
    end.map { done >= least && Clock.now >= $0 } ?? false
  }

  /// Returns the deadline after a part of the remaining time.
  func part(_ share: Double, of whole: Double, least: Int) -> Deadline {
    Deadline(end: remaining.map { Clock.now + $0 * share / whole }, least: least)
  }

  /// Returns the variables that pass the deadline to a child process.
  func environment(after done: Int) -> [String: String] {
    guard let end else { return [:] }
    return [Self.endVariable: "\(end)", Self.leastVariable: "\(max(0, least - done))"]
  }
}
