import ObjectBoxSyncProtocol
import Testing

struct DigestBuilderTests {
  private let row = Example.row(originID: 1)

  private func range(_ ids: ClosedRange<UInt64>) -> KeyRange { KeyRange(Example.entity, ids) }

  private func digests(
    of ids: [UInt64],
    in ranges: [KeyRange],
    size: Int,
    limit: Int = .max
  ) -> RangeDigests {
    var builder = DigestBuilder(dividing: ranges, size: size, limit: limit)
    for id in ids { builder.add(row, at: Example.key(id)) }
    return builder.finish()
  }

  private func sum(_ ids: [UInt64]) -> ObjectSum {
    ids.reduce(into: ObjectSum()) { $0.add(row.digest(at: Example.key($1)), id: $1) }
  }

  private func sum(of digests: RangeDigests) -> ObjectSum {
    digests.elements.reduce(into: ObjectSum()) { $0.add($1.sum) }
  }

  @Test func `ranges are divided by the number of objects, and no ID is left out`() {
    let all = KeyRange(allOf: Example.entity)
    let ids: [UInt64] = [3, 4, 900, 1 << 41, 1 << 42]
    let found = digests(of: ids, in: [all], size: 2)
    #expect(
      found.elements == [
        RangeDigests.Element(range(1...899), sum: sum([3, 4])),
        RangeDigests.Element(range(900...1 << 42 - 1), sum: sum([900, 1 << 41])),
        RangeDigests.Element(range(1 << 42...KeyRange.greatestID), sum: sum([1 << 42])),
      ]
    )
    #expect(found.covered == [all])
  }

  @Test func `ranges without objects have the sum of none`() {
    let other = KeyRange(allOf: EntityUID(2))
    let found = digests(of: [9], in: [range(2...4), range(8...9), other], size: 4)
    #expect(
      found.elements == [
        RangeDigests.Element(range(2...4)), RangeDigests.Element(range(8...9), sum: sum([9])),
        RangeDigests.Element(other),
      ]
    )
  }

  @Test(arguments: [1, 2, 3, 8])
  func `digests of many objects have larger ranges, with the same sum`(limit: Int) {
    let ids = Array(1...100 as ClosedRange<UInt64>)
    let ranges = [KeyRange(allOf: Example.entity), KeyRange(allOf: EntityUID(2))]
    let found = digests(of: ids, in: ranges, size: 1, limit: limit)
    #expect(found.elements.count <= 2 * limit + 2)
    #expect(found.covered == ranges)
    #expect(sum(of: found) == sum(ids))
    for element in found.elements {
      #expect(ids.count { element.range.contains(Example.key($0)) } <= found.size)
    }
  }

  // In the middle of a range, and at the end of one.
  @Test(arguments: [1, 2, 3])
  func `a builder ends at the greatest number of parts, and has the ranges behind them`(end: Int) {
    let ranges = [range(1...20), range(31...40)]
    var builder = DigestBuilder(dividing: ranges, size: 2, end: end)
    var added: [UInt64] = []
    for id in [3, 4, 9, 10, 32, 33, 34] as [UInt64] {
      if !builder.add(row, at: Example.key(id)) { break }
      added.append(id)
    }
    let found = builder.finish()
    #expect(added == [[3, 4], [3, 4, 9, 10], [3, 4, 9, 10, 32, 33]][end - 1])
    #expect(found.elements.count == end)
    #expect(
      builder.left
        == [[range(9...20), range(31...40)], [range(31...40)], [range(34...40)]][end - 1]
    )
    #expect((found.covered + builder.left).joined == ranges)
    #expect(sum(of: found) == sum(added))
  }

  @Test func `the range of a key is found`() {
    let found = digests(of: [1, 5, 9], in: [range(1...6), range(8...20)], size: 1)
    #expect([1, 4, 5, 6, 8, 20].map { found.index(of: Example.key($0)) } == [0, 0, 1, 1, 2, 2])
    #expect([7, 21].allSatisfy { found.index(of: Example.key($0)) == nil })
    #expect(found.index(of: ObjectKey(entity: EntityUID(2), id: 1)) == nil)
  }
}
