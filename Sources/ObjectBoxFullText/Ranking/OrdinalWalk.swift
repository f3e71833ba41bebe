/// Finds the documents of ascending IDs in a run.
struct OrdinalWalk {
  private let run: RunReader
  private var chunk: NumberTable.Chunk?
  /// The first ordinal of the chunk, and its number of documents.
  private var start = 0
  private var count = 0
  private var last: UInt64 = 0

  init(_ run: RunReader) { self.run = run }

  /// Returns the document of an ID, which is not below the one before; nil if there is none.
  mutating func document(of id: UInt64) throws(FullTextError) -> Int? {
    if chunk == nil || id > last {
      let ordinal = Int(try run.firstOrdinal(from: id))
      guard ordinal < run.documentCount else { return nil }
      let number = ordinal / NumberTable.chunkCount
      let found = try run.ids(number)
      chunk = found
      start = number * NumberTable.chunkCount
      count = run.count(ofChunk: number)
      last = found.number(at: count - 1)
    }
    guard let chunk else { return nil }
    let index = chunk.firstIndex(from: id, count: count)
    guard index < count, chunk.number(at: index) == id else { return nil }
    return start + index
  }
}
