/// Sets of IDs as ascending lists, each ID once.
enum SortedIDs {
  /// Returns the IDs that are in any list.
  static func union(_ lists: [[UInt64]]) -> [UInt64] {
    guard lists.count > 1 else { return lists.first ?? [] }
    let all = lists.flatMap(\.self).sorted()
    var ids: [UInt64] = []
    ids.reserveCapacity(all.count)
    for id in all where id != ids.last { ids.append(id) }
    return ids
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
