import CObjectBoxFullText

/// Young runs: the words of the last commits, stored with the state of the index.
///
/// They are on the page of the state, which each commit writes anyway. So most commits write one page of the index.
/// When there is no room for another one, their words are rewritten together with the new words: to one young run, or
/// to an ordinary run.
enum RecentRun {
  /// The numbers of young runs: a search looks into each run, so there are few.
  static let numbers: [UInt32] = [0, .max - 2, .max - 1, .max]

  static func isNumber(_ number: UInt32) -> Bool { number == 0 || number >= .max - 2 }

  /// Room for the state and the young runs: a page less its header, and less the slots and keys of one run's values.
  private static let pageCapacity = 3900
  /// The slots of the values of another run, and its part of the state.
  private static let runSize = 64
  /// LMDB gives larger values their own pages.
  static let blockLimit = 1900

  /// The greatest size in bytes of another young run, given the size of the state.
  static func capacity(besideStateOf size: Int, _ runs: [RunDescription]) -> Int {
    // A larger state has its own page.
    let rest = size > blockLimit ? pageCapacity : pageCapacity - size
    return runs.reduce(rest) { $1.isYoung ? $0 - $1.byteCount - runSize : $0 }
  }
}

extension GatheredPostings {
  /// Adds the documents of a young run, except dead ones.
  func absorb(
    _ run: RunDescription,
    _ table: IndexTable,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    // Nothing is written meanwhile.
    let reader = RunReader(
      table,
      run,
      isWeighted: settings.isWeighted,
      meanLength: 1,
      isCopying: false
    )
    let live = try reader.liveBits
    var ordinals = [UInt32](repeating: .max, count: run.documentCount)
    for ordinal in ordinals.indices where live.isLive(ordinal) {
      let id = try reader.id(of: UInt32(ordinal))
      if contains(id) { throw reader.damage("object \(id) is in another run as well") }
      ordinals[ordinal] = UInt32(documentCount)
      append(id, UInt16(truncatingIfNeeded: try reader.length(of: UInt32(ordinal))))
    }
    var last = UInt32.max
    try table.forEachBlock(run.number) { block throws(FullTextError) in
      try absorb(block, ordinals, run, after: &last)
    }
  }

  private func absorb(
    _ block: UnsafeRawBufferPointer,
    _ ordinals: [UInt32],
    _ run: RunDescription,
    after last: inout UInt32
  ) throws(FullTextError) {
    guard let bytes = block.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let count = UInt32(ordinals.count)
    switch obx_gather_absorb(gather, bytes, block.count, ordinals, count, &last) {
    case OBX_GATHER_DONE: return
    case OBX_GATHER_WITHOUT_MEMORY: throw .withoutMemory
    default: throw .damaged(run: run.number, "a block of the dictionary of a young run")
    }
  }
}
