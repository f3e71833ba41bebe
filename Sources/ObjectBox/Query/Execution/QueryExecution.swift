/// One run of a query inside a transaction.
package struct QueryExecution {
  let table: EntityTable
  let transaction: Transaction
  /// The orders of the results, each of which decides where those before are equal.
  let orders: [QueryOrder]
  /// The damaged objects that the run leaves out; nil when it does not look for them.
  package let skipped: SkippedObjects?
  /// The condition, in which sets of IDs stand for links and neighbours; nil when all objects are results.
  let condition: Condition?
  /// Nil when no record needs a test.
  private let filter: RecordFilter?
  /// True when the filter depends on the condition alone, and not on what the store holds.
  private let isFilterReusable: Bool
  private let linkTests: [LinkTest]
  let plan: QueryPlan
  /// The plans of the links.
  let links: [LinkPlan]

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - condition: The condition of the results; nil for all objects.
  ///   - orders: The orders of the results.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - skipped: Takes the IDs of damaged objects, which are left out then.
  ///   - kept: The reusable filter of another run with the same condition.
  ///   - testsOthers: True when ``matches(_:)`` is called with records that are no candidates of the plan.
  /// - Throws: ``ObjectBoxError`` when the condition does not fit the entity, or the store cannot be read.
  package init(
    _ condition: Condition?,
    orders: [QueryOrder] = [],
    table: EntityTable,
    transaction: Transaction,
    skipped: SkippedObjects? = nil,
    filter kept: RecordFilter? = nil,
    testsOthers: Bool = false
  ) throws {
    self.table = table
    self.transaction = transaction
    self.orders = orders
    self.skipped = skipped
    var resolved = condition
    isFilterReusable = condition?.isOfPropertiesOnly ?? true
    if let condition, !isFilterReusable {
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
    self.condition = resolved
    plan = try QueryPlanner(table: table, transaction: transaction).plan(resolved)
    // Candidates of an exact plan need no test. The walk of an index in the order of the query has others.
    let needsNone = plan.isExact || plan.ids?.isEmpty ?? false
    if let resolved, testsOthers || !orders.isEmpty || !needsNone {
      filter =
        try kept
        ?? RecordFilter(resolved, entity: table.schema, links: linkTests.map(\.link))
    } else {
      filter = nil
    }
  }

  /// The filter, for other runs with the same condition; nil when there is none, or it is of this run only.
  var reusableFilter: RecordFilter? { isFilterReusable ? filter : nil }

  /// Returns whether a record matches: a candidate of the plan, or any record where the run tests others.
  func matches(_ record: FlatBufferReader) throws -> Bool {
    guard let filter else { return true }
    return linkTests.isEmpty
      ? filter.test.passes(record) : try filter.matches(record, testing: linkTests)
  }

  /// Passes the matching records to a block until it returns false, by ascending or descending ID.
  @inline(__always)
  package func forEach(
    backwards: Bool = false,
    _ body: (FlatBufferReader) throws -> Bool
  ) throws {
    if let skipped { return try forEachSound(backwards: backwards, skipped, body) }
    guard linkTests.isEmpty else { return try forEachLinked(backwards: backwards, body) }
    if let program = scanProgram {
      return try withExtendedLifetime(filter) {
        var scan = try RecordScan(table, in: transaction)
        while let record = try scan.next(passing: program.filter, isBackwards: backwards) {
          guard try body(record) else { return }
        }
      }
    }
    let test = plan.isExact ? RecordTest(first: nil) : filter?.test ?? RecordTest(first: nil)
    try withExtendedLifetime(filter) {
      try forEachCandidate(backwards: backwards) { test.passes($0) ? try body($0) : true }
    }
  }

  /// Passes the matching records from an ID on to a block until it returns false, by ascending or descending ID.
  ///
  /// - Parameters:
  ///   - first: The first ID in the direction; there need not be such an object.
  ///   - backwards: True for descending IDs.
  ///   - body: Is passed a record, which is valid until it returns.
  /// - Throws: The error of the body, and ``ObjectBoxError`` when the store cannot be read.
  package func forEach(
    from first: UInt64,
    backwards: Bool,
    _ body: (FlatBufferReader) throws -> Bool
  ) throws {
    guard case .scan = plan.path, skipped == nil else {
      // The candidates are read anyway.
      return try forEach(backwards: backwards) { record in
        (backwards ? record.id > first : record.id < first) ? true : try body(record)
      }
    }
    var scan = try RecordScan(table, in: transaction)
    guard try scan.seek(first, isBackwards: backwards) else { return }
    let program = scanProgram
    func next() throws -> FlatBufferReader? {
      // The first batch has not passed the program.
      guard let program, !scan.isInBatch else { return try scan.next(isBackwards: backwards) }
      return try scan.next(passing: program.filter, isBackwards: backwards)
    }
    try withExtendedLifetime(filter) {
      while let record = try next() {
        if try matches(record) { guard try body(record) else { return } }
      }
    }
  }

  /// The filter of a scan, which all records pass where none needs a test; nil with links.
  var scanFilter: RecordFilter? {
    get throws {
      guard linkTests.isEmpty else { return nil }
      return plan.isExact
        ? try RecordFilter(.all([]), entity: table.schema, links: []) : filter
    }
  }

  /// The program that tests the records of a scan; nil for another plan, and for tests that only Swift knows.
  private var scanProgram: RecordProgram? {
    guard case .scan = plan.path, linkTests.isEmpty, !plan.isExact else { return nil }
    return filter?.program(for: table.records)
  }

  /// Does the same with tests of links, which cost more than the call of a block.
  @inline(never)
  private func forEachLinked(
    backwards: Bool,
    _ body: (FlatBufferReader) throws -> Bool
  ) throws {
    try forEachCandidate(backwards: backwards) { try matches($0) ? try body($0) : true }
  }

  /// Passes the records of the plan to a block until it returns false, by ascending or descending ID.
  @inline(__always)
  private func forEachCandidate(
    backwards: Bool,
    _ body: (FlatBufferReader) throws -> Bool
  ) throws {
    if case .scan = plan.path {
      var scan = try RecordScan(table, in: transaction)
      while let record = try scan.next(isBackwards: backwards) {
        guard try body(record) else { return }
      }
      return
    }
    var ids = try candidates()
    if backwards { ids.reverse() }
    if ids.count < 2 {
      if let id = ids.first, let record = try table.record(id, in: transaction.storage) {
        _ = try body(record)
      }
      return
    }
    let scan = try RecordScan(table, in: transaction)
    for id in ids {
      guard let record = try scan.record(id: id) else { continue }
      guard try body(record) else { return }
    }
  }

  /// Returns the number of matching records, at most `limit` when that is not 0.
  package func count(limit: Int = 0) throws -> Int {
    if plan.isExact, limit == 0, skipped == nil {
      if case .scan = plan.path { return plan.total }
      if let ids = plan.ids { return ids.count }
      if case .index(let definition, let ranges, _) = plan.path {
        let scan = try IndexScan(definition, in: transaction.storage)
        return try ranges.reduce(0) { try $0 + scan.count(in: $1) }
      }
      return try candidates(plan.path).count
    }
    if limit == 0, let count = try countInThreads() { return count }
    if limit == 0, skipped == nil, let program = scanProgram {
      let scan = try RecordScan(table, in: transaction)
      return try withExtendedLifetime(filter) { try scan.count(passing: program.filter) }
    }
    var count = 0
    try forEach { _ in
      count += 1
      return count != limit
    }
    return count
  }

  /// Returns the IDs of the candidates of a plan other than a scan, ascending and each once.
  func candidates() throws -> [UInt64] { try plan.ids ?? candidates(plan.path) }

  /// Returns the IDs of the candidates of a path, ascending and each once.
  private func candidates(_ path: AccessPath) throws -> [UInt64] {
    switch path {
    case .scan: return []
    case .ids(let ids): return ids
    case .index(let definition, let ranges, _):
      var ids: [UInt64] = []
      let scan = try IndexScan(definition, in: transaction.storage)
      for range in ranges { try scan.addIDs(in: range, to: &ids) }
      // Reading in the order of IDs costs a fraction of random reads.
      SortedIDs.sort(&ids)
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
