import Testing

@testable import ObjectBoxSyncProtocol

@Suite struct SyncHashTests {
  @Test(arguments: 0...33)
  func `bytes are added as words of eight with the highest first, and a shorter rest`(_ count: Int)
  {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
    var hash = StableHash()
    hash.add(bytes)
    var expected = StableHash()
    expected.add(UInt64(count))
    for start in stride(from: 0, to: count, by: 8) {
      expected.add(bytes[start..<min(start + 8, count)].reduce(0) { $0 << 8 | UInt64($1) })
    }
    #expect(hash.value == expected.value)
  }
}
