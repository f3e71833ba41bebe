import CObjectBoxFullText

/// Postings that are computed for a query, for example for a phrase: ascending ordinals of live documents with their
/// frequencies.
final class PostingsList {
  private(set) var count = 0
  private var capacity: Int
  private(set) var ordinals: UnsafeMutablePointer<UInt32>
  private(set) var frequencies: UnsafeMutablePointer<UInt32>
  private(set) var maximumFrequency: UInt32 = 0

  init(capacity: Int = 128) {
    self.capacity = max(1, capacity)
    ordinals = .allocate(capacity: self.capacity)
    frequencies = .allocate(capacity: self.capacity)
  }

  deinit {
    ordinals.deallocate()
    frequencies.deallocate()
  }

  func append(_ ordinal: UInt32, _ frequency: UInt32) {
    if count == capacity { grow() }
    ordinals[count] = ordinal
    frequencies[count] = frequency
    count += 1
    maximumFrequency = max(maximumFrequency, frequency)
  }

  /// Stores the numbers that a body writes into arrays with room for `count` numbers.
  func fill(
    _ count: Int,
    _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
  ) {
    precondition(count <= capacity)
    body(ordinals, frequencies)
    self.count = count
    for index in 0..<count { maximumFrequency = max(maximumFrequency, frequencies[index]) }
  }

  private func grow() {
    let (oldOrdinals, oldFrequencies) = (ordinals, frequencies)
    capacity *= 2
    ordinals = .allocate(capacity: capacity)
    frequencies = .allocate(capacity: capacity)
    ordinals.update(from: oldOrdinals, count: count)
    frequencies.update(from: oldFrequencies, count: count)
    oldOrdinals.deallocate()
    oldFrequencies.deallocate()
  }
}

/// The postings of a leaf in a run, in ascending order of ordinals.
///
/// Postings come in blocks of up to 128, from the index or from a list that was computed for the query. A stream only
/// moves forward.
final class LeafStream {
  /// The ordinal after all documents.
  static let end = Int(UInt32.max)

  /// The index of the leaf in the query.
  let leaf: Int
  /// Number of postings.
  let count: Int
  let cursor: PostingsCursor?
  private let list: PostingsList?

  /// Scores are at most `gain` times a part that is at most 1.
  private(set) var gain = 0.0
  /// The weight of the leaf in scores.
  private(set) var weight = 0.0
  private var boundScale = 0.0

  /// The last ordinal of the current block; `end` after the last block.
  private(set) var blockLast = -1
  /// Upper bound of the scores of the current block.
  private(set) var blockBound = 0.0
  /// Number of postings of the current block, once it is decoded.
  private(set) var blockCount = 0
  private(set) var isDecoded = false
  private(set) var isEnded = false
  /// The postings of the current block, once it is decoded.
  private(set) var ordinals: UnsafeMutablePointer<UInt32>
  private(set) var frequencies: UnsafeMutablePointer<UInt32>
  /// The index of `doc` in the current block.
  private(set) var index = 0
  /// The ordinal of the current posting; -1 at the beginning, and `end` after the last one.
  private(set) var doc = -1
  /// The start of the current block in the list.
  private var listStart = 0
  /// Number of blocks of the index that were unpacked or searched.
  private(set) var readBlocks = 0
  /// Whether `readBlocks` counts the current block.
  private var isNoted = false
  /// Whether the leaf has matched the current document; set when the stream's position does not show it.
  var hasMatched = true

  init(_ leaf: Int, _ cursor: PostingsCursor) {
    self.leaf = leaf
    self.cursor = cursor
    list = nil
    count = cursor.count
    ordinals = cursor.ordinals
    frequencies = cursor.frequencies
    if cursor.blockCount > 0 { enterBlock() } else { finish() }
  }

  init(_ leaf: Int, _ list: PostingsList) {
    self.leaf = leaf
    self.list = list
    cursor = nil
    count = list.count
    ordinals = list.ordinals
    frequencies = list.frequencies
    if list.count > 0 { enterListBlock(0) } else { finish() }
  }

  /// Sets the numbers for bounds and scores.
  func prepare(_ scorer: Scorer, weight: Double, boundFactor: Double) {
    self.weight = weight
    gain = weight * (scorer.k1 + 1)
    // Slightly above the exact value: other orders of operations differ in the last bits.
    let limit = gain * (1 + 1e-12)
    if let list {
      boundScale = limit * scorer.greatestPart(frequency: list.maximumFrequency)
      blockBound = boundScale
    } else {
      boundScale = limit
      factor = boundFactor / 255
      if let cursor, !isEnded { blockBound = bound(cursor.blockBound) }
    }
  }

  private var factor = 0.0

  @inline(__always)
  private func bound(_ byte: UInt8) -> Double { boundScale * min(1, Double(byte) * factor) }

  /// Upper bound of all scores.
  var bound: Double { cursor.map { bound($0.bound) } ?? boundScale }

  /// The last ordinal of the current segment, and the upper bound of its scores.
  var segment: (last: Int, bound: Double) {
    guard let cursor, !isEnded else { return (blockLast, blockBound) }
    return (Int(cursor.segmentLast), bound(cursor.segmentBound))
  }

  private func finish() {
    isEnded = true
    blockLast = Self.end
    blockBound = 0
    blockCount = 0
    doc = Self.end
  }

  private func enterBlock() {
    guard let cursor else { return }
    blockLast = Int(cursor.blockLast)
    blockBound = bound(cursor.blockBound)
    isDecoded = false
    isNoted = false
    index = 0
  }

