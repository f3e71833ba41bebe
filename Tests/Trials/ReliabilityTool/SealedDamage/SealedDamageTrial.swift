import Foundation

/// The trial `damage` on encrypted stores.
enum SealedDamageTrial {
  static func run(_ options: TrialOptions) throws -> TrialReport {
    let count = options.count(long: 100_000, timed: 1000)
    let scratch = try Scratch(isInMemory: true)
    let folder = scratch["files"]
    let unmarked = try SealedHistory.make(in: folder)
    let isShuffled = options.deadline.isTimed && options.part == nil
    let order = CaseOrder.numbers(count, isShuffled: isShuffled, seed: options.seed)
    var batch = Batch()
    batch.deadline = options.deadline
    batch.limit = 30
    let figures = try SealedHistory.figures(of: folder)
    if figures.heads < 3 { batch.note(blindness: "the store has too few heads") }
    try batch.run(
      options.partNumber.map { $0..<$0 + 1 } ?? order.indices,
      again: {
        Repetition.trial("--seed \(options.seed) --count \(count) --part \(order[$0]) damage")
      },
      arguments: {
        SealedDamageJob.arguments(
          folder,
          seed: options.seed,
          count: count,
          isShuffled: isShuffled,
          $0
        )
      }
    )
    var report = batch.report
    for version in unmarked {
      report.add(
        "version \(version): later damage would show the version before it",
        kind: "an opening that leaves its newest version without a mark",
        repeatedBy: Repetition.trial("--seed \(options.seed) damage")
      )
    }
    report.count = batch.done
    report.figures =
      "\(figures.versions) versions with \(figures.heads) heads: "
      + batch.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
        separator: ", "
      )
    return report
  }
}
