/// Sets of IDs as ascending lists, each ID once.
package enum SortedIDs {
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
      let place = rest.partitionIndex { $0 >= id }
      ids += rest[..<place]
      rest = rest[place...]
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
