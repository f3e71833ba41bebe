/// Maps ordinals of an input of a merge to ordinals of its output.
final class OrdinalMap {
  private let table: IndexTable
  private let maps: UInt32
  private let firstChunk: UInt32
  private let base: UInt32
  private let count: Int
  private var chunks: [Int: (chunk: NumberTable.Chunk, copy: [UInt8])] = [:]
  private var number = -1
  private var chunk: NumberTable.Chunk?

  /// Makes the map of an input whose documents the output has.
  init(_ table: IndexTable, _ merge: MergeDescription, input: Int) {
    self.table = table
    maps = merge.maps
    firstChunk = Self.firstChunk(ofInput: input)
    base = merge.inputs[input].base
    count = Int(merge.inputs[input].passedCount)
  }

  /// The number of an input's first value in the run of maps.
  static func firstChunk(ofInput input: Int) -> UInt32 { UInt32(input) << 24 }

  /// Writes the output's ordinals of ascending ordinals; `.max` for documents that the output does
  /// not have.
  func map(
    _ ordinals: UnsafePointer<UInt32>,
    _ count: Int,
    to result: UnsafeMutablePointer<UInt32>
  ) throws(FullTextError) {
    if maps == 0 {
      for index in 0..<count { result[index] = ordinals[index] &+ base }
      return
    }
    for index in 0..<count {
      let (wanted, place) = Int(ordinals[index]).quotientAndRemainder(
        dividingBy: NumberTable.chunkCount
      )
      if wanted != number { try load(wanted) }
      let output = chunk?.numberOrNone(at: place) ?? UInt64(UInt32.max)
      result[index] = UInt32(truncatingIfNeeded: output)
    }
  }

  private func load(_ wanted: Int) throws(FullTextError) {
    number = wanted
    if let known = chunks[wanted] {
      chunk = known.chunk
      return
    }
    let first = wanted * NumberTable.chunkCount
    guard first < count else { throw .damaged(run: maps, "a map has no ordinal \(first)") }
    var found = try NumberTable.read(
      table,
      maps,
      .maps,
      directory: .mapDirectory,
      firstChunk: firstChunk,
      chunk: wanted,
      count: min(count - first, NumberTable.chunkCount)
    )
    let copy = [UInt8](found.offsets)
    // The array is not changed, and lives as long as the map.
    found.offsets = copy.withUnsafeBytes { $0 }
    chunks[wanted] = (found, copy)
    chunk = found
  }
}

extension MergeDescription {
  /// Returns the ordinal of an input's document in the output; nil if the output has not got to it.
  func outputOrdinal(
    of ordinal: UInt32,
    input: Int,
    _ table: IndexTable
  ) throws(FullTextError) -> UInt32? {
    // Without maps the output has every document, also those that it has not got to.
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
