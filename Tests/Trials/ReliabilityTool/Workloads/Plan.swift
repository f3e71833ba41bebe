import Foundation
import ObjectBoxTestSupport

/// The numbers of puts and removals in a workload's steps.
struct Shape: Sendable {
  var puts: ClosedRange<Int>
  var removals: ClosedRange<Int> = 0...0
  /// The most objects that a worker has at a time.
  var slots = 40
  /// The range of most payload sizes in bytes.
  var payload: ClosedRange<Int> = 0...300

  static let onePut = Shape(puts: 1...1)
}

/// The writes of one worker; seed, worker and step number determine each step.
struct Plan: Sendable {
  /// The writes of one commit: slots to put, and other slots to remove.
  struct Step: Sendable {
    var puts: [Int]
    var removals: [Int]
  }

  let seed: Int
  let worker: Int
  let shape: Shape

  private func random(_ step: Int, _ slot: Int) -> SplitMix {
    var random = SplitMix(seed: seed &* 1_000_003 &+ worker)
    let base = Int(truncatingIfNeeded: random.next())
    return SplitMix(seed: base ^ (step &* 8191) ^ (slot &* 131_071))
  }

  /// Returns a step; steps count from 1.
  func step(_ number: Int) -> Step {
    var random = random(number, -1)
    var slots = Array(0..<shape.slots)
    slots.shuffle(using: &random)
    let puts = Int.random(in: shape.puts, using: &random)
    let removals = Int.random(in: shape.removals, using: &random)
    return Step(
      puts: Array(slots.prefix(puts)),
      removals: Array(slots.dropFirst(puts).prefix(removals))
    )
  }

  /// Makes the object that a step puts into a slot, without an ID.
  func item(slot: Int, step: Int) -> Item {
    var random = random(step, slot)
    let item = Item()
    item.key = Self.key(worker: worker, slot: slot)
    item.worker = Int32(worker)
    item.slot = Int32(slot)
    item.step = Int64(step)
    item.text = "text \(Int.random(in: 0..<13, using: &random))"
    var size = Int.random(in: shape.payload, using: &random)
    // Some payloads take overflow pages.
    if Int.random(in: 0..<20, using: &random) == 0 { size += 6000 }
    let byte = UInt8.random(in: 0...255, using: &random)
    item.payload = Data((0..<size).map { byte &+ UInt8(truncatingIfNeeded: $0) })
    if Int.random(in: 0..<4, using: &random) > 0 {
      item.place = (0..<Item.dimensions).map { _ in Float.random(in: -1...1, using: &random) }
    }
    return item
  }

  /// Returns the unique key of a slot.
  static func key(worker: Int, slot: Int) -> String { "\(worker)/\(slot)" }
}

/// The objects of one worker after some of its steps.
struct PlannedState: Sendable {
  /// The first and last step that put an object.
  struct Entry: Equatable, Sendable {
    var birth: Int
    var step: Int
  }

  private let plan: Plan
  private(set) var step = 0
  private(set) var slots: [Int: Entry] = [:]

  init(_ plan: Plan) { self.plan = plan }

  /// Advances to a later step.
  mutating func advance(to target: Int) {
    while step < target {
      step += 1
      let next = plan.step(step)
      for slot in next.removals { slots[slot] = nil }
      for slot in next.puts { slots[slot] = Entry(birth: slots[slot]?.birth ?? step, step: step) }
    }
  }

  /// Returns the first difference between a store's objects and the plan.
  func difference(from items: [Item]) -> String? {
    var missing = slots
    for item in items {
      let slot = Int(item.slot)
      guard let entry = missing.removeValue(forKey: slot) else {
        return "after step \(step): an object too many, \(item.key) of step \(item.step)"
      }
      if !item.hasValues(of: plan.item(slot: slot, step: entry.step)) {
        return "after step \(step): \(item.key) has values of step \(item.step), not \(entry.step)"
      }
    }
    return missing.first.map { "after step \(step): no object \(plan.worker)/\($0.key)" }
  }
}
