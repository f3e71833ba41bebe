import CObjectBoxFullText
import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct BlockTests {
  @Test(arguments: [1, 2, 7, 127, 128])
  func `a block unpacks to the postings that were packed`(count: Int) {
    var random = SplitMix(seed: count)
    for width in 0...24 {
      var ordinals: [UInt32] = []
      var frequencies: [UInt32] = []
      var next: UInt32 = 5
      for _ in 0..<count {
        next += UInt32.random(in: 0..<1 << UInt32(width), using: &random)
        ordinals.append(next)
        frequencies.append(1 + UInt32.random(in: 0..<1 << UInt32(24 - width), using: &random))
        next += 1
      }
      var bytes = [UInt8](repeating: 0xff, count: Int(OBX_BLOCK_MAXIMUM) + 8)
      let size = obx_block_pack(&bytes, ordinals, frequencies, UInt32(count), 5)
      var (a, b) = ([UInt32](repeating: 0, count: 128), [UInt32](repeating: 0, count: 128))
      #expect(obx_block_unpack(bytes, size, UInt32(count), 5, ordinals[count - 1], &a, &b))
      #expect(Array(a[..<count]) == ordinals)
      #expect(Array(b[..<count]) == frequencies)
      #expect(!obx_block_unpack(bytes, size, UInt32(count), 5, ordinals[count - 1] + 1, &a, &b))
      #expect(!obx_block_unpack(bytes, size - 1, UInt32(count), 5, ordinals[count - 1], &a, &b))
    }
  }

  @Test(arguments: [1, 2, 64, 128])
  func `documents are found in a packed block with their frequencies`(count: Int) {
    var random = SplitMix(seed: count)
    for width in Array(0...14) + [20] {
      var postings: [UInt32: UInt32] = [:]
      while postings.count < count {
        let ordinal = 5 + UInt32.random(in: 0..<UInt32(count) << UInt32(width), using: &random)
        postings[ordinal] = 1 + UInt32.random(in: 0..<1 << UInt32(width), using: &random)
      }
      let ordinals = postings.keys.sorted()
      let frequencies = ordinals.compactMap { postings[$0] }
      var bytes = [UInt8](repeating: 0xff, count: Int(OBX_BLOCK_MAXIMUM) + 8)
      let size = obx_block_pack(&bytes, ordinals, frequencies, UInt32(count), 5)
      let last = ordinals[count - 1]
      for _ in 0..<10 {
        let others = (0..<count).map { _ in UInt32.random(in: 0...last + 9, using: &random) }
        let wanted = Set(ordinals.filter { _ in Bool.random(using: &random) } + others).sorted()
        let expected = wanted.filter { postings[$0] != nil }
        var (a, b) = ([UInt32](repeating: 0, count: 128), [UInt32](repeating: 0, count: 128))
        func find(_ size: Int, _ last: UInt32) -> Int {
          Int(obx_block_find(bytes, size, UInt32(count), 5, last, wanted, wanted.count, &a, &b))
        }
        #expect(find(size, last) == expected.count)
        #expect(Array(a[..<expected.count]) == expected)
        let expectedFrequencies = expected.compactMap { postings[$0] }
        #expect(Array(b[..<expected.count]) == expectedFrequencies)
        let refused = Int(UInt32.max)
        #expect(find(size, last + 1) == refused)
        #expect(find(size - 1, last) == refused)
      }
    }
  }
}
