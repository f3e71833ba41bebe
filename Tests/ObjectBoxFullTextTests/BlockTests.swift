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
}
