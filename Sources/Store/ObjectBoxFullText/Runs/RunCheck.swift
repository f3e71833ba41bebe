import CObjectBoxFullText

/// Checks one run: reads all its values, and compares them with each other.
struct RunCheck {
  let reader: RunReader
  let settings: FullTextSettings
  /// A bit for each live document; nil if all are live.
  private let live: UnsafePointer<UInt64>?
  /// For each document, the number of words in the dictionary.
  private var wordCounts: [UInt32]
  private(set) var liveWordCount = 0
  /// Whether a live document may have more words than its length can hold.
  private(set) var hasCutLength = false

  init(_ reader: RunReader, _ settings: FullTextSettings) throws(FullTextError) {
    self.reader = reader
    self.settings = settings
    if reader.documentCount > 0 { _ = try reader.length(of: UInt32(reader.documentCount - 1)) }
    live = try reader.liveBits
    wordCounts = [UInt32](repeating: 0, count: reader.documentCount)
  }

  // MARK: Documents

  /// Checks IDs, lengths and live bits; passes the IDs of live documents to a body.
  mutating func checkDocuments(_ body: (UInt64) -> Void) throws(FullTextError) {
    var last: UInt64?
    var deadCount = 0
    for ordinal in 0..<reader.documentCount {
      let id = try reader.id(of: UInt32(ordinal))
      if let last, id <= last { throw reader.damage("its IDs do not ascend at \(ordinal)") }
      last = id
      if live.isLive(ordinal) {
        body(id)
        let length = try reader.length(of: UInt32(ordinal))
        liveWordCount += Int(length)
        if length == UInt32(UInt16.max) { hasCutLength = true }
      } else {
        deadCount += 1
      }
    }
    guard deadCount == reader.deadCount else {
      throw reader.damage("\(deadCount) dead documents, but \(reader.deadCount) are counted")
    }
    if let last {
      guard reader.idBounds.upperBound == last, try reader.id(of: 0) == reader.idBounds.lowerBound
      else { throw reader.damage("the bounds of its IDs") }
    }
  }

  /// Compares the lengths of documents with the counted positions.
  func checkLengths() throws(FullTextError) {
    for (ordinal, count) in wordCounts.enumerated() {
      let length = try reader.length(of: UInt32(ordinal))
      guard length == min(count, UInt32(UInt16.max)) else {
        throw reader.damage("document \(ordinal) has the length \(length), but \(count) words")
      }
    }
  }

  // MARK: Postings

  /// Checks the postings of a term; returns the number of postings of live documents.
  ///
  /// - Parameters:
  ///   - cursor: The postings.
  ///   - term: The hash of the term.
  ///   - sum: Receives the occurrences in live documents.
  /// - Returns: The number.
  /// - Throws: ``FullTextError`` for a fault.
  mutating func check(
    _ cursor: PostingsCursor,
    of term: UInt64 = 0,
    into sum: inout FullTextSum
  ) throws(FullTextError) -> Int {
    var (total, liveCount) = (0, 0)
    var next: UInt32 = 0
    while try cursor.skipBlocks(to: next) {
      try cursor.decode()
      guard cursor.ordinals[0] >= next, cursor.blockBound <= cursor.segmentBound,
        cursor.segmentBound <= cursor.bound, cursor.blockLast <= cursor.segmentLast
      else { throw reader.damage("the bounds of a block") }
      for index in 0..<cursor.blockCount {
        let ordinal = Int(cursor.ordinals[index])
        let id = live.isLive(ordinal) ? try reader.id(of: UInt32(ordinal)) : nil
        if id != nil { liveCount += 1 }
        try checkBound(cursor, index)
        if cursor.hasPositions {
          for position in try checkedPositions(cursor, index) {
            if let id { sum.add(term, id, position: position) }
          }
        } else if let id {
          sum.add(term, id, count: cursor.frequencies[index])
        }
      }
      total += cursor.blockCount
      next = cursor.blockLast + 1
    }
    guard total == cursor.count else { throw reader.damage("the number of a term's postings") }
    return liveCount
  }

  private func checkBound(_ cursor: PostingsCursor, _ index: Int) throws(FullTextError) {
    let frequency = Double(cursor.frequencies[index])
    let length = Double(try reader.length(of: cursor.ordinals[index]))
    let norm = 1 - settings.b + settings.b * length / reader.description.meanLength
    let part = frequency / (frequency + settings.k1 * norm)
    guard part * 255 <= Double(cursor.blockBound) + 1e-6 else {
      throw reader.damage("the bound of a block is too small")
    }
  }

  private mutating func checkedPositions(
    _ cursor: PostingsCursor,
    _ index: Int
  ) throws(FullTextError) -> UnsafeBufferPointer<UInt32> {
    var frequency: UInt64 = 0
    var last: UInt32?
    let positions = try cursor.positions(at: index)
    for position in positions {
      if let last, position < last { throw reader.damage("positions do not ascend") }
      last = position
      let column = Int(position >> 24)
      frequency += UInt64(column < settings.weights.count ? settings.weights[column] : 1)
    }
    guard !positions.isEmpty, cursor.frequencies[index] == UInt32(clamping: frequency) else {
      throw reader.damage("a frequency does not fit its positions")
    }
    wordCounts[Int(cursor.ordinals[index])] += UInt32(positions.count)
    return positions
  }
}
