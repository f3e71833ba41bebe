import CObjectBoxFullText

/// Maps ordinals of an input of a merge to ordinals of its output.
final class OrdinalMap {
  private let table: IndexTable
  private let maps: UInt32
  private let firstChunk: UInt32
  /// The map with the chunks read so far, as C reads it.
  let map: UnsafeMutablePointer<obx_ordinal_map>
  private let chunks: UnsafeMutableBufferPointer<obx_map_chunk>
  /// Copies of values; they live as long as the map.
  private var copies: [UnsafeMutableRawPointer] = []

  /// Makes the map of an input; its documents are in the output.
  init(_ table: IndexTable, _ merge: MergeDescription, input: Int) {
    self.table = table
    maps = merge.maps
    firstChunk = Self.firstChunk(ofInput: input)
    let count = merge.inputs[input].passedCount
    chunks = .allocate(
      capacity: maps == 0 ? 0 : Int(count) / NumberTable.chunkCount + 1
    )
    chunks.initialize(repeating: obx_map_chunk())
    map = .allocate(capacity: 1)
    map.initialize(
      to: obx_ordinal_map(
        base: merge.inputs[input].base,
        count: count,
        chunks: maps == 0 ? nil : chunks.baseAddress
      )
    )
  }

  deinit {
    map.deallocate()
    chunks.deallocate()
    for copy in copies { copy.deallocate() }
  }

  /// The number of an input's first value in the run of maps.
  static func firstChunk(ofInput input: Int) -> UInt32 { UInt32(input) << 24 }

  /// Writes the output's ordinals of ascending ordinals; `.max` for documents that are missing in the output.
  func map(
    _ ordinals: UnsafePointer<UInt32>,
    _ count: Int,
    to result: UnsafeMutablePointer<UInt32>
  ) throws(FullTextError) {
    var done = obx_ordinals_map(map, ordinals, count, result)
    while done < count {
      try read(ordinals[done])
      done += obx_ordinals_map(map, ordinals + done, count - done, result + done)
    }
  }

  /// Reads the chunk of an ordinal.
  func read(_ ordinal: UInt32) throws(FullTextError) {
    let count = Int(map.pointee.count)
    guard ordinal < count else { throw .damaged(run: maps, "a map has no ordinal \(ordinal)") }
    let number = Int(ordinal) / NumberTable.chunkCount
    let first = number * NumberTable.chunkCount
    let found = try NumberTable.read(
      table,
      maps,
      .maps,
      directory: .mapDirectory,
      firstChunk: firstChunk,
      chunk: number,
      count: min(count - first, NumberTable.chunkCount)
    )
    var chunk = obx_map_chunk(
      base: found.base,
      offsets: nil,
      width: UInt8(found.width),
      is_known: true
    )
    if let bytes = found.offsets.baseAddress {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: found.offsets.count, alignment: 8)
      copy.copyMemory(from: bytes, byteCount: found.offsets.count)
      copies.append(copy)
      chunk.offsets = UnsafePointer(copy.assumingMemoryBound(to: UInt8.self))
    }
    chunks[number] = chunk
  }
}

extension MergeDescription {
  /// Returns the ordinal of an input's document in the output; nil if the output does not have it yet.
  func outputOrdinal(
    of ordinal: UInt32,
    input: Int,
    _ table: IndexTable
  ) throws(FullTextError) -> UInt32? {
    // Without maps the output gets every document, so the ordinals of later ones are known too.
    if maps == 0 { return inputs[input].base &+ ordinal }
    guard ordinal < inputs[input].passedCount else { return nil }
    let (chunk, index) = Int(ordinal).quotientAndRemainder(dividingBy: NumberTable.chunkCount)
    let found = try NumberTable.read(
      table,
      maps,
      .maps,
      directory: .mapDirectory,
      firstChunk: OrdinalMap.firstChunk(ofInput: input),
      chunk: chunk,
      count: index + 1
    )
    return found.numberOrNone(at: index).map { UInt32(truncatingIfNeeded: $0) }
  }
}
