import CObjectBoxFullText

/// Finds the documents that several streams share, block by block.
final class ConjunctionWalk {
  /// The streams, the rarest first; at least two.
  private let streams: [LeafStream]
  private var start = 0
  /// Number of documents of the current window.
  private(set) var count = 0
  /// The documents of the current window, and for each stream the indices of their postings.
  let documents: UnsafeMutablePointer<UInt32>
  private let indices: UnsafeMutablePointer<UInt8>
  private let kept: UnsafeMutablePointer<UInt8>
  private static let capacity = PostingsCursor.blockCapacity + 1

  init(_ streams: [LeafStream]) {
    self.streams = streams.sorted { $0.count < $1.count }
    documents = .allocate(capacity: Self.capacity)
    indices = .allocate(capacity: Self.capacity)
    kept = .allocate(capacity: Self.capacity)
  }

  deinit {
    documents.deallocate()
    indices.deallocate()
    kept.deallocate()
  }

  /// Goes to the next window with documents, which are in the current block of each stream; false
  /// at the end.
  func next() throws(FullTextError) -> Bool {
    while true {
      var last = LeafStream.end - 1
      for stream in streams {
        guard try stream.skip(to: start) else { return false }
        last = min(last, stream.blockLast)
      }
      let first = try streams[0].seek(start)
      if first > last {
        start = first
        continue
      }
      start = last + 1
      try intersect(from: first, to: last)
      if count > 0 { return true }
    }
  }

  private func intersect(from first: Int, to last: Int) throws(FullTextError) {
    let rarest = streams[0]
    count = Int(rarest.end(last)) - rarest.index
    documents.update(from: rarest.ordinals + rarest.index, count: count)
    for stream in streams.dropFirst() where count > 0 {
      _ = try stream.seek(first)
      // Behind its block, `seek` would have moved the stream.
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
    var words: [obx_phrase_word] = []
    var counts = [UInt32](repeating: 0, count: PostingsCursor.blockCapacity)
    while try walk.next() {
      words.removeAll(keepingCapacity: true)
      for (index, cursor) in cursors.enumerated() {
        words.append(try cursor.phraseWord(from: streams[index].index, offset: offsets[index]))
      }
      let count = UInt32(walk.count)
      guard obx_phrase_counts(&words, UInt32(words.count), walk.documents, count, &counts)
      else { throw run.damage("positions") }
      for index in 0..<walk.count where counts[index] > 0 {
        let document = walk.documents[index]
        if let live, live[Int(document / 64)] >> UInt64(document % 64) & 1 == 0 { continue }
        list.append(document, counts[index])
      }
    }
    return list
  }
}
