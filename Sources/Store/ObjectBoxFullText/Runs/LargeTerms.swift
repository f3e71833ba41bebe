import CObjectBoxFullText

/// Writes the terms with postings that do not fit in an entry; few runs have such terms.
final class LargeTerms {
  private static let capacity = PostingsCursor.blockCapacity

  private let isWeighted: Bool
  @exclusivity(unchecked) private var writer: RunWriter
  /// Room for the postings of a block, unpacked from gathered ones.
  private let room: UnsafeMutablePointer<UInt32>

  init(
    _ table: IndexTable,
    _ run: RunDescription,
    _ settings: FullTextSettings,
    _ dictionary: DictionaryWriter,
    _ lengths: [UInt16]
  ) throws(FullTextError) {
    isWeighted = settings.isWeighted
    writer = try RunWriter(table, run, settings, dictionary) { ordinals, places, count in
      for index in 0..<count { places[index] = UInt32(lengths[Int(ordinals[index])]) }
    }
    room = .allocate(capacity: 4 * Self.capacity)
  }

  deinit { room.deallocate() }

  func finish(_ run: inout RunDescription) throws(FullTextError) {
    try writer.finish()
    run.postingsSize = writer.postings.size
    run.positionsSize = writer.positions.size
  }

  func write(_ term: obx_gathered) throws(FullTextError) {
    writer.begin(
      UnsafeRawBufferPointer(start: term.term, count: Int(term.term_size)),
      hasPositions: term.term.pointee != FullTextTokens.beginningMark,
      deadCount: Int(term.dead)
    )
    try copyPostings(of: term)
    try writer.end()
  }

  private func copyPostings(of term: obx_gathered) throws(FullTextError) {
    guard var bytes = term.bytes else { return }
    let capacity = Self.capacity
    let (ordinals, frequencies) = (room, room + capacity)
    let (starts, ends) = (room + 2 * capacity, room + 3 * capacity)
    var size = term.size
    var rest = Int(term.count)
    var base: UInt32 = 0
    while rest > 0 {
      let count = min(rest, capacity)
      let used = obx_inline_unpack(
        bytes,
        size,
        UInt32(count),
        base,
        true,
        isWeighted,
        ordinals,
        frequencies,
        starts,
        ends
      )
      precondition(used > 0, "gathered postings are as they were packed")
      for index in 0..<count {
        let place = Int(starts[index])
        try writer.add(
          ordinals + index,
          frequencies + index,
          1,
          positions: UnsafeRawBufferPointer(start: bytes + place, count: Int(ends[index]) - place)
        )
      }
      base = ordinals[count - 1] + 1
      rest -= count
      bytes += used
      size -= used
    }
  }
}
