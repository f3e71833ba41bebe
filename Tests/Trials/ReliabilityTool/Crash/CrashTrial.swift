import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// Kills writing processes at random times, and compares the store with their acknowledgements.
enum CrashTrial: Trial {
  static let name = "crash"
  static let share: Double? = 3
  static let floor = 4
  /// Rounds per store.
  private static let roundsOfStore = 8

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var report = TrialReport()
    var run = CrashRun(options: options)
    let rounds = options.count(long: 500, timed: 100_000)
    // A part is the number of a store; only its rounds are run.
    for number in options.numbers((rounds - 1) / roundsOfStore + 1) {
      if options.deadline.isOver(after: run.rounds) { break }
      let first = number * roundsOfStore
      let last = min(rounds, first + roundsOfStore)
      if let fault = try run.runStore(number, first..<last) {
        report.add(
          "store \(number): \(fault)",
          repeatedBy: Repetition.trial(
            "--seed \(options.seed) --part \(number) --count \(last) crash"
          )
        )
      }
    }
    report.count = run.rounds
    report.figures = run.figures
    return report
  }
}

/// The rounds of a crash trial, and their figures.
private struct CrashRun {
  let options: TrialOptions
  private(set) var rounds = 0
  private var kills = 0
  private var pairs = 0
  private var acknowledgements = 0
  private var early = 0
  private var backups = 0
  private var workloads: Set<Int> = []

  init(options: TrialOptions) { self.options = options }

  var figures: String {
    "\(rounds) rounds of \(workloads.count) workloads, \(kills) processes killed, \(early) before the store "
      + "was open, \(pairs) rounds with two processes, \(acknowledgements) acknowledged commits, \(backups) "
      + "looks at backups"
  }

  /// Runs the rounds of one store, until a fault or the end of the time.
  mutating func runStore(_ number: Int, _ numbers: Range<Int>) throws -> String? {
    let scratch = try Scratch()
    let seed = options.seed &* 1_000_003 &+ number
    var random = SplitMix(seed: seed)
    var state = ExpectedState(seed: seed)
    defer { acknowledgements += state.acknowledgements }
    for round in numbers {
      if options.deadline.isOver(after: rounds), round > numbers.lowerBound { break }
      // Short runs, too, reach every workload, and those of the next seed begin with another.
      let workload = (options.seed + round) % Workload.all.count
      let fault = try runRound(workload, scratch["store"], &state, &random)
      rounds += 1
      if let fault {
        let place = round - numbers.lowerBound
        return "round \(place), \(Workload.all[workload].name): \(fault)"
      }
    }
    return try blindness(scratch["store"], state)
  }

  /// Checks that the trial detects a lost step and a missing index entry.
  private func blindness(_ path: String, _ state: ExpectedState) throws -> String? {
    guard let (worker, step) = state.steps.first else { return nil }
    let store = try TrialStore.open(path, generation: state.generation)
    defer { store.close() }
    var more = state
    _ = more.note("a \(worker) \(step + 1) ")
    if try more.fault(in: store) == nil { return "the trial does not notice a lost step" }
    if try store.box(for: Item.self).isEmpty() { return nil }
    store.close()
    try StoreCheck.removeEntry(of: 2, path, generation: state.generation)
    return try StoreCheck.run(path, generation: state.generation) == nil
      ? "the trial does not notice a missing entry of an index" : nil
  }

  private mutating func runRound(
    _ workload: Int,
    _ path: String,
    _ state: inout ExpectedState,
    _ random: inout SplitMix
  ) throws -> String? {
    workloads.insert(workload)
    let isShared =
      Workload.all[workload].isForProcesses && Int.random(in: 0..<4, using: &random) == 0
      && !TrialStore.isEncrypted
    let pipe = try LinePipe()
    let children = try (isShared ? [0, 1] : [nil]).map { process in
      let arguments = WriteJob.arguments(
        path,
        workload: workload,
        seed: state.seed,
        generation: state.generation,
        process: process
      )
      return try Child(arguments, to: pipe)
    }
    pipe.endWriting()
    if isShared { pairs += 1 }
    let isEarly = Int.random(in: 0..<6, using: &random) == 0
    let span = Double.random(in: 0...0.4, using: &random)
    if let fault = follow(pipe, &state, children.count, span, isEarly: isEarly) { return fault }
    // The other process continues for a while after the first kill.
    for child in children.shuffled(using: &random) {
      child.kill()
      kills += 1
      if isShared { usleep(UInt32.random(in: 0...5000, using: &random)) }
      if child.wait() != .signal(SIGKILL) { return "a process ended by itself: \(child.wait())" }
    }
    for line in pipe.lines() { if let fault = state.note(line) { return fault } }
    let backup = try BackupCheck.fault(beside: path)
    backups += backup.count
    return try backup.fault ?? check(path, &state)
  }

  /// Reads the reports of the processes until it is time to kill them.
  private mutating func follow(
    _ pipe: LinePipe,
    _ state: inout ExpectedState,
    _ count: Int,
    _ span: Double,
    isEarly: Bool
  ) -> String? {
    var deadline = Clock.now + (isEarly ? span / 2 : 60)
    var opened = 0
    if isEarly { early += 1 }
    while true {
      switch pipe.next(until: deadline) {
      case .timeout:
        return isEarly || opened == count ? nil : "no process opened the store in a minute"
      case .end: return "the processes ended"
      case .line(let line):
        if line == "ready" {
          opened += 1
          if opened == count && !isEarly { deadline = Clock.now + span }
        }
        if let fault = state.note(line) { return fault }
      }
    }
  }

  /// Checks the store as it was left, and after opening it.
  private func check(_ path: String, _ state: inout ExpectedState) throws -> String? {
    let newest = state.generation
    var generations = [newest]
    // A kill may have come before the upgrade was stored.
    if newest > 0 { generations.append(newest - 1) }
    let found = generations.first { generation in
      (try? TrialStore.open(path, generation: generation) { $0.readOnly = true })?.close() != nil
    }
    if let found, let fault = try StoreCheck.run(path, generation: found) {
      return "as it was left, under model \(found): \(fault)"
    }
    if found == nil && !state.steps.isEmpty {
      return "it opens neither under model \(newest) nor under the one before"
    }
    let store = try TrialStore.open(path, generation: newest)
    defer { store.close() }
    if let fault = try state.fault(in: store) { return fault }
    return try StoreCheck.close(store)
  }
}
