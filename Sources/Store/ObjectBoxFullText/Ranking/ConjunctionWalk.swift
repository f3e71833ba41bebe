import CObjectBoxFullText

/// Finds the documents that several streams share, block by block.
final class ConjunctionWalk {
  // Most queries have two words. Streams in an array would be retained at each use.
  private let rarest: LeafStream
  private let second: LeafStream
  /// The streams after the second one, by ascending counts.
  private let others: [LeafStream]
  private var start = 0
  /// Number of documents of the current window.
  private(set) var count = 0
  /// The documents of the current window, and for each stream the indices of their postings.
  let documents: UnsafeMutablePointer<UInt32>
  private let indices: UnsafeMutablePointer<UInt8>
  private let kept: UnsafeMutablePointer<UInt8>
  private static let capacity = PostingsCursor.blockCapacity + 1

  init(_ streams: [LeafStream]) {
    let byCount = streams.sorted { $0.count < $1.count }
    (rarest, second) = (byCount[0], byCount[1])
    others = Array(byCount.dropFirst(2))
    documents = .allocate(capacity: Self.capacity)
    indices = .allocate(capacity: Self.capacity)
    kept = .allocate(capacity: Self.capacity)
  }

  deinit {
    documents.deallocate()
    indices.deallocate()
    kept.deallocate()
  }

  /// Goes to the next window that has documents, all in the current block of each stream; false at the end.
  func next() throws(FullTextError) -> Bool {
    while true {
      let first = try rarest.seek(start)
      if first == LeafStream.end { return false }
      guard try second.skip(to: first) else { return false }
      var last = min(rarest.blockLast, second.blockLast)
      for other in others {
        guard try other.skip(to: first) else { return false }
        last = min(last, other.blockLast)
      }
      start = last + 1
      count = Int(rarest.end(last)) - rarest.index
      documents.update(from: rarest.ordinals + rarest.index, count: count)
      try keep(second, to: last)
      for other in others where count > 0 { try keep(other, to: last) }
      if count > 0 { return true }
    }
  }

  /// Keeps the documents, at least one, that a stream has in its current block.
  @inline(__always)
  private func keep(_ stream: LeafStream, to last: Int) throws(FullTextError) {
    let first = Int(documents[0])
    let next = try stream.seek(first)
    if count == 1 {
      // Usual for words with very different frequencies: few documents of a window are left.
      count = next == first ? 1 : 0
      return
    }
    // After its block, `seek` would have moved the stream.
    let found = Int(
      obx_intersect(
        documents,
        UInt32(count),
        stream.ordinals + stream.index,
        stream.end(last) - UInt32(stream.index),
        kept,
        indices
      )
    )
    if found < count {
      for index in 0..<found { documents[index] = documents[Int(kept[index])] }
    }
    count = found
  }
}

/// Finds the documents that have a phrase of whole words, and how often, in an index without weights.
struct PhraseWalk {
  private let streams: [LeafStream]
  private let cursors: [PostingsCursor]
  private let offsets: [UInt32]
  private let run: RunReader

  init(_ words: [(cursor: PostingsCursor, offset: UInt32)], _ run: RunReader) {
    cursors = words.map(\.cursor)
    streams = cursors.map { LeafStream(0, $0) }
    offsets = words.map(\.offset)
    self.run = run
  }

  /// Returns the live documents with their numbers of occurrences.
  func list(_ live: UnsafePointer<UInt64>?) throws(FullTextError) -> PostingsList {
    let list = PostingsList()
    let walk = ConjunctionWalk(streams)
    let words = UnsafeMutablePointer<obx_phrase_word>.allocate(capacity: cursors.count)
    let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: PostingsCursor.blockCapacity + 1)
    defer {
      words.deallocate()
      counts.deallocate()
    }
    while try walk.next() {
      for index in cursors.indices {
        let word = try cursors[index].phraseWord(
          from: streams[index].index,
          offset: offsets[index]
        )
        (words + index).initialize(to: word)
      }
      let count = UInt32(walk.count)
      guard obx_phrase_counts(words, UInt32(cursors.count), walk.documents, count, counts)
      else { throw run.damage("positions") }
      for index in 0..<walk.count where counts[index] > 0 {
        let document = walk.documents[index]
        if !live.isLive(Int(document)) { continue }
        list.append(document, counts[index])
      }
    }
    return list
  }
}