  private func enterListBlock(_ start: Int) {
    guard let list else { return }
    listStart = start
    blockCount = min(PostingsCursor.blockCapacity, list.count - start)
    ordinals = list.ordinals + start
    frequencies = list.frequencies + start
    blockLast = Int(ordinals[blockCount - 1])
    isDecoded = true
    index = 0
  }

  /// Goes to the first block that ends at or after the given ordinal, without decoding it; false if there is none.
  @inline(__always)
  func skip(to target: Int) throws(FullTextError) -> Bool {
    if target <= blockLast { return !isEnded }
    return try search(target)
  }

  private func search(_ target: Int) throws(FullTextError) -> Bool {
    if let cursor {
      if try cursor.skipBlocks(to: UInt32(target)) { enterBlock() } else { finish() }
    } else if let list {
      var (low, high) = (listStart + blockCount, list.count)
      var step = PostingsCursor.blockCapacity
      while low + step < high, Int(list.ordinals[low + step]) < target {
        low += step
        step *= 2
      }
      high = min(high, low + step + 1)
      while low < high {
        let middle = (low + high) / 2
        if Int(list.ordinals[middle]) < target { low = middle + 1 } else { high = middle }
      }
      if low < list.count {
        enterListBlock(low & ~(PostingsCursor.blockCapacity - 1))
      } else {
        finish()
      }
    }
    return !isEnded
  }

  /// Decodes the current block.
  @inline(__always)
  func decode() throws(FullTextError) {
    if !isDecoded { try decodeBlock() }
  }

  /// Looks up ascending documents in the current block, none before it; see ``PostingsCursor/find(_:_:_:)``.
  func find(
    _ documents: UnsafeBufferPointer<UInt32>,
    _ found: UnsafeMutablePointer<UInt32>,
    _ foundFrequencies: UnsafeMutablePointer<UInt32>
  ) throws(FullTextError) -> UInt32 {
    if let cursor {
      noteRead()
      return try cursor.find(documents, found, foundFrequencies)
    }
    guard let start = documents.baseAddress else { return 0 }
    return obx_find(
      ordinals,
      frequencies,
      UInt32(blockCount),
      start,
      documents.count,
      found,
      foundFrequencies
    )
  }

  /// Looks up ascending documents in the blocks of the current segment, from the current block on, or in the current
  /// block of a list.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - place: The index of the first document to look up, which is not before the current block; becomes the index of
  ///     the first document that is left.
  ///   - least: The score that postings need; blocks with lower bounds are skipped.
  ///   - found: Receives the postings.
  ///   - wantedCount: The number of postings at which the search ends.
  /// - Throws: ``FullTextError`` for damaged bytes.
  func find(
    _ documents: UnsafeBufferPointer<UInt32>,
    from place: inout Int,
    least: Double,
    _ found: PostingsView,
    until wantedCount: Int
  ) throws(FullTextError) {
    if let cursor, cursor.hasBlocks {
      readBlocks += try cursor.find(
        documents,
        from: &place,
        leastBound: leastBound(least),
        found,
        until: wantedCount
      )
      return enterBlock()
    }
    let start = place
    while place < documents.count, Int(documents[place]) <= blockLast { place += 1 }
    if blockBound < least { return }
    try found.add(self, UnsafeBufferPointer(rebasing: documents[start..<place]))
  }

  /// Returns the least block bound that allows the given score; 256 if there is none.
  private func leastBound(_ score: Double) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (0, 256)
    while low < high {
      let middle = (low + high) / 2
      if bound(UInt8(middle)) < score { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func decodeBlock() throws(FullTextError) {
    guard let cursor else { return }
    try cursor.decode()
    blockCount = cursor.blockCount
    isDecoded = true
    noteRead()
  }

  private func noteRead() {
    if !isNoted { readBlocks += 1 }
    isNoted = true
  }

  /// Goes to the first posting at or after the given ordinal, and returns its ordinal; `end` if there is none.
  @inline(__always)
  func seek(_ target: Int) throws(FullTextError) -> Int {
    if doc >= target { return doc }
    if target > blockLast {
      guard try search(target) else { return Self.end }
    }
    try decode()
    place(target)
    return doc
  }

  /// Finds a target in the decoded block, which ends at or after the target.
  @inline(__always)
  private func place(_ target: Int) {
    let ordinals = ordinals
    var index = index
    let near = index + 8
    if near < blockCount, Int(ordinals[near]) < target {
      var high = blockCount - 1
      index = near + 1
      while index < high {
        let middle = (index + high) / 2
        if Int(ordinals[middle]) < target { index = middle + 1 } else { high = middle }
      }
    } else {
      while Int(ordinals[index]) < target { index += 1 }
    }
    self.index = index
    doc = Int(ordinals[index])
  }

  /// The frequency of the current posting.
  var frequency: UInt32 { frequencies[index] }
}

extension LeafStream {
  /// The index after the current block's postings up to a document; the block is decoded.
  func end(_ last: Int) -> UInt32 {
    if last >= blockLast { return UInt32(blockCount) }
    var (low, high) = (index, blockCount)
    while low < high {
      let middle = (low + high) / 2
      if Int(ordinals[middle]) <= last { low = middle + 1 } else { high = middle }
    }
    return UInt32(low)
  }

  func parameters(_ scorer: Scorer) -> obx_score_parameters {
    obx_score_parameters(gain: gain, flat: scorer.flat, slope: scorer.slope)
  }
}
