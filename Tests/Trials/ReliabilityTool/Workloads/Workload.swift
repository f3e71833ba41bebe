import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive

/// A way of writing; a child process repeats `perform` until it is killed.
struct Workload: Sendable {
  let name: String
  /// The number of writing threads, each with its own worker.
  var threads = 1
  /// The number of steps that a worker may begin before the first is acknowledged.
  var inFlight = 1
  var shape = Shape.onePut
  /// Whether several processes may run it on one store.
  var isForProcesses = true
  /// Does at least one step, and acknowledges it.
  let perform: @Sendable (Worker) throws -> Void

  /// All workloads.
  ///
  /// A worker's number is 100 times the workload's number, plus the thread's number.
  static let all: [Workload] = [
    Workload(name: "single puts") { try $0.putOne() },
    Workload(name: "bulk puts", shape: Shape(puts: 10...60, slots: 150)) { worker in
      let step = worker.next()
      let items = worker.items(step)
      try worker.box.put(items)
      worker.finish(step, items)
    },
    Workload(name: "transactions", shape: Shape(puts: 1...8, removals: 0...4)) {
      try $0.transact()
    },
    Workload(name: "gathered puts", threads: 4) { try $0.putOne() },
    Workload(
      name: "group commits",
      threads: 3,
      inFlight: 8,
      shape: Shape(puts: 1...4, removals: 0...2)
    ) { $0.schedule() },
    Workload(name: "asynchronous puts", inFlight: 30) { worker in
      for _ in 0..<30 {
        let step = worker.next()
        let items = worker.items(step)
        try worker.box.async.put(items[0])
        worker.finish(step, items, isStored: false)
      }
      guard worker.store.awaitAsyncSubmitted() else { throw WorkloadFault.notWritten }
      worker.acknowledge()
    },
    Workload(name: "removals", shape: Shape(puts: 1...30, removals: 10...40, slots: 80)) {
      try $0.transact()
    },
    Workload(name: "reopening", shape: Shape(puts: 1...20, removals: 0...5), isForProcesses: false)
    {
      try $0.transact()
      try $0.session.reopen(upgrading: false)
    },
    Workload(name: "upgrades", shape: Shape(puts: 1...40, slots: 80), isForProcesses: false) {
      try $0.transact()
      try $0.session.reopen(upgrading: true)
    },
    Workload(name: "compactions", shape: Shape(puts: 1...20, removals: 0...20, slots: 80)) {
      try $0.transact()
      do { try $0.store.compact() } catch ObjectBoxError.illegalState(let message)
        where message.contains("has it open")
      {
        // The other process of the round has it open.
      } catch ObjectBoxError.illegalState(let message)
        where TrialStore.isEncrypted && message.contains("not built yet")
      {
        // Encrypted stores are not compacted.
      }
    },
    Workload(name: "backups", shape: Shape(puts: 1...8, removals: 0...4)) {
      try $0.transact()
      try $0.backUp()
    },
  ]

  /// Returns the plan of a workload's thread.
  static func plan(workload: Int, thread: Int, seed: Int) -> Plan {
    Plan(seed: seed, worker: workload * 100 + thread, shape: all[workload].shape)
  }

  /// Returns the plan of a worker.
  static func plan(worker: Int, seed: Int) -> Plan {
    plan(workload: worker / 100, thread: worker % 100, seed: seed)
  }
}

/// A fault of a workload that has no error of its own.
enum WorkloadFault: Error {
  case notWritten
}

extension Worker {
  /// Puts one object.
  func putOne() throws {
    let step = next()
    let items = items(step)
    try box.put(items[0])
    finish(step, items)
  }

  /// Puts and removes objects in one transaction.
  func transact() throws {
    let step = next()
    let items = items(step)
    let removals = removals(step)
    try store.write { transaction in
      for id in removals { try transaction.remove(EntityId<Item>(id)) }
      try transaction.put(items)
    }
    finish(step, items)
  }

  /// Backs the store up, and replaces the previous backup.
  func backUp() throws {
    let path = BackupCheck.path(of: session.directory, worker: plan.worker)
    // First the file that makes it a backup: a kill may leave any of the others.
    try? FileManager.default.removeItem(atPath: path + "/" + TrialStore.mainFile)
    try? FileManager.default.removeItem(atPath: path)
    try store.backup(to: path)
  }

  /// Submits a transaction that may share a commit; finds its objects by key.
  func schedule() {
    free.wait()
    let step = next()
    let (number, plan, tell, free) = (self.step, plan, session.tell, free)
    store.writeAsync(
      on: queue,
      isGroupingAllowed: true,
      { transaction in
        for slot in step.removals {
          if let id = try transaction.id(slot: slot, of: plan) { try transaction.remove(id) }
        }
        for slot in step.puts {
          let item = plan.item(slot: slot, step: number)
          item.id = try transaction.id(slot: slot, of: plan)?.value ?? 0
          try transaction.put(item)
        }
      },
      onComplete: { error in
        tell(error.map { "error \($0)" } ?? "a \(plan.worker) \(number) ")
        free.signal()
      }
    )
  }
}

extension WriteTransaction {
  /// Finds the object of a slot.
  fileprivate func id(slot: Int, of plan: Plan) throws -> EntityId<Item>? {
    let key = Plan.key(worker: plan.worker, slot: slot)
    return try query(Item.self) { Item.key == key }.findIds().first
  }
}
