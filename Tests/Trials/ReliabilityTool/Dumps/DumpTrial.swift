import Foundation
import ObjectBoxTestSupport

/// Searches what a core dump of a program has, and all files, for the key and the texts of an encrypted store.
enum DumpTrial: Trial {
  static let name = "dumps"
  static let share: Double? = 0.5
  static let floor = 3
  static let needsEncryption = true

  static func run(_ options: TrialOptions) throws -> TrialReport {
    guard TrialStore.isEncrypted else { throw TrialError("'dumps' needs --encrypted") }
    var report = TrialReport()
    #if os(Linux)
      var batch = Batch()
      let scratch = try Scratch(isInMemory: true)
      var random = SplitMix(seed: options.seed)
      var secrets = (0..<DumpJob.sizes[0]).map { _ in UInt8.random(in: 0...255, using: &random) }
      for size in DumpJob.sizes.dropFirst() {
        // Letters, as in one word of a text.
        secrets += (0..<size).map { _ in UInt8.random(in: 97...122, using: &random) }
      }
      try Data(secrets).write(to: URL(fileURLWithPath: scratch["secrets"]))
      for program in DumpJob.Program.allCases {
        try batch.run(
          program.rawValue..<program.rawValue + 1,
          environment: ["TMPDIR": scratch.path],
          again: { _ in Repetition.trial("--seed \(options.seed) dumps") },
          arguments: { ["dump", scratch.path, "\($0.lowerBound)"] }
        )
      }
      report = batch.report
      report.count = batch.counts["programs"] ?? 0
      report.figures = batch.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        .joined(separator: ", ")
    #endif
    return report
  }
}
