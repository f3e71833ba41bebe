import Foundation
import ObjectBox

/// The state that a store must have after its writers were killed, as far as they reported it.
struct ExpectedState {
  /// The object that an ID was assigned to.
  private struct Identity: Equatable {
    var worker: Int
    var slot: Int
    /// The step that put the object first.
    var birth: Int
  }

  let seed: Int
  private var planned: [Int: PlannedState] = [:]
  private var acknowledged: [Int: Int] = [:]
  private var owners: [Id: Identity] = [:]
  /// The newest model generation under which a process began to open the store.
  private(set) var generation = 0
  private(set) var acknowledgements = 0

  init(seed: Int) { self.seed = seed }

  /// Records a line of a process; returns a fault that the line reveals.
  mutating func note(_ line: String) -> String? {
    let parts = line.split(separator: " ")
    switch parts.first {
    case "g": generation = max(generation, Int(parts[1]) ?? 0)
    case "a":
      guard parts.count > 2, let worker = Int(parts[1]), let step = Int(parts[2]) else {
        return line
      }
      acknowledged[worker] = step
      acknowledgements += 1
      for pair in parts.count > 3 ? parts[3].split(separator: ",") : [] {
        let numbers = pair.split(separator: ":").compactMap { UInt64($0) }
        let identity = Identity(worker: worker, slot: Int(numbers[0]), birth: step)
        if let fault = own(numbers[1], identity) { return fault }
      }
    case "ready", "done": break
    default: return "a process told: \(line)"
    }
    return nil
  }

  private mutating func own(_ id: Id, _ identity: Identity) -> String? {
    guard let owner = owners.updateValue(identity, forKey: id), owner != identity else {
      return nil
    }
    return "the ID \(id) of \(owner) was given again, to \(identity)"
  }

  /// The last acknowledged step of each worker.
  var steps: [Int: Int] { acknowledged }

  /// Computes the states after the acknowledged steps, so that copies need not.
  mutating func settle() {
    for (worker, step) in acknowledged {
      planned[worker, default: PlannedState(Workload.plan(worker: worker, seed: seed))].advance(
        to: step
      )
    }
  }

  /// Compares an open store with the acknowledgements; returns the first fault.
  ///
  /// Each worker's objects must be those after its last acknowledged step, or after a later step
  /// that it had begun.
  mutating func fault(in store: Store) throws -> String? {
    let items = try store.box(for: Item.self).all()
    if Set(items.map(\.id)).count != items.count { return "an ID is there twice" }
    let groups = Dictionary(grouping: items) { Int($0.worker) }
    for worker in Set(groups.keys).union(acknowledged.keys).union(planned.keys).sorted() {
      if let fault = fault(worker, groups[worker] ?? []) { return "worker \(worker): \(fault)" }
    }
    return nil
  }

  private mutating func fault(_ worker: Int, _ items: [Item]) -> String? {
    guard worker / 100 < Workload.all.count else { return "there is no such worker" }
    let plan = Workload.plan(worker: worker, seed: seed)
    var state = planned[worker] ?? PlannedState(plan)
    let step = Int(items.map(\.step).max() ?? 0)
    let least = max(acknowledged[worker] ?? 0, state.step)
    if step < least { return "step \(least) was stored, the store is at \(step)" }
    let begun = least + Workload.all[worker / 100].inFlight
    if step > begun { return "the store is at step \(step), which had not begun after \(least)" }
    state.advance(to: step)
    if let difference = state.difference(from: items) { return difference }
    for item in items {
      guard let entry = state.slots[Int(item.slot)] else { continue }
      let identity = Identity(worker: worker, slot: Int(item.slot), birth: entry.birth)
      if let fault = own(item.id, identity) { return fault }
    }
    planned[worker] = state
    acknowledged[worker] = step
    return nil
  }
}
