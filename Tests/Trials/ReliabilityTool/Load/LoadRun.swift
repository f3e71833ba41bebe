import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxTestSupport
import Synchronization

/// Readers, writers, observers, snapshots, live views, openings and closings on one store, for a
/// time.
///
/// Every write adds 1 to a register and to the sum register, so each version has a known sum. The
/// run reports `finding …` and `figures …`.
final class LoadRun: Sendable {
  /// The registers have the IDs from 1; the sum register follows them.
  private static let registers: Id = 8
  private static let sum: Id = registers + 1
  private static let items = 400

  private struct Counts {
    var increments: [Id: Int64] = [:]
    var reads = 0
    var writes = 0
    var snapshots = 0
    var refreshes = 0
    var notifications = 0
    var openings = 0
    /// The most commits during which a version was held.
    var longestHold = 0
  }

  private let store: Store
  private let path: String
  private let seed: Int
  private let end: Double
  private let counts = Mutex(Counts())

  init(_ path: String, seconds: Double, seed: Int) throws {
    self.path = path
    self.seed = seed
    store = try TrialStore.open(path)
    try store.box(for: Register.self).put((1...Self.sum).map { _ in Register() })
    end = Clock.now + seconds
  }

  private var isRunning: Bool { Clock.now < end }

  // MARK: Checking

  /// Reports a version whose sum is wrong.
  private func check(_ registers: [Register], _ where: String) {
    check(registers.values, `where`)
  }

  private func check(_ values: [Id: Int64], _ where: String) {
    let sum = (1...Self.registers).reduce(0) { $0 + (values[$1] ?? 0) }
    if sum != values[Self.sum] {
      tell("finding \(`where`) saw a sum of \(values[Self.sum] ?? -1) for registers of \(sum)")
    }
  }

  // MARK: Writing

  private static func write(_ number: Id, _ item: Item, in transaction: WriteTransaction) throws {
    for id in [number, sum] {
      try transaction.modify(EntityId<Register>(id)) { $0.value += 1 }
    }
    let key = item.key
    if let old = try transaction.query(Item.self, { Item.key == key }).findIds().first {
      // Sometimes removes an object, so that IDs and free pages change.
      if item.step % 3 == 0 {
        try transaction.remove(old)
        return
      }
      item.id = old.value
    }
    try transaction.put(item)
  }

  private func note(_ number: Id) {
    counts.withLock {
      $0.increments[number, default: 0] += 1
      $0.writes += 1
    }
  }

  private func random(_ actor: Int) -> SplitMix { SplitMix(seed: seed &* 997 &+ actor) }

  private static func choice(_ random: inout SplitMix, _ step: Int, _ actor: Int) -> (Id, Item) {
    let plan = Plan(seed: 1, worker: actor, shape: Shape(puts: 1...1))
    let slot = Int.random(in: 0..<items / 4, using: &random)
    return (Id.random(in: 1...registers, using: &random), plan.item(slot: slot, step: step))
  }

  private func writeOnThread(_ actor: Int) throws {
    var (random, step) = (random(actor), 0)
    while isRunning {
      step += 1
      let (number, item) = Self.choice(&random, step, actor)
      try store.write { try Self.write(number, item, in: $0) }
      note(number)
    }
  }

  private func writeInTask(_ actor: Int) async throws {
    var (random, step) = (random(actor), 0)
    while isRunning {
      step += 1
      let (number, item) = Self.choice(&random, step, actor)
      try await store.write { try Self.write(number, item, in: $0) }
      note(number)
    }
  }

  private func writeInGroups(_ actor: Int) {
    var (random, step) = (random(actor), 0)
    let queue = SerialQueue(label: "load")
    let free = DispatchSemaphore(value: 10)
    while isRunning {
      free.wait()
      step += 1
      let (number, item) = Self.choice(&random, step, actor)
      let (slot, round) = (Int(item.slot), step)
      store.writeAsync(
        on: queue,
        isGroupingAllowed: true,
        { transaction in
          let plan = Plan(seed: 1, worker: actor, shape: .onePut)
          try Self.write(number, plan.item(slot: slot, step: round), in: transaction)
        },
        onComplete: { [self] error in
          if let error { tell("finding a write of a group: \(error)") } else { note(number) }
          free.signal()
        }
      )
    }
    for _ in 0..<10 { free.wait() }
    for _ in 0..<10 { free.signal() }
  }

  // MARK: Reading

  /// Raises `longestHold` to the number of commits since the given one.
  private func noteHold(since commits: Int) throws {
    let now = try store.statistics.commits
    counts.withLock { $0.longestHold = max($0.longestHold, now - commits) }
  }

  private func read(_ actor: Int) throws {
    while isRunning {
      let commits = try store.statistics.commits
      try store.read { transaction in
        check(try transaction.all(Register.self), "a read")
        if actor.isMultiple(of: 2) { _ = try transaction.all(Item.self) }
      }
      try noteHold(since: commits)
      counts.withLock { $0.reads += 1 }
    }
  }

