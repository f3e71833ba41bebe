import ObjectBoxSyncProtocol
import Testing

struct ChangedRangesTests {
  private func key(_ entity: UInt64, _ id: UInt64) -> ObjectKey {
    ObjectKey(entity: EntityUID(entity), id: id)
  }

  private func range(_ entity: UInt64, _ ids: ClosedRange<UInt64>) -> KeyRange {
    KeyRange(EntityUID(entity), ids)
  }

  @Test func `few keys become ranges without others`() {
    var ranges = ChangedRanges(limit: 10)
    for id in [5, 3, 4, 9, 5] as [UInt64] { ranges.insert(key(1, id)) }
    ranges.insert(key(2, 4))
    let found = ranges.finish()
    #expect(found.ranges == [range(1, 3...5), range(1, 9...9), range(2, 4...4)])
    #expect(found.size == 0)
  }

  @Test func `too many ranges are joined where the gaps are smallest`() {
    var ranges = ChangedRanges(limit: 4)
    for id in [10, 12, 14, 50, 53, 200] as [UInt64] { ranges.insert(key(1, id)) }
    let found = ranges.finish()
    #expect(found.ranges == [range(1, 10...53), range(1, 200...200)])
    #expect(found.size > 0)
  }

  @Test(arguments: [1, 3, 64, 1_000])
  func `the ranges have all keys, and their number has a limit`(limit: Int) {
    var ranges = ChangedRanges(limit: limit)
    var keys: Set<ObjectKey> = []
    var id: UInt64 = 1
    for step in 0..<5_000 as Range<UInt64> {
      id = (id &* 6_364_136_223_846_793_005 &+ step) % 100_000 + 1
      keys.insert(key(step % 3, id))
      ranges.insert(key(step % 3, id))
    }
    let found = ranges.finish().ranges
    #expect(found.count <= max(limit, 3))
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.begins(before: $1) })
    #expect(keys.allSatisfy { key in found.contains { $0.contains(key) } })
    // Each end is a key.
    #expect(
      found.allSatisfy {
        keys.contains(ObjectKey(entity: $0.entity, id: $0.ids.lowerBound))
          && keys.contains(ObjectKey(entity: $0.entity, id: $0.ids.upperBound))
      }
    )
  }
}
