import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxTestSupport

/// Fails each system call in turn while a store is used, then checks the errors, the data, and
/// whether the store continues.
enum FaultJob {
  /// The calls that fail, one in each case.
  enum Calls {
    case range(Range<Int>)
    /// So many of all calls of the scene, at random.
    case random(Int)
  }

  static func arguments(_ row: Int, root: String, seed: Int, _ calls: Calls) -> [String] {
    let numbers =
      switch calls {
      case .range(let range): [row, seed, range.lowerBound, range.upperBound]
      case .random(let count): [row, seed, count]
      }
    return ["fault", root] + numbers.map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (row, seed) = (FaultRow.all[numbers[0]], numbers[1])
    let template = arguments[0] + "/template"
    if !FileManager.default.fileExists(atPath: template) {
      try FaultCase.makeTemplate(template, seed: seed)
    }
    let place = try PowerCase()
    /// Fails a call; returns the number of calls of the scene up to there, or of all when there
    /// are fewer.
    func run(failing call: Int) throws -> Int {
      var run = try FaultCase(row, template, arguments[0] + "/store", place, seed: seed)
      return try run.run(failing: call)
    }
    var calls: Set<Int> = []
    if numbers.count > 3 {
      calls = Set(numbers[2]..<numbers[3])
    } else {
      let count = try run(failing: .max)
      guard count > 0 else { return }
      var random = SplitMix(seed: seed &* 1009 &+ numbers[0])
      for _ in 0..<numbers[2] { calls.insert(Int.random(in: 1...count, using: &random)) }
    }
    for (done, call) in calls.sorted().enumerated() {
      if Deadline.ofProcess.isOver(after: done) { return }
      tell("c \(call)")
      // The row ends after its last call.
      guard try run(failing: call) >= call else { return }
    }
  }
}

/// One run of a scene with one fault.
private struct FaultCase {
  private let row: FaultRow
  private let path: String
  private var state: ExpectedState
  private var store: Store?
  private var failures: [any Error] = []
  private let outage: Outage
  private static let workloads = [0, 2, 1, 6]

  /// Makes the store that the scenes start from.
  static func makeTemplate(_ path: String, seed: Int) throws {
    let session = try Session(path, generation: 0, isShared: false, tell: { _ in })
    for number in workloads {
      let plan = Workload.plan(workload: number, thread: 0, seed: seed)
      let worker = try Worker(plan, session, inFlight: 1)
      for _ in 0..<3 { try Workload.all[number].perform(worker) }
    }
    session.store.close()
  }

  init(
    _ row: FaultRow,
    _ template: String,
    _ path: String,
    _ place: PowerCase,
    seed: Int
  ) throws {
    self.row = row
    self.path = path
    outage = Outage(place, seed: seed)
    state = ExpectedState(seed: seed)
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    if row.scene == .create {
      try outage.begin(with: nil)
      return
    }
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    try TrialStore.copyFiles(from: template, to: path)
    for number in Self.workloads { _ = state.note("a \(number * 100) 3 ") }
    if row.scene == .upgrade { _ = state.note("g 1") }
    state.settle()
    try outage.begin(with: path)
  }

  /// Runs the scene.
  ///
  /// - Returns: The number of calls that the scene made; fewer than the given number if it makes
  ///   fewer, so that none failed.
  mutating func run(failing number: Int) throws -> Int {
    switch row.scene {
    case .create, .open, .upgrade: break
    case .write, .compact, .backup: store = try TrialStore.open(path)
    }
    defer { store?.close() }
    let copy = path + "-copy"
    try? FileManager.default.removeItem(atPath: copy)
    ShimLibrary.fail(row.call, first: number, count: row.isLasting ? .max : 1, code: row.code)
    switch row.scene {
    case .create, .open: attempt { $0.store = try TrialStore.open($0.path) }
    case .upgrade: attempt { $0.store = try TrialStore.open($0.path, generation: 1) }
    case .write: break
    case .compact: attempt { try $0.store?.compact() }
    case .backup: attempt { _ = try $0.store?.backup(to: copy) }
    }
    switch row.scene {
    case .create, .open, .upgrade, .write: writeSteps()
    case .compact: step(0)
    case .backup: break
    }
    let calls = ShimLibrary.calls
    ShimLibrary.stopFailing()
    guard calls >= number else { return calls }
    tell("count faults")
    tell("count \(failures.isEmpty ? "unnoticed" : "told")")
    for failure in failures { check(failure) }
    if row.scene == .backup, try isHalf(copy) { finding("a backup that is not whole") }
    goOn()
    return calls
  }

