/// The postings of an input of a merge, with ordinals of the output.
final class PostingsSource {
  let dictionary: DictionaryCursor
  private let reader: RunReader
  let map: OrdinalMap
  private var cursor: PostingsCursor?
  private var isActive = false
  /// The ordinals of the current block in the output; `.max` for dropped postings.
  private let mapped: UnsafeMutablePointer<UInt32> = .allocate(
    capacity: PostingsCursor.blockCapacity
  )
  private var index = 0
  private var blockCount = 0

  init(_ reader: RunReader, _ dictionary: DictionaryCursor, _ map: OrdinalMap) {
    self.reader = reader
    self.dictionary = dictionary
    self.map = map
  }

  deinit { mapped.deallocate() }

  func damage(_ text: String) -> FullTextError { reader.damage(text) }

  var count: Int { cursor?.count ?? 0 }
  var deadCount: Int { cursor?.deadCount ?? 0 }
  var hasPositions: Bool { cursor?.hasPositions ?? true }

  /// The output's ordinal of the current posting; `.max` at the end, and for a dropped posting.
  var head: UInt32 { isActive && index < blockCount ? mapped[index] : .max }

  /// The first ordinal of the input with postings that were not passed.
  var nextOrdinal: UInt32 {
    guard isActive, let cursor, blockCount > 0 else { return .max }
    return index < blockCount ? cursor.ordinals[index] : cursor.blockLast + 1
  }

  /// Moves the dictionary past a term that was written.
  func pass(_ term: [UInt8]) throws(FullTextError) {
    while dictionary.isValid, isAt(term) { try dictionary.next() }
  }

  private func isAt(_ term: [UInt8]) -> Bool {
    term.withBytes { !isLess(dictionary.term, $0) && !isLess($0, dictionary.term) }
  }

  /// Begins with the postings of a term from an ordinal of the input on; false if the input lacks the term.
  func begin(_ term: [UInt8], from ordinal: UInt32) throws(FullTextError) -> Bool {
    isActive = false
    guard dictionary.isValid, isAt(term) else { return false }
    let cursor: PostingsCursor
    if let known = self.cursor {
      try known.read(dictionary)
      cursor = known
    } else {
      cursor = try PostingsCursor(reader, dictionary)
      self.cursor = cursor
    }
    isActive = true
    index = 0
    blockCount = 0
    guard try cursor.skipBlocks(to: ordinal) else { return true }
    try load(cursor)
    while index < blockCount, cursor.ordinals[index] < ordinal { index += 1 }
    return true
  }

  private func load(_ cursor: PostingsCursor) throws(FullTextError) {
    try cursor.decode()
    if cursor.hasPositions { try cursor.splitPositions() }
    try map.map(cursor.ordinals, cursor.blockCount, to: mapped)
    index = 0
    blockCount = cursor.blockCount
  }

  /// Goes to the next block if the current one is used up; false at the end.
  func goOn() throws(FullTextError) -> Bool {
    if index < blockCount { return true }
    guard let cursor, blockCount > 0, try cursor.skipBlocks(to: cursor.blockLast + 1) else {
      blockCount = 0
      index = 0
      return false
    }
    try load(cursor)
    return true
  }

  /// Passes dropped postings; returns their number.
  func skipDropped() throws(FullTextError) -> Int {
    var count = 0
    while try goOn(), mapped[index] == .max {
      index += 1
      count += 1
    }
    return count
  }

  /// Writes the postings that fit in a block, from the current one on, which is not dropped.
  func writeSlice(to writer: inout RunWriter, below bound: UInt32) throws(FullTextError) {
    guard let cursor else { return }
    let limit = min(blockCount, index + writer.room)
    var end = index + 1
    while end < limit, mapped[end] < bound { end += 1 }
    var positions = UnsafeRawBufferPointer(start: nil, count: 0)
    if cursor.hasPositions, let bytes = cursor.positionBytes.baseAddress {
      positions = cursor.joinedPositions(from: index, to: end, bytes)
    }
    try writer.add(mapped + index, cursor.frequencies + index, end - index, positions: positions)
    index = end
  }
}
