import Foundation
import ObjectBox

/// Fails every system call in turn, and fills a small disk.
enum FaultTrial: Trial {
  static let name = "faults"

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var batch = Batch()
    // A part is ROW or ROW:CALL.
    let part = options.part.map { $0.split(separator: ":").compactMap { Int($0) } } ?? []
    let most = options.count(long: 400, short: 3)
    for row in part.first.map({ $0..<$0 + 1 }) ?? FaultRow.all.indices {
      let scratch = try Scratch(isInMemory: true)
      let environment = try ShimLibrary.environment(root: scratch.path)
      try batch.run(
        part.count > 1 ? part[1]..<part[1] + 1 : 1..<most + 1,
        environment: environment,
        again: { "faults --seed \(options.seed) --part \(row):\($0)" },
        arguments: { FaultJob.arguments(row, root: scratch.path, seed: options.seed, $0) }
      )
    }
    var report = batch.report
    let counts = batch.counts
    report.figures =
      "\(counts["faults"] ?? 0) faults in \(FaultRow.all.count) kinds and scenes, "
      + "\(counts["told"] ?? 0) told as errors, \(counts["unnoticed"] ?? 0) without effect, after "
      + "\(counts["refusing"] ?? 0) the store refused writes until it was opened again"
    if part.isEmpty { try fillDisk(&report) }
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
      report.add("a full disk: \(text)", kind: "full", repeatedBy: "faults")
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
          repeatedBy: "faults"
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
