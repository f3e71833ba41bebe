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
    let groups = try sorted(try groups(test), orders)
    let end = limit > 0 ? min(groups.count, max(0, offset).addingClamped(limit)) : groups.count
    return Array(groups[min(max(0, offset), end)..<end])
  }

  private func sorted(_ groups: [Int], _ orders: [GroupOrder]) throws -> [Int] {
    let keys = groups.map { key($0).map(\.content) }
    let values = try orders.map { order in
      guard case .aggregate(let source) = order.subject else { return [GroupCell.Content]() }
      return try groups.map { try content(source, $0) }
    }
    func compareKeys(_ first: Int, _ second: Int) -> Int {
      for (first, second) in zip(keys[first], keys[second]) {
        let order = GroupOrder.compare(first, second)
        if order != 0 { return order }
      }
      return 0
    }
    return groups.indices.sorted { first, second in
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

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
