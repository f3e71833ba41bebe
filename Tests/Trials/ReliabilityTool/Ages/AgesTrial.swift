import Foundation

/// Takes files of a store away, or puts them back to an earlier time, one at a time and in pairs.
enum AgesTrial: Trial {
  static let name = "ages"
  static let share: Double? = 1
  static let floor = 10

  static func run(_ options: TrialOptions) throws -> TrialReport {
    let scratch = try Scratch(isInMemory: true)
    let folder = scratch["moments"]
    try AgedFolder.make(in: folder, seed: options.seed)
    var batch = Batch()
    batch.deadline = options.deadline
    let isShuffled = options.deadline.isTimed
    let places =
      options.partNumber.map { $0..<$0 + 1 } ?? 0..<options.count(long: .max, timed: .max)
    try batch.run(
      places,
      again: { place in
        let shuffled = isShuffled ? "--seconds 1 " : ""
        return Repetition.trial("\(shuffled)--seed \(options.seed) --part \(place) ages")
      },
      arguments: {
        ["ages", folder]
          + [options.seed, $0.lowerBound, $0.upperBound, isShuffled ? 1 : 0].map { "\($0)" }
      }
    )
    var report = batch.report
    report.count = batch.done
    report.figures = batch.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
    return report
  }
}
