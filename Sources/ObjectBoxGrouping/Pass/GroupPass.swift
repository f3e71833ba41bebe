internal import Foundation
internal import ObjectBox

/// One run of a grouped query.
struct GroupPass {
  /// A group without types.
  struct Row {
    var key: [GroupCell]
    var values: [GroupCell]
  }

  private let plan: GroupPlan
  private let execution: QueryExecution

  init(keys: [KeySource], aggregates: [AggregateSource], _ execution: QueryExecution) throws {
    plan = try GroupPlan(keys: keys, aggregates: aggregates, entity: execution.table.schema)
    self.execution = execution
  }

  /// How the run reads, in words.
  var way: String {
    get throws {
      if let name = try countedIndex { return "numbers of entries in the index on '\(name)'" }
      let threads = try execution.isSplit ? ", by several threads" : ""
      return "one pass over the objects\(threads); \(plan.columns.count) "
        + (plan.columns.count == 1 ? "property read" : "properties read")
    }
  }

  /// The property by whose index the run is served: that needs one key, the number of objects and
  /// nothing else.
  private var countedIndex: String? {
    get throws {
      guard let key = countedKey, try execution.canCountKeys(of: key) else { return nil }
      return try plan.property(key).name
    }
  }

  private var countedKey: UInt32? {
    guard plan.keys.count == 1, plan.keys[0].function == .value,
      plan.aggregates.allSatisfy({ $0.propertyID == nil }), plan.columns[0].kind == .integer
    else { return nil }
    return plan.keys[0].propertyID
  }

  /// Returns the number of groups that meet a condition.
  func count(_ test: GroupTest?) throws -> Int {
    let table = try table()
    return try groups(of: table, test).count
  }

  /// Returns the groups that meet a condition, in an order.
  func rows(
    _ orders: [GroupOrder],
    _ test: GroupTest?,
    selected: [AggregateSource],
    offset: Int,
    limit: Int
  ) throws -> [Row] {
    let table = try table()
    let groups = try sorted(try groups(of: table, test), orders, of: table)
    let end = limit > 0 ? min(groups.count, max(0, offset).addingClamped(limit)) : groups.count
    return try groups[min(max(0, offset), end)..<end].map { group in
      Row(
        key: table.key(group),
        values: try selected.map { GroupCell(try value($0, group, of: table)) }
      )
    }
  }

  private func groups(of table: GroupTable, _ test: GroupTest?) throws -> [Int] {
    let groups = Array(table.counts.indices)
    guard let test else { return groups }
    return try groups.filter { group in try test.passes { try value($0, group, of: table) } }
  }

  private func value(
    _ source: AggregateSource,
    _ group: Int,
    of table: GroupTable
  ) throws -> GroupCell.Content {
    try table.content(plan.aggregates.firstIndex(of: source) ?? 0, group)
  }

  private func table() throws -> GroupTable {
    let table = try GroupTable(plan)
    if let key = countedKey, try execution.forEachKey(of: key, { table.add($0, count: $1) }) {
      return try table.checked()
    }
    let plan = plan
    let tables = try execution.foldByThread {
      TableOfThread(table: Result { try GroupTable(plan) })
    } _: { thread, record in
      if case .success(let table) = thread.table { table.add(record) }
    }
    if let tables {
      for other in tables {
        let other = try other.table.get()
        other.flush()
        table.add(other)
      }
    } else {
      try execution.forEach {
        table.add($0)
        return true
      }
      table.flush()
    }
    return try table.checked()
  }

  private func sorted(
    _ groups: [Int],
    _ orders: [GroupOrder],
    of table: GroupTable
  ) throws -> [Int] {
    let keys = groups.map { table.key($0).map(\.content) }
    let values = try orders.map { order in
      guard case .aggregate(let source) = order.subject else { return [GroupCell.Content]() }
      return try groups.map { try value(source, $0, of: table) }
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

/// The table of a thread.
///
/// Safe to send: one thread fills it, and the calling thread reads it after all threads have ended.
private struct TableOfThread: @unchecked Sendable {
  let table: Result<GroupTable, any Error>
}

extension GroupTable {
  /// Returns the table, or throws what ended its reading.
  fileprivate func checked() throws -> GroupTable {
    if let error { throw error }
    return self
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
