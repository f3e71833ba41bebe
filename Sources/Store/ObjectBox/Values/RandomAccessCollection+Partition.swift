extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that meets a condition; the end index for none.
  ///
  /// All elements behind an element that meets it must meet it too: the search is binary.
  @inline(__always)
  func partitionIndex(where isBehind: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
