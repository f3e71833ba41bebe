import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Synchronization
import Testing

/// Run under the thread sanitizer as well.
struct VectorConcurrencyTests {
  private static func search(_ box: Box<Sight>, _ vector: [Float]) throws -> [Double] {
    try box.query { Sight.vector.nearestNeighbors(queryVector: vector, maxCount: 10) }
      .build().findIdsWithScores().map(\.score)
  }

  @Test func `threads search while another changes the index, each in its own snapshot`() throws {
    let sights = try SightStore(SightIndex(dimensions: 3, neighborsPerNode: 8))
    let store = sights.store
    var random = SplitMix(seed: 3)
    try sights.box.put((0..<1200).map { _ in Sight(random.vector(3)) })
    let faults = Atomic<Int>(0)
    let searches = Atomic<Int>(0)
    let done = Atomic<Bool>(false)
    let group = DispatchGroup()
    for number in 0..<4 {
      group.enter()
      let thread = Thread {
        var random = SplitMix(seed: number)
        let box = store.box(for: Sight.self)
        if number == 0 {
          for id in 1...60 as ClosedRange<Id> {
            _ = try? box.remove(id)
            _ = try? box.put(Sight(random.vector(3)))
          }
          done.store(true, ordering: .releasing)
        }
        repeat {
          let vector = random.vector(3)
          try? store.runInReadOnlyTransaction { () throws in
            // The second search finds the graph already in memory.
            let first = try Self.search(box, vector)
            let isSame = try Self.search(box, vector) == first
            if !isSame || first.count != 10 || first != first.sorted() {
              faults.add(1, ordering: .relaxed)
            }
            searches.add(1, ordering: .relaxed)
          }
        } while !done.load(ordering: .acquiring)
        group.leave()
      }
      thread.start()
    }
    group.wait()
    #expect(faults.load(ordering: .relaxed) == 0)
    #expect(searches.load(ordering: .relaxed) >= 4)
    #expect(try sights.box.count() == 1200)
    #expect(try sights.box.vectorIndexFaults() == [])
  }
}
