import CObjectBoxFullText

/// The positions of words in the documents of a run, document by document in ascending order.
class Occurrences {
  /// Upper estimate of the number of documents.
  final let cost: Int
  /// The document that the last search found; -1 at the beginning.
  final fileprivate(set) var doc = -1
  /// The positions in the document, ascending, once they are read.
  final fileprivate(set) var positions: [UInt32] = []

  fileprivate init(cost: Int) { self.cost = cost }

  /// Returns the first document at or after the given one that can have positions; `LeafStream.end` if there is none.
  func seek(_ target: Int) throws(FullTextError) -> Int { LeafStream.end }

  /// Reads the positions in the current document; there may be none.
  func readPositions() throws(FullTextError) {}
}

/// Given positions in one document.
final class ListedOccurrences: Occurrences {
  init(_ positions: [UInt32]) {
    super.init(cost: 1)
    self.positions = positions
  }
}

/// The occurrences of one word.
final class TermOccurrences: Occurrences {
  private let stream: LeafStream
  private let cursor: PostingsCursor

  init(_ cursor: PostingsCursor) {
    stream = LeafStream(0, cursor)
    self.cursor = cursor
    super.init(cost: cursor.count)
  }

  override func seek(_ target: Int) throws(FullTextError) -> Int {
    doc = try stream.seek(target)
    return doc
  }

  override func readPositions() throws(FullTextError) {
    positions.removeAll(keepingCapacity: true)
    positions.append(contentsOf: try cursor.positions(at: stream.index))
  }
}

/// The occurrences of all words with a beginning, in the documents of a set.
final class PrefixOccurrences: Occurrences {
  private let words: [TermOccurrences]
  /// Pairs of documents (upper half) and indices of words that they have, ascending.
  private let pairs: [UInt64]
  private var index = 0

  /// Reads the words' postings twice: for the documents, then for positions.
  ///
  /// - Parameters:
  ///   - documents: The documents to consider; nil for all.
  ///   - makeCursors: Makes a cursor for each word.
  /// - Throws: ``FullTextError`` for postings that cannot be read.
  init(
    documents: DocumentSet?,
    _ makeCursors: () throws(FullTextError) -> [PostingsCursor]
  ) throws(FullTextError) {
    var pairs: [UInt64] = []
    for (index, cursor) in try makeCursors().enumerated() {
      let stream = LeafStream(0, cursor)
      var doc = try stream.seek(0)
      while doc != LeafStream.end {
        if documents?.contains(doc) ?? true { pairs.append(UInt64(doc) << 32 | UInt64(index)) }
        doc = try stream.seek(doc + 1)
      }
    }
    pairs.sort()
    self.pairs = pairs
    words = pairs.isEmpty ? [] : try makeCursors().map { TermOccurrences($0) }
    super.init(cost: pairs.count)
  }

  override func seek(_ target: Int) throws(FullTextError) -> Int {
    while index < pairs.count, Int(pairs[index] >> 32) < target { index += 1 }
    doc = index < pairs.count ? Int(pairs[index] >> 32) : LeafStream.end
    return doc
  }

  override func readPositions() throws(FullTextError) {
    positions.removeAll(keepingCapacity: true)
    var next = index
    while next < pairs.count, Int(pairs[next] >> 32) == doc {
      let word = words[Int(pairs[next] & 0xffff_ffff)]
      if try word.seek(doc) == doc {
        try word.readPositions()
        positions.append(contentsOf: word.positions)
      }
      next += 1
    }
    if next - index > 1 { positions.sort() }
  }
}

/// The occurrences of words at fixed distances: the positions of the first one.
final class PhraseOccurrences: Occurrences {
  private let words: [(occurrences: Occurrences, offset: UInt32)]
  /// The words, the rarest first.
  private let byCost: [Occurrences]
  private var matches: [UInt32] = []

  init(_ words: [(occurrences: Occurrences, offset: UInt32)]) {
    self.words = words
    byCost = words.map(\.occurrences).sorted { $0.cost < $1.cost }
    super.init(cost: byCost.first?.cost ?? 0)
  }

  override func seek(_ target: Int) throws(FullTextError) -> Int {
    doc = try Self.seekAll(byCost, target)
    return doc
  }

  /// Returns the first document at or after the given one that all occurrences have.
  static func seekAll(_ all: [Occurrences], _ target: Int) throws(FullTextError) -> Int {
    guard !all.isEmpty else { return LeafStream.end }
    var target = try all[0].seek(target)
    var agreed = 1
    var index = 1
    while agreed < all.count, target != LeafStream.end {
      if index == all.count { index = 0 }
      let found = try all[index].seek(target)
      agreed = found == target ? agreed + 1 : 1
      target = found
      index += 1
    }
    return target
  }

  override func readPositions() throws(FullTextError) {
    // Arrays are swapped rather than copied.
    matches.removeAll(keepingCapacity: true)
    for (number, word) in words.enumerated() {
      try word.occurrences.readPositions()
      if number == 0 {
        for position in word.occurrences.positions where position >= word.offset {
          matches.append(position - word.offset)
        }
      } else {
        intersect(word.occurrences.positions, offset: word.offset)
      }
      if matches.isEmpty { break }
    }
    swap(&matches, &positions)
  }

  /// Keeps the matches that have a position at a distance.
  private func intersect(_ positions: [UInt32], offset: UInt32) {
    positions.withUnsafeBufferPointer { positions in
      var (kept, index) = (0, 0)
      for match in matches {
        let wanted = match &+ offset
        while index < positions.count, positions[index] < wanted { index += 1 }
        if index == positions.count { break }
        if positions[index] == wanted {
          matches[kept] = match
          kept += 1
        }
      }
      matches.removeLast(matches.count - kept)
    }
  }
}

/// A set of documents of a run.
struct DocumentSet {
  private(set) var words: [UInt64]

  init(documentCount: Int) { words = Array(repeating: 0, count: (documentCount + 63) / 64) }

  mutating func insert(_ document: Int) { words[document / 64] |= 1 << UInt64(document % 64) }
  func contains(_ document: Int) -> Bool { words[document / 64] >> UInt64(document % 64) & 1 != 0 }
}

extension Occurrences {
  /// Drops the positions of other columns.
  func keepPositions(ofColumn column: Int) {
    positions.removeAll { Int($0 >> 24) != column }
  }
}

extension DocumentSet {
  /// Makes the set of the documents that streams have.
  init(unionOf streams: [LeafStream], documentCount: Int) throws(FullTextError) {
    self.init(documentCount: documentCount)
    for stream in streams {
      while !stream.isEnded {
        try stream.decode()
        obx_union_mark(stream.ordinals, stream.blockCount, &words)
        guard try stream.skip(to: stream.blockLast + 1) else { break }
      }
    }
  }

  /// Returns the number of live documents.
  func count(live: UnsafePointer<UInt64>?) -> Int {
    var count = 0
    for (index, word) in words.enumerated() {
      count += (live.map { word & $0[index] } ?? word).nonzeroBitCount
    }
    return count
  }
}
