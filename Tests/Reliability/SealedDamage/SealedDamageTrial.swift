import Foundation

/// The trial `damage` on encrypted stores.
enum SealedDamageTrial {
  static func run(_ options: TrialOptions) throws -> TrialReport {
    let count = options.count(long: 100_000, short: 1000)
    let scratch = try Scratch(isInMemory: true)
    let folder = scratch["files"]
    try SealedHistory.make(in: folder)
    let chosen = options.part.flatMap { Int($0) }.map { $0..<$0 + 1 } ?? 0..<count
    var batch = Batch()
    batch.limit = 30
    let history = try SealedHistory(folder, in: scratch)
    if history.headCount < 3 { batch.note(blindness: "the store has too few heads") }
    try batch.run(
      chosen,
      again: { "damage --seed \(options.seed) --count \(count) --part \($0)" },
      arguments: { SealedDamageJob.arguments(folder, seed: options.seed, count: count, $0) }
    )
    var report = batch.report
    report.figures =
      "\(history.moments.count) versions with \(history.headCount) heads: "
      + batch.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
        separator: ", "
      )
    return report
  }
}
