extension RunReader {
  /// Returns the documents of ascending IDs; skips IDs that the run lacks.
  ///
  /// - Complexity: O(*n*) for *n* IDs, and more if the IDs of the run have gaps.
  func documents(of wanted: ArraySlice<UInt64>) throws(FullTextError) -> [UInt32] {
    var documents = [UInt32](repeating: 0, count: wanted.count)
    let count = try wanted.withUnsafeBufferPointer { wanted in
      documents.withUnsafeMutableBufferPointer { room in
        Result { () throws(FullTextError) in try findDocuments(of: wanted, room) }
      }
    }
    .get()
    documents.removeLast(documents.count - count)
    return documents
  }

  /// Writes the documents of ascending IDs, and returns their number; has room for one document per ID.
  private func findDocuments(
    of wanted: UnsafeBufferPointer<UInt64>,
    _ documents: UnsafeMutableBufferPointer<UInt32>
  ) throws(FullTextError) -> Int {
    let bounds = idBounds
    if UInt64(documentCount) == bounds.upperBound &- bounds.lowerBound &+ 1 {
      // IDs are consecutive, like the IDs of objects that were put together.
      let start =
        bounds.lowerBound > 0 ? wanted.end(through: bounds.lowerBound - 1, from: 0) : 0
      let end = wanted.end(through: bounds.upperBound, from: start)
      for index in start..<end {
        documents[index - start] = UInt32(truncatingIfNeeded: wanted[index] &- bounds.lowerBound)
      }
      return end - start
    }
    var foundCount = 0
    var place = 0
    // The first chunk that was not read.
    var number = 0
    while place < wanted.count {
      let ordinal = Int(try firstOrdinal(from: wanted[place]))
      guard ordinal < documentCount else { break }
      // Only IDs out of order lead back.
      guard ordinal >= number * NumberTable.chunkCount else { throw damage("its IDs") }
      let first = place
      number = ordinal / NumberTable.chunkCount
      repeat {
        let chunk = try ids(number)
        let (start, count) = (number * NumberTable.chunkCount, count(ofChunk: number))
        let last = chunk.number(at: count - 1)
        // The next chunk usually has the next ID.
        if wanted[place] > last { break }
        if chunk.width == 0 {
          // IDs are consecutive from the base on; the first wanted ones may be below it.
          while place < wanted.count, wanted[place] < chunk.base { place += 1 }
          let end = wanted.end(through: last, from: place)
          let offset = UInt64(start) &- chunk.base
          for index in place..<end {
            documents[foundCount + index - place] = UInt32(
              truncatingIfNeeded: wanted[index] &+ offset
            )
          }
          foundCount += end - place
          place = end
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
      // Only IDs out of order lead to a chunk that cannot have this one.
      if place == first { throw damage("its IDs") }
    }
    return foundCount
  }
}

extension UnsafeBufferPointer<UInt64> {
  /// Returns the index after the numbers up to `last`, in ascending numbers from an index on.
  ///
  /// - Complexity: O(log *n*) for *n* numbers in between.
  fileprivate func end(through last: UInt64, from start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step <= count, self[low + step - 1] <= last {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step - 1, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= last { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
