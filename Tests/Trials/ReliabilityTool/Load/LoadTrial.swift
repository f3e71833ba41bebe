import Foundation

/// Uses a store in all ways at once for a time, and checks bounds of memory, file size and readers.
enum LoadTrial: Trial {
  static let name = "load"
  /// Its bounds of memory and file size say nothing about a short run.
  static let share: Double? = nil
  static let floor = 1

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var report = TrialReport()
    let seconds = options.minutes.map { $0 * 60 } ?? options.deadline.remaining ?? 600
    let scratch = try Scratch()
    let pipe = try LinePipe()
    let job = ["job", "load", scratch["store"], "\(seconds)", "\(options.seed)"]
    let child = try Child(job, to: pipe)
    pipe.endWriting()
    let command = Repetition.trial("--seed \(options.seed) --minutes \(seconds / 60) load")
    let deadline = Clock.now + seconds + 120
    reading: while true {
      switch pipe.next(until: deadline) {
      case .line(let line):
        if line.hasPrefix("figures ") {
          report.figures = String(line.dropFirst(8))
          report.count = 1
        } else {
          report.add(line, repeatedBy: command)
        }
      case .end: break reading
      case .timeout:
        child.killHanging()
        break reading
      }
    }
    if child.wait() != .exit(0) { report.add("the process: \(child.wait())", repeatedBy: command) }
    return report
  }
}
