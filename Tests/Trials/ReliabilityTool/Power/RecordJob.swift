import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// Makes a store and runs steps of some workloads on it, while the shim records file calls.
///
/// Each workload has an opening of its own, and the first one a further opening. The log also gets the
/// lines that ``WriteJob`` reports, as marks.
struct RecordJob {
  private let directory: String
  private let seed: Int
  private let steps: Int
  /// True for a disk of which some syncs fail, and that forgets what they leave.
  private let forgets: Bool
  private var generation = 0
  private var random: SplitMix

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    var job = RecordJob(
      directory: arguments[0],
      seed: numbers[0],
      steps: numbers[1],
      forgets: numbers[2] == 1,
      random: SplitMix(seed: numbers[0])
    )
    for workload in numbers.dropFirst(3) + [numbers[3]] { try job.run(workload) }
    ShimLibrary.mark("done")
  }

  /// Opens the store, and runs a workload up to its end or a failing sync.
  private mutating func run(_ number: Int) throws {
    let workload = Workload.all[number]
    // Of steps that are in flight together, later ones may be stored without the one that failed.
    let fails = forgets && workload.inFlight == 1
    let isEarly = fails && Int.random(in: 0..<4, using: &random) == 0
    if isEarly { arm(1...6) }
    let session = try open()
    if fails, !isEarly { arm(1...12) }
    try noteShown(session)
    let group = DispatchGroup()
    for thread in 0..<workload.threads {
      group.enter()
      Thread { [seed, steps] in
        do {
          let plan = Workload.plan(workload: number, thread: thread, seed: seed)
          let worker = try Worker(plan, session, inFlight: workload.inFlight)
          for _ in 0..<max(1, steps / workload.threads) { try workload.perform(worker) }
          worker.waitForAll(workload.inFlight)
        } catch {
          if !(fails && error is ObjectBoxError) { tell("error \(error)") }
        }
        group.leave()
      }.start()
    }
    group.wait()
    ShimLibrary.stopFailing()
    session.store.close()
    generation = session.generation
  }

  /// Lets a sync fail, or a synced write; seldom two in a row.
  private mutating func arm(_ calls: ClosedRange<Int>) {
    let isHead = !TrialStore.isEncrypted && Int.random(in: 0..<3, using: &random) == 0
    ShimLibrary.fail(
      isHead ? "head" : "sync",
      first: Int.random(in: calls, using: &random),
      count: Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1,
      code: isHead ? FaultRow.forgotten : EIO
    )
  }

  /// Opens the store; once more if a failing sync has refused it.
  private func open() throws -> Session {
    let mark = ShimLibrary.mark
    let failure: @Sendable (String) -> Void = { line in
      mark(line)
      if line.hasPrefix("error") { tell(line) }
    }
    mark("g \(generation)")
    func open() throws -> Session {
      try Session(directory, generation: generation, isShared: false, tell: failure)
    }
    do { return try open() } catch let error as ObjectBoxError {
      guard forgets else { throw error }
      ShimLibrary.stopFailing()
      return try open()
    }
  }

  /// Reports the steps that the opening shows, of which a failed commit may be one.
  private func noteShown(_ session: Session) throws {
    let items = try session.store.box(for: Item.self).all()
    for (worker, items) in Dictionary(grouping: items, by: \.worker) {
      ShimLibrary.mark("a \(worker) \(items.map(\.step).max() ?? 0) ")
    }
  }
}

extension Worker {
  /// Waits for all submitted writes.
  fileprivate func waitForAll(_ inFlight: Int) {
    for _ in 0..<inFlight { free.wait() }
    for _ in 0..<inFlight { free.signal() }
  }
}