  /// Returns whether a backup has its final name but is not sound.
  private func isHalf(_ copy: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: copy + "/" + TrialStore.mainFile) else {
      return false
    }
    return try TrialStore.fault(copy) != nil
  }

  private mutating func attempt(_ body: (inout FaultCase) throws -> Void) {
    do { try body(&self) } catch { failures.append(error) }
  }

  private func finding(_ kind: String, _ text: String = "") {
    let told =
      failures.isEmpty
      ? "nothing was told" : "told: " + failures.map { "\($0)" }.joined(separator: "; ")
    tell("finding \(kind)|\(row.title): \(text); \(told)")
  }

  /// Checks the error's type, and that its message names the store.
  private func check(_ failure: any Error) {
    guard let error = failure as? ObjectBoxError else { return finding("an error of another type") }
    if !error.message.contains("store") { finding("an error that does not say what happened") }
    // The commit may exist after a reopening, so the error must not deny it.
    if row.call == "head", error.message.contains("as it was before") {
      finding("a failed head write is told as if nothing had been written")
    }
  }

  /// Checks that the error of a store that must be reopened does not blame damage.
  private func check(refusal: any Error) {
    if case ObjectBoxError.fileCorrupt = refusal {
      finding("a store that has to be opened again says that it is damaged", "\(refusal)")
    } else if !(refusal is ObjectBoxError) {
      finding("an error of another type", "\(refusal)")
    }
  }

  /// Runs a step of each workload twice; a failed step is repeated.
  private mutating func writeSteps() {
    for number in Self.workloads + Self.workloads { step(number) }
  }

  private mutating func step(_ number: Int) {
    // The store could not be made or opened.
    guard let store else { return }
    let plan = Workload.plan(workload: number, thread: 0, seed: state.seed)
    attempt { run in
      let session = Session(store, directory: run.path)
      let worker = try Worker(plan, session, inFlight: 1)
      try Workload.all[number].perform(worker)
      _ = run.state.note("a \(plan.worker) \(worker.step) ")
      run.state.settle()
    }
  }

  /// Opens what a loss of power would leave now; the store goes on.
  private func losePower(_ time: String) throws {
    if let fault = try outage.fault(state) {
      finding("a loss of power \(time): \(fault.kind)", fault.text)
    }
  }

  /// Checks, without further faults, that the store is correct and continues, or refuses until
  /// reopened.
  private mutating func goOn() {
    let before = failures.count
    do {
      try losePower("after the fault")
      if let store {
        attempt { run in
          if let fault = try run.state.fault(in: store) {
            run.finding("wrong data in the open store", fault)
          }
        }
        step(0)
        if failures.count > before {
          tell("count refusing")
          for failure in failures[before...] { check(refusal: failure) }
          failures.removeLast(failures.count - before)
        }
        store.close()
      }
      let generation = row.scene == .upgrade ? 1 : 0
      let again = try TrialStore.open(path, generation: generation)
      store = again
      if let fault = try state.fault(in: again) { finding("wrong data when opened again", fault) }
      try losePower("when opened again")
      let count = failures.count
      for number in Self.workloads {
        step(number)
        try losePower("after more commits")
      }
      if failures.count > count { finding("it does not go on when opened again") }
      again.close()
      store = nil
      if let fault = try StoreCheck.run(path, generation: generation) {
        finding("parts that do not agree", fault)
      }
    } catch {
      finding("it does not open with the system well again", "\(error)")
    }
  }
}
