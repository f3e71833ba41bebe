import Foundation
import ObjectBox
import Synchronization

/// The open store of a child process.
///
/// Its workers share it. Only single-threaded workloads reopen it.
final class Session: Sendable {
  private struct State {
    var store: Store
    var generation: Int
  }

  let directory: String
  private let isShared: Bool
  private let state: Mutex<State>
  /// Called with a generation before the store opens under its model, and with stored steps.
  let tell: @Sendable (String) -> Void

  var store: Store { state.withLock { $0.store } }
  /// The number of the model that the store was last opened under.
  var generation: Int { state.withLock { $0.generation } }

  init(
    _ directory: String,
    generation: Int,
    isShared: Bool,
    tell: @escaping @Sendable (String) -> Void
  ) throws {
    self.directory = directory
    self.isShared = isShared
    self.tell = tell
    let store = try Self.open(directory, generation, isShared)
    state = Mutex(State(store: store, generation: generation))
  }

  /// Shares a store that is open under the first model.
  init(_ store: Store, directory: String) {
    self.directory = directory
    isShared = false
    tell = { _ in }
    state = Mutex(State(store: store, generation: 0))
  }

  private static func open(_ path: String, _ generation: Int, _ isShared: Bool) throws -> Store {
    try TrialStore.open(path, generation: generation) { $0.isSharedWithOtherProcesses = isShared }
  }

  /// Closes the store, and opens it under the same or the next model.
  func reopen(upgrading: Bool) throws {
    try state.withLock { state in
      state.store.close()
      if upgrading { state.generation += 1 }
      tell("g \(state.generation)")
      state.store = try Self.open(directory, state.generation, isShared)
    }
  }
}

/// A writer of one workload, which continues after its last stored step; not thread-safe.
final class Worker {
  let plan: Plan
  let session: Session
  private(set) var step: Int
  private var ids: [Int: Id] = [:]
  let queue = SerialQueue(label: "worker")
  let free: DispatchSemaphore

  var store: Store { session.store }
  var box: Box<Item> { store.box(for: Item.self) }

  init(_ plan: Plan, _ session: Session, inFlight: Int) throws {
    self.plan = plan
    self.session = session
    free = DispatchSemaphore(value: inFlight)
    let number = Int32(plan.worker)
    let items = try session.store.box(for: Item.self).query { Item.worker == number }.build().find()
    step = Int(items.map(\.step).max() ?? 0)
    for item in items { ids[Int(item.slot)] = item.id }
  }

  /// Begins the next step.
  func next() -> Plan.Step {
    step += 1
    return plan.step(step)
  }

  /// Makes the objects that a step puts, with the IDs of existing ones.
  func items(_ step: Plan.Step) -> [Item] {
    step.puts.map { slot in
      let item = plan.item(slot: slot, step: self.step)
      item.id = ids[slot] ?? 0
      return item
    }
  }

  /// Returns the IDs of the objects that a step removes.
  func removals(_ step: Plan.Step) -> [Id] { step.removals.compactMap { ids[$0] } }

  /// Records the IDs of a step, and acknowledges it if it is stored.
  func finish(_ step: Plan.Step, _ items: [Item], isStored: Bool = true) {
    var new: [String] = []
    for slot in step.removals { ids[slot] = nil }
    for (slot, item) in zip(step.puts, items) where ids.updateValue(item.id, forKey: slot) == nil {
      new.append("\(slot):\(item.id)")
    }
    if isStored { acknowledge(new.joined(separator: ",")) }
  }

  /// Reports that all steps so far are stored, with the IDs of new objects.
  func acknowledge(_ new: String = "") { session.tell("a \(plan.worker) \(step) \(new)") }
}
