/// Sets of IDs as ascending lists, each ID once.
package enum SortedIDs {
  /// From this number of IDs on, radix sort is faster than comparisons.
  private static let fewIDs = 64

  /// Sorts IDs; many IDs by radix sort, as their upper bytes are mostly equal.
  static func sort(_ ids: inout [UInt64]) {
    guard let first = ids.first else { return }
    var previous: UInt64 = 0
    var difference: UInt64 = 0
    var isSorted = true
    for id in ids {
      difference |= id ^ first
      if id < previous { isSorted = false }
      previous = id
    }
    if isSorted { return }
    if ids.count < fewIDs { return ids.sort() }
    var other = [UInt64](repeating: 0, count: ids.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where difference >> shift & 0xFF != 0 {
      sort(ids, byDigitAt: shift, into: &other)
      swap(&ids, &other)
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

  /// Returns the IDs that are in at least one list.
  static func union(_ lists: [[UInt64]]) -> [UInt64] {
    guard lists.count > 1 else { return lists.first ?? [] }
    var all = lists.flatMap(\.self)
    sort(&all)
    var ids: [UInt64] = []
    ids.reserveCapacity(all.count)
    for id in all where id != ids.last { ids.append(id) }
    return ids
  }

  /// Returns a list without the IDs `gone` and with the IDs `new`.
  ///
  /// - Parameters:
  ///   - gone: The IDs to remove; they need not be in the list.
  ///   - new: The IDs to insert; a subset of `gone`.
  ///   - list: Any list.
  /// - Returns: The new list. Apart from the copy, the time grows with the number of `gone`.
  package static func replacing(_ gone: [UInt64], by new: [UInt64], in list: [UInt64]) -> [UInt64] {
    var ids: [UInt64] = []
    ids.reserveCapacity(list.count + new.count)
    var rest = list[...]
    var added = new[...]
    for id in gone {
      var (low, high) = (rest.startIndex, rest.endIndex)
      while low < high {
        let middle = low + (high - low) / 2
        if list[middle] < id { low = middle + 1 } else { high = middle }
      }
      ids += rest[..<low]
      rest = rest[low...]
      if rest.first == id { rest.removeFirst() }
      if added.first == id { ids.append(added.removeFirst()) }
    }
    return ids + rest
  }

  /// Returns the IDs that are in both lists.
  static func intersection(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var ids: [UInt64] = []
    var (left, right) = (0, 0)
    while left < a.count, right < b.count {
      if a[left] == b[right] {
        ids.append(a[left])
        left += 1
        right += 1
      } else if a[left] < b[right] {
        left += 1
      } else {
        right += 1
      }
    }
    return ids
  }
}
