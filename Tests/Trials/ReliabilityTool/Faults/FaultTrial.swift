import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// Fails every system call in turn, and fills a small disk.
enum FaultTrial: Trial {
  static let name = "faults"
  static let share: Double? = 3
  static let floor = 6

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var batch = Batch()
    batch.deadline = options.deadline
    batch.unit = "faults"
    // A part is ROW or ROW:CALL.
    let part = options.part.map { $0.split(separator: ":").compactMap { Int($0) } } ?? []
    var rows = part.first.map { [$0] } ?? Array(FaultRow.all.indices)
    var random = SplitMix(seed: options.seed)
    if options.deadline.isTimed { rows.shuffle(using: &random) }
    // First, since it takes what it takes.
    var disk = TrialReport()
    if part.isEmpty { try fillDisk(&disk) }
    let scratch = try Scratch(isInMemory: true)
    let environment = try ShimLibrary.environment(root: scratch.path)
    for row in rows where !options.deadline.isOver(after: batch.done) {
      func arguments(_ calls: FaultJob.Calls) -> [String] {
        FaultJob.arguments(row, root: scratch.path, seed: options.seed, calls)
      }
      let isRandom = options.deadline.isTimed && part.count < 2
      let count = options.count(long: 400, timed: 3)
      // The process chooses random calls, so no other one continues after a crash.
      try batch.run(
        isRandom ? 0..<1 : part.count > 1 ? part[1]..<part[1] + 1 : 1..<count + 1,
        environment: environment,
        again: { Repetition.trial("--seed \(options.seed) --part \(row):\($0) faults") },
        arguments: { isRandom ? arguments(.random(count)) : arguments(.range($0)) }
      )
    }
    var report = batch.report
    let counts = batch.counts
    report.count = batch.done
    report.figures =
      "\(report.count) faults in \(FaultRow.all.count) kinds and scenes, "
      + "\(counts["told"] ?? 0) told as errors, \(counts["unnoticed"] ?? 0) without effect, after "
      + "\(counts["refusing"] ?? 0) the store refused writes until it was opened again; "
      + "\(counts["losses of power"] ?? 0) losses of power"
    report.figures += disk.figures
    for finding in disk.findings {
      report.add(finding.text, kind: finding.kind, repeatedBy: finding.command)
    }
    return report
  }

  /// The variable that names a folder on a file system of a few MiB.
  private static let smallDisk = "RELIABILITY_SMALL_DISK"

  /// Fills a small file system, then frees some of it.
  private static func fillDisk(_ report: inout TrialReport) throws {
    guard let folder = ProcessInfo.processInfo.environment[smallDisk] else {
      report.figures += "; no small disk"
      return
    }
    func finding(_ text: String) {
      report.add("a full disk: \(text)", kind: "full", repeatedBy: Repetition.trial("faults"))
    }
    let ballast = folder + "/ballast"
    try Data(count: 300_000).write(to: URL(fileURLWithPath: ballast))
    let store = try TrialStore.open(folder + "/store")
    defer { store.close() }
    let box = store.box(for: Item.self)
    let plan = Plan(seed: 1, worker: 0, shape: Shape(puts: 1...1, payload: 3000...3000))
    var stored = 0
    for round in 0..<2 {
      var failure: (any Error)?
      let before = stored
      while failure == nil, stored < 10_000 {
        do {
          try box.put(plan.item(slot: stored, step: 1))
          stored += 1
        } catch { failure = error }
      }
      switch failure {
      case ObjectBoxError.dbFull(let message)? where message.contains("disk"): break
      default:
        report.add(
          failure.map { "\($0)" } ?? "no error",
          kind: "a full disk is told as another error",
          repeatedBy: Repetition.trial("faults")
        )
      }
      if try box.all().count != stored {
        finding("\(try box.count()) of \(stored) objects are there")
      }
      if stored == before { finding("nothing was stored when there was room") }
      if round == 0 { try FileManager.default.removeItem(atPath: ballast) }
    }
    store.close()
    if let fault = try StoreCheck.run(folder + "/store", generation: 0) { finding(fault) }
    report.figures += "; a small disk was full after \(stored) puts"
  }
}
