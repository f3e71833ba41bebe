extension GroupTable {
  /// Returns an aggregate of a group.
  func content(_ source: AggregateSource, _ group: Int) throws -> GroupCell.Content {
    try content(plan.aggregates.firstIndex(of: source) ?? 0, group)
  }

  /// Returns the groups that meet a condition, in any order.
  func groups(_ test: GroupTest?) throws -> [Int] {
    let groups = Array(counts.indices)
    guard let test else { return groups }
    return try groups.filter { group in try test.passes { try content($0, group) } }
  }

  /// Returns the groups that meet a condition, in an order; equal groups by their keys.
  func groups(
    _ test: GroupTest?,
    _ orders: [GroupOrder],
    offset: Int,
    limit: Int
  ) throws -> [Int] {
    let groups = try groups(test)
    let end = limit > 0 ? min(groups.count, max(0, offset).addingClamped(limit)) : groups.count
    let first = try first(end, of: groups, orders)
    return Array(first[min(max(0, offset), end)...])
  }

  /// Returns the first groups in an order.
  private func first(_ count: Int, of groups: [Int], _ orders: [GroupOrder]) throws -> [Int] {
    let values = try orders.map { order in
      guard case .aggregate(let source) = order.subject else { return [GroupCell.Content]() }
      return try groups.map { try content(source, $0) }
    }
    var known = [[GroupCell.Content]?](repeating: nil, count: groups.count)
    func keys(_ index: Int) -> [GroupCell.Content] {
      if let keys = known[index] { return keys }
      let keys = key(groups[index]).map(\.content)
      known[index] = keys
      return keys
    }
    func compareKeys(_ first: Int, _ second: Int) -> Int {
      for (first, second) in zip(keys(first), keys(second)) {
        let order = GroupOrder.compare(first, second)
        if order != 0 { return order }
      }
      return 0
    }
    return groups.indices.first(count) { first, second in
      for (order, values) in zip(orders, values) {
        let result =
          values.isEmpty
          ? compareKeys(first, second) : GroupOrder.compare(values[first], values[second])
        if result != 0 { return order.isDescending ? result > 0 : result < 0 }
      }
      return compareKeys(first, second) < 0
    }.map { groups[$0] }
  }
}

extension Range<Int> {
  /// Returns the first `count` numbers in an order.
  fileprivate func first(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    // To insert few into a sorted array takes less time than to sort all.
    guard count < Swift.min(1000, self.count / 8) else {
      return Array(sorted(by: precedes).prefix(count))
    }
    var best: [Int] = []
    if count == 0 { return best }
    for number in self where best.count < count || precedes(number, best[count - 1]) {
      if best.count == count { best.removeLast() }
      var (low, high) = (0, best.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(best[middle], number) { low = middle + 1 } else { high = middle }
      }
      best.insert(number, at: low)
    }
    return best
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
