internal import ObjectBox

extension GroupTable {
  /// Returns an aggregate of a group.
  func content(_ source: AggregateSource, _ group: Int) throws -> GroupCell.Content {
    try content(index(of: source), group)
  }

  /// Returns the index of an aggregate, which the plan has.
  func index(of source: AggregateSource) -> Int { plan.aggregates.firstIndex(of: source) ?? 0 }

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
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    let groups = try groups(test)
    let end = limit > 0 ? min(groups.count, offset.addingClamped(limit)) : groups.count
    let first = try first(end, of: groups, orders)
    return Array(first[min(offset, end)...])
  }

  /// Returns the first groups in an order.
  private func first(_ count: Int, of groups: [Int], _ orders: [GroupOrder]) throws -> [Int] {
    let values = try orders.map { order in
      guard case .aggregate(let source) = order.subject else { return [GroupCell.Content]() }
      return try groups.map { try content(source, $0) }
    }
    lazy var ranks = keyRanks()
    if orders.isEmpty {
      let all = ranks
      return groups.indices.first(count) { all[groups[$0]] < all[groups[$1]] }.map { groups[$0] }
    }
    func compareKeys(_ first: Int, _ second: Int) -> Int {
      let (first, second) = (ranks[groups[first]], ranks[groups[second]])
      return first < second ? -1 : first > second ? 1 : 0
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

extension ValueNumbers {
  /// Returns the place of each value in the order of the values; equal values have equal places.
  func ranks() -> [UInt64] {
    let contents = (0..<count).map(content)
    var integers: [UInt64] = []
    for case .integer(let number) in contents {
      integers.append(UInt64(bitPattern: number) ^ 1 << 63)
    }
    if integers.count == contents.count { return integers.dense() }
    return contents.dense { GroupOrder.compare($0, $1) < 0 }
  }
}

extension [UInt64] {
  /// Returns the place of each number among the different numbers.
  func dense() -> [UInt64] { dense(by: <) }
}

extension Array {
  /// Returns the place of each element in an order of the different elements.
  fileprivate func dense(by precedes: (Element, Element) -> Bool) -> [UInt64] {
    let sorted = enumerated().sorted { precedes($0.element, $1.element) }
    var places = [UInt64](repeating: 0, count: count)
    var place: UInt64 = 0
    for (index, element) in sorted.enumerated() {
      if index > 0, precedes(sorted[index - 1].element, element.element) { place += 1 }
      places[element.offset] = place
    }
    return places
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
