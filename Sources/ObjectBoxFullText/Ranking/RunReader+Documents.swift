extension RunReader {
  /// Returns the documents of ascending IDs; IDs that the run lacks have none.
  ///
  /// - Complexity: O(*n*) for *n* IDs, and more if the IDs of the run have gaps.
  func documents(of wanted: ArraySlice<UInt64>) throws(FullTextError) -> [UInt32] {
    var documents: [UInt32] = []
    documents.reserveCapacity(wanted.count)
    var place = wanted.startIndex
    while place < wanted.endIndex {
      let ordinal = Int(try firstOrdinal(from: wanted[place]))
      guard ordinal < documentCount else { break }
      var number = ordinal / NumberTable.chunkCount
      repeat {
        let chunk = try ids(number)
        let (start, count) = (number * NumberTable.chunkCount, count(ofChunk: number))
        let last = chunk.number(at: count - 1)
        // The next chunk mostly has the next ID.
        if place < wanted.endIndex, wanted[place] > last { break }
        while place < wanted.endIndex, wanted[place] <= last {
          let index = chunk.firstIndex(from: wanted[place], count: count)
          if chunk.number(at: index) == wanted[place] { documents.append(UInt32(start + index)) }
          place += 1
        }
        number += 1
      } while place < wanted.endIndex && number * NumberTable.chunkCount < documentCount
    }
    return documents
  }
}
