import Testing

@testable import ObjectBoxSyncServer

struct HashedNumbersTests {
  @Test(arguments: [1, 2, 3])
  func `lists by hashes equal those of a dictionary after random additions and removals`(
    seed: UInt64
  ) {
    var state = seed
    func random(_ count: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % count
    }
    var numbers = HashedNumbers()
    var expected: [UInt64: [Int32]] = [:]
    for step in 0..<20_000 {
      // Keys that differ in their high bits only begin at the same place.
      let key = (2 + random(300)) << (random(2) * 40)
      let number = Int32(random(5))
      // Grows, then shrinks.
      if random(10) < (step < 10_000 ? 6 : 3) {
        numbers.add(number, at: key)
        expected[key, default: []].append(number)
      } else {
        numbers.remove(number, at: key)
        expected[key]?.removeAll { $0 == number }
        if expected[key]?.isEmpty ?? false { expected[key] = nil }
      }
      let asked = (2 + random(300)) << (random(2) * 40)
      for key in [key, asked] {
        var found: [Int32] = []
        numbers.forEach(at: key) { found.append($0) }
        #expect(found.sorted() == expected[key, default: []].sorted())
      }
      #expect(numbers.isEmpty == expected.isEmpty)
    }
  }
}
