import CObjectBoxFullText

/// The young run: the words of the last commits, beside the state of the index.
///
/// Each commit writes it anew together with its own words, on the page of the state, which it writes
/// anyway. So most commits write one page of the index. What does not fit becomes a run as others.
enum YoungRun {
  /// Room for the state and the young run: a page less its header, the places of its values, and
  /// their keys.
  private static let pageCapacity = 3900
  /// LMDB gives larger values pages of their own.
  static let blockLimit = 1900

  /// The greatest size of a young run beside a state of the given size, in bytes.
  static func capacity(besideStateOf size: Int) -> Int {
    // A larger state has a page of its own.
    size > blockLimit ? pageCapacity : pageCapacity - size
  }
}

extension GatheredPostings {
  /// Adds the documents of the young run, except dead ones; nothing may have been added before.
  func absorb(
    _ run: RunDescription,
    _ table: IndexTable,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    let reader = RunReader(table, run, isWeighted: settings.isWeighted, meanLength: 1)
    let live = try reader.liveBits
    var ordinals = [UInt32](repeating: .max, count: run.documentCount)
    var count: UInt32 = 0
    for ordinal in ordinals.indices where live.isLive(ordinal) {
      let length = try reader.length(of: UInt32(ordinal))
      append(try reader.id(of: UInt32(ordinal)), UInt16(truncatingIfNeeded: length))
      ordinals[ordinal] = count
      count += 1
    }
    try table.forEachBlock(run.number) { block throws(FullTextError) in
      try absorb(block, ordinals, run)
    }
  }

  private func absorb(
    _ block: UnsafeRawBufferPointer,
    _ ordinals: [UInt32],
    _ run: RunDescription
  ) throws(FullTextError) {
    guard let bytes = block.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    switch obx_gather_absorb(gather, bytes, block.count, ordinals, UInt32(ordinals.count)) {
    case OBX_GATHER_DONE: return
    case OBX_GATHER_WITHOUT_MEMORY: throw .withoutMemory
    default: throw .damaged(run: run.number, "a block of the dictionary of the young run")
    }
  }
}
