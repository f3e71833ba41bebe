import Dispatch
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Queries that find nothing, on several threads; run under the thread sanitizer as well.
///
/// All empty arrays are one, and the standard library's initializer by capacity writes to it.
struct EmptyResultConcurrencyTests {
  @Test func `threads that find nothing write to nothing that they share`() throws {
    let world = try SampleStore(.init())
    let samples = world.samples
    try samples.put(Sample())
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      do {
        for _ in 0..<200 {
          let query = try samples.query { Sample.number == 7 }.build()
          #expect(try query.findIds().isEmpty)
          #expect(try query.find().isEmpty)
          #expect(try query.property(Sample.number).find().isEmpty)
          #expect(try query.property(Sample.text).findStrings().isEmpty)
        }
      } catch {
        Issue.record(error)
      }
    }
    withExtendedLifetime(world) {}
  }
}
