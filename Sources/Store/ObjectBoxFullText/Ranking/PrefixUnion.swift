import CObjectBoxFullText

/// Unites the postings of all words with a beginning.
enum PrefixUnion {
  /// Returns the live documents that have any of the words, with the sums of their frequencies.
  ///
  /// - Complexity: O(*n*) for *n* postings, and a 64th of the documents.
  static func list(
    _ cursors: [PostingsCursor],
    _ run: RunReader,
    _ live: UnsafePointer<UInt64>?
  ) throws(FullTextError) -> PostingsList {
    let total = cursors.reduce(0) { $0 + $1.count }
    if total == 0 { return PostingsList() }
    let postings = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * total)
    defer { postings.deallocate() }
    let (ordinals, frequencies) = (postings, postings + total)
    var count = 0
    for cursor in cursors {
      while cursor.blockCount > 0 {
        try cursor.decode()
        let size = min(cursor.blockCount, total - count)
        (ordinals + count).update(from: cursor.ordinals, count: size)
        (frequencies + count).update(from: cursor.frequencies, count: size)
        count += size
        guard try cursor.skipBlocks(to: cursor.blockLast + 1) else { break }
      }
    }
    return unite(ordinals, frequencies, count, documentCount: run.documentCount, live)
  }

  private static func unite(
    _ ordinals: UnsafePointer<UInt32>,
    _ frequencies: UnsafePointer<UInt32>,
    _ count: Int,
    documentCount: Int,
    _ live: UnsafePointer<UInt64>?
  ) -> PostingsList {
    let wordCount = (documentCount + 63) / 64
    // Bits of the documents, and for each word of bits the number of bits set before it.
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: wordCount)
    let ranks = UnsafeMutablePointer<UInt32>.allocate(capacity: wordCount)
    defer {
      bits.deallocate()
      ranks.deallocate()
    }
    bits.initialize(repeating: 0, count: wordCount)
    obx_union_mark(ordinals, count, bits)
    let found = obx_union_rank(bits, ranks, live, wordCount)
    let list = PostingsList(capacity: Int(found))
    list.fill(Int(found)) { outOrdinals, outFrequencies in
      obx_union_ordinals(bits, wordCount, outOrdinals)
      outFrequencies.initialize(repeating: 0, count: Int(found))
      obx_union_add(ordinals, frequencies, count, bits, ranks, outFrequencies)
    }
    return list
  }
}