  private func holdSnapshots(_ actor: Int) throws {
    var random = random(actor)
    while isRunning {
      let commits = try store.statistics.commits
      let snapshot = try store.freeze()
      let first = try snapshot.query(Register.self).find()
      usleep(UInt32.random(in: 0...30_000, using: &random))
      let second = try snapshot.query(Register.self).find()
      check(first, "a snapshot")
      try noteHold(since: commits)
      if first.map(\.value) != second.map(\.value) { tell("finding a snapshot has changed") }
      counts.withLock { $0.snapshots += 1 }
    }
  }

  private func followLive() async throws {
    let follower = LoadFollower()
    var commits = try store.statistics.commits
    while isRunning {
      try noteHold(since: commits)
      commits = try store.statistics.commits
      let registers = try await follower.registers(of: store)
      check(registers, "a live view")
      counts.withLock { $0.refreshes += 1 }
    }
    await follower.end()
  }

  /// Opens and closes another instance of the store, and another store.
  private func openAndClose() throws {
    var round = 0
    while isRunning {
      round += 1
      let copy = round.isMultiple(of: 2) ? try store.clone() : try Store.attachTo(directory: path)
      check(try copy.box(for: Register.self).all(), "another instance")
      copy.close()
      let own = try TrialStore.open(path + "-\(round % 3)")
      try own.box(for: Register.self).put(Register(Int64(round)))
      if round % 5 == 0 { try own.closeAndDeleteAllFiles() } else { own.close() }
      counts.withLock { $0.openings += 2 }
    }
  }

  // MARK: Running

  /// Runs everything until the time is over, then compares the registers with the writes.
  func run() throws {
    let before = ProcessFigures.now
    let group = DispatchGroup()
    func thread(_ name: String, _ work: @escaping @Sendable () throws -> Void) {
      group.enter()
      Thread {
        do { try work() } catch { tell("finding \(name): \(error)") }
        group.leave()
      }.start()
    }
    func task(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
      group.enter()
      Task {
        do { try await work() } catch { tell("finding \(name): \(error)") }
        group.leave()
      }
    }
    let queue = SerialQueue(label: "observers")
    let tokens = [
      try store.observe(on: queue) { [self] _ in counts.withLock { $0.notifications += 1 } },
      try store.box(for: Item.self).query { Item.step > 5 }.build().observe(on: queue) { [self] _ in
        counts.withLock { $0.notifications += 1 }
      },
    ]
    for actor in 0..<2 { thread("a writer") { [self] in try writeOnThread(actor) } }
    task("a task that writes") { [self] in try await writeInTask(2) }
    thread("a writer of groups") { [self] in writeInGroups(3) }
    for actor in 4..<12 { thread("a reader") { [self] in try read(actor) } }
    for actor in 12..<14 { thread("a holder of snapshots") { [self] in try holdSnapshots(actor) } }
    task("a live view") { [self] in try await followLive() }
    thread("an opener") { [self] in try openAndClose() }
    var samples: [Sample] = []
    while isRunning {
      Thread.sleep(forTimeInterval: 0.2)
      samples.append(try Sample(store))
    }
    group.wait()
    for token in tokens { token.invalidate() }
    queue.dispatchQueue.sync {}
    try finish(samples, before)
  }

  private func finish(_ samples: [Sample], _ before: ProcessFigures) throws {
    check(try store.box(for: Register.self).all(), "the last read")
    let counts = counts.withLock { $0 }
    for register in try store.box(for: Register.self).all() where register.id != Self.sum {
      let expected = counts.increments[register.id] ?? 0
      if register.value != expected {
        tell("finding register \(register.id) is \(register.value) after \(expected) increments")
      }
    }
    if !store.activeVersions.isEmpty {
      tell("finding versions are still held: \(store.activeVersions)")
    }
    store.close()
    let after = ProcessFigures.now
    for text in Sample.faults(samples, longestHold: counts.longestHold) { tell("finding \(text)") }
    if after.descriptors > before.descriptors {
      tell(
        "finding \(after.descriptors) descriptors are open, before the run \(before.descriptors)"
      )
    }
    tell(
      "figures \(counts.writes) writes, \(counts.reads) reads, \(counts.snapshots) snapshots, "
        + "\(counts.refreshes) reads of a live view, \(counts.notifications) notifications, "
        + "\(counts.openings) openings; \(counts.longestHold) commits while a version was held; "
        + "\(Sample.figures(samples))"
    )
  }
}

extension [Register] {
  /// The values by ID.
  fileprivate var values: [Id: Int64] {
    Dictionary(uniqueKeysWithValues: map { ($0.id, $0.value) })
  }
}

/// An actor with a live view.
private actor LoadFollower {
  private var live: LiveStore?

  func registers(of store: Store) throws -> [Id: Int64] {
    let live = try live ?? store.live()
    self.live = live
    try live.refresh()
    return try live.query(Register.self).find().values
  }

  func end() {
    live?.invalidate()
    live = nil
  }
}

enum LoadJob {
  static func run(_ arguments: inout [String]) throws {
    guard let seconds = Double(arguments[1]), let seed = Int(arguments[2]) else {
      throw TrialError("load: no seconds and seed")
    }
    try LoadRun(arguments[0], seconds: seconds, seed: seed).run()
  }
}
