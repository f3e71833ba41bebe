/// Sorting of IDs by their bytes.
///
/// Earns 5 % of the row 'integer range by index', with 100,000 objects.
extension SortedIDs {
  /// From this number of IDs on, radix sort is faster than comparisons.
  private static let fewIDs = 64

  /// Sorts IDs; many IDs by radix sort, as their upper bytes are mostly equal.
  static func sort(_ ids: inout [UInt64], sortedBits: UInt64 = 0) {
    guard let first = ids.first, !isSorted(ids) else { return }
    if ids.count < fewIDs { return ids.sort() }
    var difference: UInt64 = 0
    for id in ids { difference |= id ^ first }
    var other = [UInt64](repeating: 0, count: ids.count)
    for shift in stride(from: sortedBits, to: 64, by: 8) where difference >> shift & 0xFF != 0 {
      sort(ids, byDigitAt: shift, into: &other)
      swap(&ids, &other)
    }
  }

  /// Returns whether IDs ascend, like the IDs of one key of an index.
  private static func isSorted(_ ids: [UInt64]) -> Bool {
    ids.withUnsafeBufferPointer { ids in
      var previous: UInt64 = 0
      for id in ids {
        if id < previous { return false }
        previous = id
      }
      return true
    }
  }

  /// Copies IDs in the order of one byte; stable.
  private static func sort(
    _ ids: [UInt64],
    byDigitAt shift: UInt64,
    into sorted: inout [UInt64]
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      places.initialize(repeating: 0)
      for id in ids { places[Int(id >> shift & 0xFF)] += 1 }
      var begin = 0
      for digit in places.indices {
        let count = places[digit]
        places[digit] = begin
        begin += count
      }
      sorted.withUnsafeMutableBufferPointer { sorted in
        for id in ids {
          let digit = Int(id >> shift & 0xFF)
          sorted[places[digit]] = id
          places[digit] += 1
        }
      }
    }
  }
}
