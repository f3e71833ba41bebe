import Foundation

/// Cases that child processes run in sequence.
///
/// A crash or a hang is a finding, and the next process continues after its case. A process reports
/// `c NUMBER [KIND]` before a case, `count NAME`, and `finding KIND|TEXT`.
struct Batch {
  /// The reported counts.
  private(set) var counts: [String: Int] = [:]
  private(set) var report = TrialReport()
  /// The time limit of a case in seconds.
  var limit = 30.0
  var deadline = Deadline.none
  /// The name of the count whose least number the deadline has.
  var unit = "cases"
  /// Library files whose internal checks may end the process.
  var selfChecks: [String] = []
  /// The first other line of the case, such as the message of a trap.
  private var note = ""
  /// The kind of the current case.
  private var caseKind = ""

  /// Runs the cases of a range.
  ///
  /// - Parameters:
  ///   - cases: The numbers of the cases.
  ///   - environment: Variables of the processes.
  ///   - again: Returns the arguments that repeat a case.
  ///   - arguments: Returns the arguments of a process that runs a range of cases.
  /// - Throws: ``TrialError`` when a process cannot be started.
  mutating func run(
    _ cases: Range<Int>,
    environment: [String: String] = [:],
    again: (Int) -> String,
    arguments: (Range<Int>) -> [String]
  ) throws {
    var start = cases.lowerBound
    while start < cases.upperBound, !deadline.isOver(after: done) {
      let pipe = try LinePipe()
      let rest = start..<cases.upperBound
      let job = ["job"] + arguments(rest)
      let scratch = try Scratch(isInMemory: true)
      let own = environment.merging([Scratch.variable: scratch.path]) { $1 }
        .merging(deadline.environment(after: done)) { $1 }
      let child = try Child(job, to: pipe, takesErrors: true, environment: own)
      note = ""
      pipe.endWriting()
      var current = start
      read(pipe, child, &current, again)
      let ending = child.wait()
      if ending == .exit(0) { return }
      if selfChecks.contains(where: { note.contains($0) }) {
        counts["found by checks of itself", default: 0] += 1
      } else {
        let kind = caseKind.isEmpty ? "\(ending)" : "\(ending) in \(caseKind)"
        report.add("case \(current): \(note)", kind: kind, repeatedBy: again(current))
      }
      start = current + 1
    }
  }

  /// The number of cases that processes have reported.
  var done: Int { counts[unit] ?? 0 }

  /// Adds the finding that the trial misses a known fault.
  mutating func note(blindness: String) {
    report.add(blindness, kind: "the trial is blind", repeatedBy: "")
  }

  private mutating func read(
    _ pipe: LinePipe,
    _ child: Child,
    _ current: inout Int,
    _ again: (Int) -> String
  ) {
    while true {
      switch pipe.next(until: Clock.now + limit) {
      case .end: return
      case .timeout: return child.killHanging()
      case .line(let line):
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "c":
          let words = rest.split(separator: " ", maxSplits: 1)
          current = words.first.flatMap { Int($0) } ?? current
          caseKind = words.count > 1 ? String(words[1]) : ""
          note = ""
        case "count": counts[rest, default: 0] += 1
        case "finding":
          let kind = String(rest.prefix { $0 != "|" })
          report.add("case \(current): \(rest)", kind: kind, repeatedBy: again(current))
        default: if note.isEmpty { note = line }
        }
      }
    }
  }
}
