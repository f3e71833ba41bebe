import ObjectBoxSyncProtocol
import Testing

struct ObjectSumTests {
  private static let ids: [UInt64] = [1, 2, 999, 1 << 40, 1 << 61 - 1, UInt64(Int64.max)]
  private static let hashes: [UInt64] = [1, 0x9E37_79B9_7F4A_7C15, .max - 59, .max - 58, .max]

  private func sum(_ objects: [(hash: UInt64, id: UInt64)]) -> ObjectSum {
    objects.reduce(into: ObjectSum()) { $0.add($1.hash, id: $1.id) }
  }

  @Test(arguments: ids, hashes)
  func `the only object that another sum lacks is found by its ID`(id: UInt64, hash: UInt64) {
    let others = Self.ids.filter { $0 != id }.map { (hash: 7 &* $0, id: $0) }
    let without = sum(others)
    let with = sum(others + [(hash, id)])
    // The greatest prime below 2^64 is a hash of 0: the object does not show.
    let expected = hash == .max - 58 ? nil : id
    #expect(with.onlyDifference(to: without) == expected)
    #expect(without.onlyDifference(to: with) == expected)
  }

  @Test(arguments: ids) func `the only object that has changed is found by its ID`(id: UInt64) {
    let others = Self.ids.filter { $0 != id }.map { (hash: 7 &* $0, id: $0) }
    let old = sum(others + [(5, id)])
    #expect(sum(others + [(.max - 2, id)]).onlyDifference(to: old) == id)
    #expect(old.onlyDifference(to: old) == nil)
  }

  @Test func `objects that differ together show none of their IDs`() throws {
    let old = sum([(5, 1), (6, 2)])
    let new = sum([(50, 1), (61, 2)])
    let id = try #require(new.onlyDifference(to: old))
    #expect(id > 1 << 20)
  }

  @Test func `sums are the same in any order and by any parts`() {
    let objects = Self.ids.flatMap { id in Self.hashes.map { (hash: $0, id: id) } }
    var parts = sum(Array(objects[..<7]))
    parts.add(sum(Array(objects[7...])))
    #expect(sum(objects) == parts)
    #expect(sum(objects.reversed()) == parts)
  }
}
