internal import ObjectBoxStorage

/// One run of a query inside a transaction.
struct QueryExecution {
  private let table: EntityTable
  private let transaction: Transaction
  private let filter: RecordFilter?
  let plan: QueryPlan

  init(_ condition: Condition?, table: EntityTable, transaction: Transaction) throws {
    self.table = table
    self.transaction = transaction
    let condition = try condition?.replacingNearest(in: table.schema) { nearest in
      try nearest.find(in: table, transaction)
    }
    filter = try condition.map { try RecordFilter($0, entity: table.schema) }
    plan = try QueryPlanner(table: table, transaction: transaction).plan(condition)
  }

  /// Passes the records that match to a block, in the order of their IDs, until it returns false.
  @inline(__always)
  func forEach(_ body: (FlatBufferReader) throws -> Bool) throws {
    var scan = try RecordScan(table, in: transaction)
    if case .scan = plan.path {
      while let record = try scan.next() {
        guard filter?.matches(record) ?? true else { continue }
        guard try body(record) else { return }
      }
      return
    }
    for id in try candidates(plan.path) {
      guard let record = try scan.record(id: id), filter?.matches(record) ?? true else { continue }
      guard try body(record) else { return }
    }
  }

  /// Returns the number of records that match, at most `limit` when that is not 0.
  func count(limit: Int = 0) throws -> Int {
    if plan.isExact, limit == 0 {
      if case .scan = plan.path { return plan.total }
      if case .index(let definition, let ranges, _) = plan.path {
        let scan = IndexScan(definition: definition, transaction: transaction.storage)
        return try ranges.reduce(0) { try $0 + scan.count(in: $1) }
      }
    }
    var count = 0
    try forEach { _ in
      count += 1
      return count != limit
    }
    return count
  }

  /// Returns the IDs of the results: ordered, from `offset` on, at most `limit` unless that is 0.
  func ids(orders: [QueryOrder], offset: Int, limit: Int) throws -> [UInt64] {
    if orders.isEmpty {
      var ids: [UInt64] = []
      var skipped = 0
      try forEach { record in
        if skipped < offset {
          skipped += 1
        } else {
          ids.append(record.id)
        }
        return limit == 0 || ids.count < limit
      }
      return ids
    }
    let order = try ResultOrder(orders, entity: table.schema)
    var rows: [ResultOrder.Row] = []
    try forEach { record in
      rows.append(order.row(of: record))
      return true
    }
    let ids = order.sorted(rows).dropFirst(offset)
    return Array(limit == 0 ? ids : ids.prefix(limit))
  }

  /// Returns the IDs that a path leads to, ascending and each once.
  private func candidates(_ path: AccessPath) throws -> [UInt64] {
    switch path {
    case .scan: return []
    case .ids(let ids): return ids
    case .index(let definition, let ranges, _):
      var ids: [UInt64] = []
      let scan = IndexScan(definition: definition, transaction: transaction.storage)
      for range in ranges { try scan.forEach(in: range) { ids.append($0) } }
      // Reading in the order of IDs costs a fraction of reading at random.
      if ranges.count > 1 || ids.count > 1 { ids.sort() }
      return ids
    case .union(let paths):
      var seen: Set<UInt64> = []
      for path in paths { seen.formUnion(try candidates(path)) }
      return seen.sorted()
    }
  }
}
