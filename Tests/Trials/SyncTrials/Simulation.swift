import ObjectBoxSyncProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs schedules against the complete protocol.
enum Simulation {
  /// Figures of many schedules.
  struct Figures {
    var schedules: UInt64 = 0
    var wrong: UInt64 = 0
    var deltas = 0
    var stagedDeltas = 0
    var accepted = 0
    var merged = 0
    var renamed = 0
    var rejected = 0
    var updates = 0
    var gains = 0
    var ruled = 0

    mutating func add(_ world: World) {
      deltas += world.deltas
      stagedDeltas += world.stagedDeltas
      accepted += world.checker.counts.accepted
      merged += world.checker.counts.merged
      renamed += world.checker.counts.renamed
      rejected += world.checker.counts.rejected
      updates += world.updates
      gains += world.gains
      ruled += world.server.ruledCount
    }

    var line: String {
      "\(schedules) schedules, \(deltas) deltas (\(stagedDeltas) with staged parts), \(accepted) transactions accepted, "
        + "\(merged) merged (\(renamed) with new identities), \(rejected) rejected, \(updates) updates of models, "
        + "\(gains) logins that lacked values, \(ruled) effects of delete rules, \(wrong) wrong"
    }
  }

  /// The number of schedules that a timed run takes however long they take: fewer prove nothing.
  private static let floor: UInt64 = 20

  /// Runs the schedules of consecutive seeds, until their number or the time is reached, and prints
  /// the figures.
  ///
  /// - Returns: The exit code.
  static func run(seed: UInt64, schedules: UInt64, seconds: UInt64?) -> Int32 {
    var figures = Figures()
    var claims: [String: Int] = [:]
    var firstWrong: UInt64?
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    while figures.schedules < schedules {
      if let end, ContinuousClock.now >= end, figures.schedules >= floor { break }
      let seed = seed &+ figures.schedules
      figures.schedules += 1
      guard let wrong = failure(seed: seed, into: &figures) else { continue }
      figures.wrong += 1
      claims[wrong.claim, default: 0] += 1
      if firstWrong == nil {
        firstWrong = seed
        report(wrong, seed: seed)
      } else if figures.wrong <= 20 {
        print("seed \(seed): \(wrong.claim)")
      }
    }
    for claim in claims.sorted(by: { $0.value > $1.value }) {
      print("\(claim.value) times: \(claim.key)")
    }
    print("sync trials: \(figures.line)")
    guard let firstWrong else { return 0 }
    let binary = getenv("BINARY").map { "BINARY=\(String(cString: $0)) " } ?? ""
    print("again: \(binary)Scripts/sync-trials.sh trace --seed \(firstWrong)")
    return 1
  }

  /// Returns what is wrong with a schedule, or nil.
  static func failure(seed: UInt64, into figures: inout Figures) -> Wrong? {
    do {
      let world = try World(seed: seed, isTraced: false)
      try world.run()
      figures.add(world)
      return nil
    } catch let wrong as Wrong {
      return wrong
    } catch {
      return Wrong("an error was thrown", "\(error)")
    }
  }

  /// Prints all steps of a schedule.
  static func trace(seed: UInt64) -> Int32 {
    steps(seed: seed).forEach { print($0) }
    var figures = Figures()
    guard let wrong = failure(seed: seed, into: &figures) else { return 0 }
    print("seed \(seed): \(wrong.claim): \(brief(wrong.details))")
    return 1
  }

  private static func report(_ wrong: Wrong, seed: UInt64) {
    print("seed \(seed): \(wrong.claim): \(brief(wrong.details))")
    let all = steps(seed: seed)
    print("the last 12 of \(all.count) steps; 'SyncTrials trace --seed \(seed)' prints all:")
    all.suffix(12).forEach { print("  \($0)") }
  }

  private static func steps(seed: UInt64) -> [String] {
    guard let world = try? World(seed: seed, isTraced: true) else { return [] }
    try? world.run()
    return world.trace
  }
}
