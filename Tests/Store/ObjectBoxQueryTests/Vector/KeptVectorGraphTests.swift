import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Write transactions that reuse the previous transaction's graph.
struct KeptVectorGraphTests {
  private struct Stop: Error {}

  private let sights: SightStore
  private var box: Box<Sight> { sights.box }

  init() throws {
    sights = try SightStore(SightIndex(dimensions: 3, neighborsPerNode: 5))
  }

  /// Checks the graph in the file as a read transaction finds it, and its objects.
  private func expectWhole(_ ids: Set<Id>, _ comment: Comment) throws {
    #expect(try box.vectorIndexFaults() == [], comment)
    #expect(try Set(sights.nearest(to: [0, 0, 0], 1000)) == ids, comment)
  }

  private func rollBack(_ body: () throws -> Void) {
    #expect(throws: Stop.self) {
      try sights.store.runInTransaction {
        try body()
        throw Stop()
      }
    }
  }

  @Test(arguments: 1...4)
  func `single writes and rollbacks in any order leave a whole graph`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    var living: Set<Id> = []
    for step in 0..<120 {
      let known = living.sorted()
      let some = known.isEmpty ? 0 : random.pick(known)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where some != 0:
        try box.remove(some)
        living.remove(some)
      case 1 where some != 0:
        let moved = Sight(random.vector(3))
        moved.id = some
        try box.put(moved)
      case 2:
        let vector = random.vector(3)
        rollBack {
          try box.put(Sight(vector))
          if some != 0 { try box.remove(some) }
        }
      default: living.insert(try box.put(Sight(random.vector(3))))
      }
      if step % 10 == 0 { try expectWhole(living, "step \(step)") }
    }
    try expectWhole(living, "at the end")
  }

  @Test func `a removal of all, committed or not, is known to the next write`() throws {
    let first = try (0..<40).map { try box.put(Sight([Float($0), 0, 1])) }
    rollBack { try box.removeAll() }
    let next = try box.put(Sight([7, 0, 2]))
    try expectWhole(Set(first + [next]), "after a rollback")
    try box.removeAll()
    let last = try box.put(Sight([8, 0, 2]))
    try expectWhole([last], "after a removal")
    try sights.store.runInTransaction {
      try box.put(Sight([9, 0, 2]))
      try box.removeAll()
    }
    try expectWhole([try box.put(Sight([10, 0, 2]))], "after a put and a removal")
  }

  @Test func `writes of other threads and asynchronous ones are known to the next write`()
    async throws
  {
    let store = sights.store
    for round in 0..<8 {
      try box.put(Sight([Float(round), 1, 0]))
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        _ = try? store.box(for: Sight.self).put(Sight([Float(round), 2, Float(number)]))
      }
      try await store.write { try $0.put(Sight([Float(round), 3, 0])) }
      try sights.store.runInTransaction { try box.put(Sight([Float(round), 4, 0])) }
      try expectWhole(Set(1...Id(7 * (round + 1))), "round \(round)")
    }
  }

  @Test func `a part that is undone alone is not known to the next write`() throws {
    try box.put((0..<30).map { Sight([Float($0), 0, 0]) })
    try box.put(Sight([1, 1, 1]))
    try sights.store.write { _ in
      try box.put(Sight([2, 1, 1]))
      _ = try? sights.store.runInTransaction {
        try box.put(Sight([3, 1, 1]))
        throw Stop()
      }
      try box.put(Sight([4, 1, 1]))
    }
    let last = try box.put(Sight([5, 1, 1]))
    let ids = Set(try box.all().map(\.id))
    #expect(ids.count == 34 && ids.contains(last))
    try expectWhole(ids, "after a part was undone")
  }
}
