import Dispatch
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Scans that several threads share; run under the thread sanitizer as well.
struct ParallelScanConcurrencyTests {
  @Test func `several threads find what one thread finds in a range, in the same order`() throws {
    let store = try ParallelScanStore()
    try store.expectSame(try store.samples.query { Sample.number ∈ 100...299 }.build())
  }

  @Test func `threads that scan beside a writer each see one version`() throws {
    let world = try ParallelScanStore().world
    let (store, samples) = (world.store, world.samples)
    let expected = try samples.query { Sample.number == 7 }.build().count()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        let query = try samples.query { Sample.number == 7 }.build()
        for round in 0..<3 {
          if thread == 0 {
            // Adds one result and removes a distant one.
            try store.runInTransaction {
              let last = try #require(try query.findIds().last)
              let sample = Sample()
              sample.number = 7
              try samples.put(sample)
              try samples.remove([last])
            }
          } else {
            #expect(try query.count() == expected, "\(round)")
            #expect(try query.find().count == expected, "\(round)")
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    withExtendedLifetime(world) {}
  }
}
