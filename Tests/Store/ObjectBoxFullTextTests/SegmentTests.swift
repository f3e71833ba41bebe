import CObjectBoxFullText
import ObjectBoxTestSupport
import Testing

/// Documents that are looked for in the packed blocks of a segment.
struct SegmentTests {
  /// A segment as a run stores it, and what it holds.
  private struct Segment {
    var directory: [UInt8] = []
    var bytes: [UInt8] = []
    var first: UInt32
    var last: UInt32 = 0
    var bounds: [UInt8] = []
    /// The frequency and the block of each ordinal.
    var postings: [UInt32: (frequency: UInt32, block: Int)] = [:]

    init(blockCount: Int, _ random: inout SplitMix) {
      first = UInt32.random(in: 0...50, using: &random)
      var base = first
      for block in 0..<blockCount {
        let count = block == blockCount - 1 ? Int.random(in: 1...128, using: &random) : 128
        let width = UInt32.random(in: 0...16, using: &random)
        var ordinals: [UInt32] = []
        var frequencies: [UInt32] = []
        var next = base
        for _ in 0..<count {
          next += UInt32.random(in: 0..<1 << width, using: &random)
          ordinals.append(next)
          frequencies.append(UInt32.random(in: 1...9, using: &random))
          postings[next] = (frequencies[frequencies.count - 1], block)
          next += 1
        }
        var packed = [UInt8](repeating: 0, count: Int(OBX_BLOCK_MAXIMUM) + 8)
        let size = obx_block_pack(&packed, ordinals, frequencies, UInt32(count), base)
        bounds.append(UInt8.random(in: 0...255, using: &random))
        append(next - 1)
        append(UInt32(bytes.count))
        append(0 as UInt32)
        directory += [bounds[block], UInt8(count)]
        append(UInt16(size))
        bytes += packed[..<size]
        base = next
      }
      last = base - 1
    }

    private mutating func append<T: FixedWidthInteger>(_ number: T) {
      withUnsafeBytes(of: number.littleEndian) { directory.append(contentsOf: $0) }
    }

    /// Some documents: ordinals, their neighbours, and others.
    func wanted(_ share: Int, _ random: inout SplitMix) -> [UInt32] {
      var wanted: Set<UInt32> = []
      for ordinal in postings.keys where Int.random(in: 0..<share, using: &random) == 0 {
        wanted.insert(ordinal + UInt32.random(in: 0...1, using: &random))
      }
      for _ in 0..<Int.random(in: 0...99, using: &random) {
        wanted.insert(UInt32.random(in: first...last + 9, using: &random))
      }
      return wanted.filter { $0 >= first }.sorted()
    }

    /// Finds documents as a search does: some bytes at a time, and some postings at a time.
    ///
    /// - Returns: Ordinals and frequencies; nil for damaged bytes.
    func find(
      _ wanted: [UInt32],
      leastBound: UInt32,
      _ random: inout SplitMix
    ) -> [(UInt32, UInt32)]? {
      var result: [(UInt32, UInt32)] = []
      var (ordinals, frequencies) = (
        [UInt32](repeating: 0, count: 256), [UInt32](repeating: 0, count: 256)
      )
      var found: UInt32 = 0
      var place = 0
      var isDamaged = false
      directory.withUnsafeBytes { directory in
        guard let entries = directory.baseAddress else { return }
        var segment = obx_segment(
          directory: entries.assumingMemoryBound(to: UInt8.self),
          block_count: UInt32(directory.count / Int(OBX_DIRECTORY_ENTRY)),
          first: first,
          last: last,
          block: 0,
          bytes: nil,
          bytes_size: 0,
          bytes_start: 0,
          wanted_size: 0,
          read_blocks: 0
        )
        // An allocation of exactly the bytes at hand: a sanitizer would find reads behind them.
        var window = [UInt8]()
        search: while true {
          let state = window.withUnsafeBufferPointer { window in
            segment.bytes = window.baseAddress
            segment.bytes_size = window.count
            return obx_segment_find(
              &segment,
              wanted,
              wanted.count,
              &place,
              leastBound,
              &ordinals,
              &frequencies,
              &found,
              32
            )
          }
          switch state {
          case OBX_SEGMENT_LACKS_BYTES:
            let start = Int(segment.bytes_start)
            let size = Int(segment.wanted_size) + Int.random(in: 0...300, using: &random)
            guard start + Int(segment.wanted_size) <= bytes.count else {
              isDamaged = true
              break search
            }
            window = Array(bytes[start..<min(start + size, bytes.count)])
          case OBX_SEGMENT_FULL:
            result += zip(ordinals, frequencies).prefix(Int(found))
            found = 0
          case OBX_SEGMENT_DAMAGED:
            isDamaged = true
            break search
          default: break search
          }
        }
      }
      return isDamaged ? nil : result + zip(ordinals, frequencies).prefix(Int(found))
    }
  }

  @Test(arguments: [1, 2, 9, 64])
  func `the documents of blocks with enough bounds are found`(blockCount: Int) throws {
    var random = SplitMix(seed: blockCount)
    for share in [1, 10, 100, 2000] {
      let segment = Segment(blockCount: blockCount, &random)
      for leastBound: UInt32 in [0, 1, 100, 255, 256] {
        let wanted = segment.wanted(share, &random)
        let expected = wanted.compactMap { ordinal in
          segment.postings[ordinal].flatMap { posting in
            segment.bounds[posting.block] >= leastBound ? (ordinal, posting.frequency) : nil
          }
        }
        let found = try #require(segment.find(wanted, leastBound: leastBound, &random))
        #expect(found.map(\.0) == expected.map(\.0))
        #expect(found.map(\.1) == expected.map(\.1))
      }
    }
  }

  @Test func `a block that does not lead to its last ordinal is reported`() {
    var random = SplitMix(seed: 1)
    var segment = Segment(blockCount: 5, &random)
    let wanted = segment.postings.keys.sorted()
    // The widths of the third block.
    let entry = 2 * Int(OBX_DIRECTORY_ENTRY)
    let offset = Int(segment.directory[entry + 4]) + Int(segment.directory[entry + 5]) << 8
    segment.bytes[offset] ^= 1
    #expect(segment.find(wanted, leastBound: 0, &random) == nil)
    segment.bytes[offset] ^= 1
    #expect(segment.find(wanted, leastBound: 0, &random) != nil)
    // Its last ordinal.
    segment.directory[entry] ^= 1
    #expect(segment.find(wanted, leastBound: 0, &random) == nil)
  }

  @Test func `damaged bytes do no harm`() {
    var random = SplitMix(seed: 2)
    for _ in 0..<500 {
      var segment = Segment(blockCount: 6, &random)
      var wanted = segment.wanted(3, &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let byte = UInt8.random(in: 0...255, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: segment.directory[Int.random(in: segment.directory.indices, using: &random)] = byte
        case 1: segment.bytes[Int.random(in: segment.bytes.indices, using: &random)] = byte
        default:
          // Documents that do not ascend, and that repeat themselves.
          guard wanted.count > 2 else { break }
          let index = Int.random(in: 0..<wanted.count, using: &random)
          let repeated = wanted[Int.random(in: wanted.indices, using: &random)]
          wanted.insert(contentsOf: Array(repeating: repeated, count: 300), at: index)
        }
      }
      let found = segment.find(wanted, leastBound: 0, &random)
      // As many as the documents, at most.
      #expect((found?.count ?? 0) <= wanted.count)
    }
  }
}
