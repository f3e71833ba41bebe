extension RunReader {
  /// Returns the documents of ascending IDs; IDs that the run lacks have none.
  ///
  /// - Complexity: O(*n*) for *n* IDs, and more if the IDs of the run have gaps.
  func documents(of wanted: ArraySlice<UInt64>) throws(FullTextError) -> [UInt32] {
    try wanted.withUnsafeBufferPointer { wanted in
      Result { () throws(FullTextError) in try documents(of: wanted) }
    }
    .get()
  }

  private func documents(
    of wanted: UnsafeBufferPointer<UInt64>
  ) throws(FullTextError) -> [UInt32] {
    var documents = [UInt32](repeating: 0, count: wanted.count)
    var foundCount = 0
    var place = 0
    while place < wanted.count {
      let first = place
      let ordinal = Int(try firstOrdinal(from: wanted[place]))
      guard ordinal < documentCount else { break }
      var number = ordinal / NumberTable.chunkCount
      repeat {
        let chunk = try ids(number)
        let (start, count) = (number * NumberTable.chunkCount, count(ofChunk: number))
        let last = chunk.number(at: count - 1)
        // The next chunk mostly has the next ID.
        if place < wanted.count, wanted[place] > last { break }
        if chunk.width == 0 {
          // IDs follow the base without gaps; the first wanted ones may be before it.
          while place < wanted.count, wanted[place] < chunk.base { place += 1 }
          let offset = UInt64(start) &- chunk.base
          let firstHere = place
          while place < wanted.count, wanted[place] <= last { place += 1 }
          documents.withUnsafeMutableBufferPointer { room in
            for index in firstHere..<place {
              room[foundCount] = UInt32(truncatingIfNeeded: wanted[index] &+ offset)
              foundCount += 1
            }
          }
        } else {
          var index = 0
          while place < wanted.count, wanted[place] <= last {
            index = chunk.firstIndex(from: wanted[place], count: count, after: index)
            if chunk.number(at: index) == wanted[place] {
              documents[foundCount] = UInt32(start + index)
              foundCount += 1
            }
            place += 1
          }
        }
        number += 1
      } while place < wanted.count && number * NumberTable.chunkCount < documentCount
      // Only IDs that do not ascend lead to a chunk without a place for this one.
      if place == first { throw damage("its IDs") }
    }
    documents.removeLast(documents.count - foundCount)
    return documents
  }
}
