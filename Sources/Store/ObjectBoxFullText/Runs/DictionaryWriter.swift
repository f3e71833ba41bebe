import CObjectBoxFullText

/// Writes the dictionary of a run, block by block.
final class DictionaryWriter {
  private let table: IndexTable
  private let run: UInt32
  /// The current block, which C fills.
  let block: UnsafeMutablePointer<obx_dictionary_writer>

  /// Begins a dictionary, or continues it after its last block.
  init(_ table: IndexTable, _ run: RunDescription, _ settings: FullTextSettings) {
    self.table = table
    self.run = run.number
    let limit = run.isYoung ? RecentRun.blockLimit : IndexTable.chunkSize
    let roomSize = limit + Int(OBX_DICTIONARY_ROOM)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: roomSize + 2 * TermLimit.size)
    block = .allocate(capacity: 1)
    block.initialize(
      to: obx_dictionary_writer(
        bytes: bytes,
        size: 0,
        limit: limit,
        first_term: bytes + roomSize,
        first_size: 0,
        first_segment: 0,
        last_term: bytes + roomSize + TermLimit.size,
        last_size: 0,
        written: 0,
        flat: settings.k1 * (1 - settings.b),
        slope: settings.k1 * settings.b / run.meanLength,
        is_weighted: settings.isWeighted
      )
    )
  }

  deinit {
    // The terms are in the same allocation.
    block.pointee.bytes.deallocate()
    block.deallocate()
  }

  /// The term of the last entry; empty before the first.
  var lastTerm: [UInt8] {
    let size = Int(block.pointee.last_size)
    return [UInt8](UnsafeBufferPointer(start: block.pointee.last_term, count: size))
  }

  /// Adds an entry.
  func append(
    _ term: [UInt8],
    segment: UInt32,
    _ entry: obx_entry
  ) throws(FullTextError) {
    let isAppended = withUnsafePointer(to: entry) { entry in
      term.withUnsafeBufferPointer { term in
        // The address of an empty term is not read.
        obx_dictionary_append(
          block,
          term.baseAddress ?? UnsafePointer(block.pointee.bytes),
          UInt32(term.count),
          segment,
          entry
        )
      }
    }
    if isAppended { return }
    try writeBlock()
    try append(term, segment: segment, entry)
  }

  /// Writes the block, and begins another.
  func writeBlock() throws(FullTextError) {
    if block.pointee.size == 0 { return }
    let term = UnsafeRawBufferPointer(
      start: block.pointee.first_term,
      count: Int(block.pointee.first_size)
    )
    let bytes = UnsafeRawBufferPointer(start: block.pointee.bytes, count: block.pointee.size)
    try table.put(run, term: term, segment: block.pointee.first_segment, bytes)
    block.pointee.size = 0
  }
}
