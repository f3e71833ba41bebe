internal import ObjectBoxStorage

/// One run of a query inside a transaction.
struct QueryExecution {
  private let table: EntityTable
  private let transaction: Transaction
  private let filter: RecordFilter?
  private let linkTests: [LinkTest]
  let plan: QueryPlan
  /// How the links are carried out.
  let links: [LinkPlan]

  init(_ condition: Condition?, table: EntityTable, transaction: Transaction) throws {
    self.table = table
    self.transaction = transaction
    var resolved = condition
    if let condition, !condition.isOfPropertiesOnly {
      let findable = try condition.replacingNearest(in: table.schema) { nearest in
        try nearest.find(in: table, transaction)
      }
      let resolver = try LinkResolver(findable, table: table, transaction: transaction)
      resolved = resolver.condition
      linkTests = resolver.tests
      links = resolver.plans
    } else {
      linkTests = []
      links = []
    }
    filter = try resolved.map { try RecordFilter($0, entity: table.schema) }
    var plan = try QueryPlanner(table: table, transaction: transaction).plan(resolved)
    if !linkTests.isEmpty { plan.isExact = false }
    self.plan = plan
  }

  /// Returns whether a record matches.
  @inline(__always)
  func matches(_ record: FlatBufferReader) throws -> Bool {
    guard filter?.matches(record) ?? true else { return false }
    return linkTests.isEmpty ? true : try linkTests.allSatisfy { try $0.matches(record) }
  }

  /// Passes the records that match to a block, in the order of their IDs, until it returns false.
  @inline(__always)
  func forEach(_ body: (FlatBufferReader) throws -> Bool) throws {
    if case .scan = plan.path {
      var scan = try RecordScan(table, in: transaction)
      while let record = try scan.next() {
        guard try matches(record) else { continue }
        guard try body(record) else { return }
      }
      return
    }
    let ids = try plan.ids ?? candidates(plan.path)
    if ids.count < 2 {
      // Without a cursor, which takes longer to open than to read one record.
      guard let id = ids.first,
        let bytes = try transaction.storage.get(table.records.objects, id: id)
      else { return }
      let record = try table.records.reader(bytes, id: id)
      if try matches(record) { _ = try body(record) }
      return
    }
    let scan = try RecordScan(table, in: transaction)
    for id in ids {
      guard let record = try scan.record(id: id), try matches(record) else { continue }
      guard try body(record) else { return }
    }
  }

  /// Returns the number of records that match, at most `limit` when that is not 0.
  func count(limit: Int = 0) throws -> Int {
    if plan.isExact, limit == 0 {
      if case .scan = plan.path { return plan.total }
      if let ids = plan.ids { return ids.count }
      if case .index(let definition, let ranges, _) = plan.path {
        let scan = try IndexScan(definition, in: transaction.storage)
        return try ranges.reduce(0) { try $0 + scan.count(in: $1) }
      }
      return try candidates(plan.path).count
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
    if let ids = try walk(orders, offset: offset, limit: limit) { return ids }
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

  /// Returns the IDs of the results in the order of an index; nil when that does not pay.
  private func walk(_ orders: [QueryOrder], offset: Int, limit: Int) throws -> [UInt64]? {
    guard let walk = try walk(orders, count: limit == 0 ? 0 : offset + limit) else { return nil }
    let order = try ResultOrder(orders, entity: table.schema)
    let scan = try RecordScan(table, in: transaction)
    func sort(_ ids: [UInt64]) throws -> [UInt64] {
      order.sorted(try ids.compactMap { try scan.record(id: $0).map(order.row) })
    }
    var ids: [UInt64] = []
    var skipped = 0
    var visited = 0
    try walk.forEach(in: transaction.storage, sorting: sort) { id in
      visited += 1
      if visited > walk.maxCount { return false }
      if walk.isFiltered {
        guard let record = try scan.record(id: id), try matches(record) else { return true }
      }
      if skipped < offset {
        skipped += 1
        return true
      }
      ids.append(id)
      return limit == 0 || ids.count < limit
    }
    return visited > walk.maxCount ? nil : ids
  }

  /// Returns the walk that gives the results in order.
  ///
  /// - Parameters:
  ///   - orders: What the query is ordered by.
  ///   - count: How many results are wanted; 0 for all.
  /// - Returns: Nil when there is none, or it does not pay.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func walk(_ orders: [QueryOrder], count: Int) throws -> IndexWalk? {
    guard orders.count == 1 else { return nil }
    return try IndexWalk(
      orders[0],
      plan,
      isFiltered: filter != nil || !linkTests.isEmpty,
      count: count,
      table,
      transaction.storage
    )
  }

  /// Returns the IDs that a path leads to, ascending and each once.
  private func candidates(_ path: AccessPath) throws -> [UInt64] {
    switch path {
    case .scan: return []
    case .ids(let ids): return ids
    case .index(let definition, let ranges, _):
      var ids: [UInt64] = []
      let scan = try IndexScan(definition, in: transaction.storage)
      for range in ranges { try scan.forEach(in: range) { ids.append($0) } }
      // Reading in the order of IDs costs a fraction of reading at random.
      if ranges.count > 1 || ids.count > 1 { ids.sort() }
      return ids
    case .union(let paths): return SortedIDs.union(try paths.map(candidates))
    case .intersection(let paths):
      var ids: [UInt64]?
      for path in paths {
        let more = try candidates(path)
        ids = ids.map { SortedIDs.intersection($0, more) } ?? more
        if ids?.isEmpty ?? true { break }
      }
      return ids ?? []
    }
  }
}

extension Condition {
  /// True when nothing must be found before the condition can be planned: it has no link, and asks for no
  /// nearest neighbours.
  fileprivate var isOfPropertiesOnly: Bool {
    switch self {
    case .property(let condition): condition.comparison != .isNearest
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfPropertiesOnly)
    case .link: false
    }
  }
}
