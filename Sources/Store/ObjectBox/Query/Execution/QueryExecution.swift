/// One run of a query inside a transaction.
///
/// Queries, subscriptions, live views, links and dynamic queries all search through a run, except
/// the usual look-up of one object by a key (``KeyLookup``). A run is made inside the caller's
/// transaction, on the transaction's thread, and must not outlive it.
///
/// The initializer prepares the run:
///
/// 1. Searches for neighbours and words are made, and replaced by the IDs found (``SearchResolver``). Links are
///    resolved to sets of host IDs, or become tests of each record, whichever reads less (``LinkResolver``).
/// 2. ``QueryPlanner`` chooses the path to the candidates: a scan of all records, IDs, or ranges of indexes, united or
///    intersected. Candidates include all results. A plan is exact if each candidate is a result.
/// 3. The condition is compiled to a ``RecordFilter``, unless the plan is exact and the query has no order.
///
/// Then the caller reads results, as often as it likes:
///
/// * ``forEach(backwards:_:)`` passes matching records by ID. A scan tests them in C where the
///   tests allow it; other paths read candidates by sorted ID.
/// * ``count(limit:)`` of an exact plan reads no records.
/// * `ids(offset:limit:)` in `ResultArrangement.swift` returns the IDs in the query's order: by a
///   walk through an index, or by sorting.
///
/// Counts, IDs and objects without a limit may use several threads, see
/// `QueryExecution+Split.swift`.
///
/// Invariant: a record that is passed to a block is valid until the block returns. The filter
/// owns the operands of its tests and of its program, so it is kept alive around each loop.
package struct QueryExecution {
  package let table: EntityTable
  let transaction: Transaction
  /// The orders of the results; each applies where the earlier ones are equal.
  let orders: [QueryOrder]
  /// The damaged objects that the run skips; nil when it does not look for them.
  package let skipped: SkippedObjects?
  /// The condition, with links and neighbours replaced by sets of IDs; nil when all objects are
  /// results.
  let condition: Condition?
  /// Nil when no record needs a test.
  private let filter: RecordFilter?
  private let linkTests: [LinkTest]
  let plan: QueryPlan
  /// The plans of the links.
  let links: [LinkPlan]
  /// The searches for neighbours and words.
  let searches: [SearchPlan]

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - condition: The condition of the results; nil for all objects.
  ///   - orders: The orders of the results.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - skipped: Collects the IDs of damaged objects, which the run then skips.
  ///   - testsOthers: True when ``matches(_:)`` is called with records that are not candidates of
  ///     the plan.
  /// - Throws: ``ObjectBoxError`` when the condition does not fit the entity, or the store cannot
  ///   be read.
  package init(
    _ condition: Condition?,
    orders: [QueryOrder] = [],
    table: EntityTable,
    transaction: Transaction,
    skipped: SkippedObjects? = nil,
    testsOthers: Bool = false
  ) throws {
    self.table = table
    self.transaction = transaction
    self.orders = QueryOrder.deciding(orders, entity: table.schema)
    self.skipped = skipped
    var resolved = condition
    if let condition, !condition.isOfPropertiesOnly {
      var searcher = SearchResolver(table: table, transaction: transaction, skipped: skipped)
      let findable = try searcher.resolve(condition)
      let resolver = try LinkResolver(findable, table: table, transaction: transaction)
      resolved = resolver.condition
      linkTests = resolver.tests
      links = resolver.plans
      searches = searcher.plans
    } else {
      searches = []
      linkTests = []
      links = []
    }
    self.condition = resolved
    plan = try QueryPlanner(table: table, transaction: transaction).plan(resolved)
    // Candidates of an exact plan need no test, but a walk through an index meets other objects.
    let needsNone = plan.isExact || plan.ids?.isEmpty ?? false
    if let resolved, testsOthers || !self.orders.isEmpty || !needsNone {
      filter = try RecordFilter(resolved, entity: table.schema, links: linkTests.map(\.link))
    } else {
      filter = nil
    }
  }

  /// Returns the IDs whose objects meet a condition.
  package static func matching(
    _ ids: some Sequence<UInt64>,
    _ condition: Condition?,
    in table: EntityTable,
    _ transaction: Transaction
  ) throws -> [UInt64] {
    let run = try Self(condition, table: table, transaction: transaction, testsOthers: true)
    return try ids.filter { id in
      try table.record(id, in: transaction.storage).map(run.matches) ?? false
    }
  }

  /// Returns whether a candidate matches; with `testsOthers`, whether any record matches.
  func matches(_ record: RecordReader) throws -> Bool {
    guard let filter else { return true }
    return linkTests.isEmpty
      ? filter.test.passes(record) : try filter.matches(record, testing: linkTests)
  }

  /// Passes the matching records to a block until it returns false, by ascending or descending ID.
  package func forEach(
    backwards: Bool = false,
    _ body: (RecordReader) throws -> Bool
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

  /// Passes the matching records from an ID on to a block until it returns false, by ascending or
  /// descending ID.
  ///
  /// - Parameters:
  ///   - first: The first ID in the direction; it need not exist.
  ///   - backwards: True for descending IDs.
  ///   - body: Gets a record, which is valid until it returns.
  /// - Throws: The error of the body, and ``ObjectBoxError`` when the store cannot be read.
  package func forEach(
    from first: UInt64,
    backwards: Bool,
    _ body: (RecordReader) throws -> Bool
  ) throws {
    guard plan.isScan, skipped == nil else {
      // The candidates are read anyway.
      return try forEach(backwards: backwards) { record in
        (backwards ? record.id > first : record.id < first) ? true : try body(record)
      }
    }
    var scan = try RecordScan(table, in: transaction)
    guard try scan.seek(first, isBackwards: backwards) else { return }
    let program = scanProgram
    func next() throws -> RecordReader? {
      // The records of the first batch have not passed the program.
      guard let program, !scan.isInBatch else { return try scan.next(isBackwards: backwards) }
      return try scan.next(passing: program.filter, isBackwards: backwards)
    }
    try withExtendedLifetime(filter) {
      while let record = try next() {
        if try matches(record) { guard try body(record) else { return } }
      }
    }
  }

  /// The filter of a scan, which accepts all records of an exact plan; nil with links.
  var scanFilter: RecordFilter? {
    get throws {
      guard linkTests.isEmpty else { return nil }
      return plan.isExact ? try RecordFilter(.all([]), entity: table.schema) : filter
    }
  }

  /// The program that tests the records of a scan; nil for other plans, and when only Swift knows a
  /// test.
  private var scanProgram: RecordProgram? {
    guard plan.isScan, linkTests.isEmpty, !plan.isExact else { return nil }
    return filter?.program(for: table.records)
  }

  /// The same with tests of links, which cost more than calling a block.
  @inline(never)
  private func forEachLinked(
    backwards: Bool,
    _ body: (RecordReader) throws -> Bool
  ) throws {
    try forEachCandidate(backwards: backwards) { try matches($0) ? try body($0) : true }
  }

  /// Passes the plan's records to a block until it returns false, by ascending or descending ID.
  private func forEachCandidate(
    backwards: Bool,
    _ body: (RecordReader) throws -> Bool
  ) throws {
    if plan.isScan {
      var scan = try RecordScan(table, in: transaction)
      while let record = try scan.next(isBackwards: backwards) {
        guard try body(record) else { return }
      }
      return
    }
    var ids = try candidates()
    if backwards { ids.reverse() }
    let scan = try RecordScan(table, in: transaction)
    for id in ids {
      guard let record = try scan.record(id: id) else { continue }
      guard try body(record) else { return }
    }
  }

  /// Returns the number of matching records, at most a non-zero `limit`.
  package func count(limit: Int = 0) throws -> Int {
    if plan.isExact, skipped == nil {
      let count = try exactCount(limit: limit)
      return limit == 0 ? count : min(count, limit)
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

  /// Returns the IDs of all results, ascending; reads no records if the plan is exact and uses an
  /// index.
  ///
  /// The run has no order.
  package func allIDs() throws -> [UInt64] {
    let isKnown = plan.isExact && skipped == nil && !plan.isScan
    return try isKnown ? candidates() : ids(offset: 0, limit: 0)
  }

  /// Returns the number of candidates; may end at a non-zero `limit` or above it.
  private func exactCount(limit: Int) throws -> Int {
    if plan.isScan { return plan.total }
    if let ids = plan.ids { return ids.count }
    guard case .index(let definition, let ranges, _) = plan.path else {
      return try candidates(plan.path).count
    }
    let scan = try IndexScan(definition, in: transaction.storage)
    var count = 0
    for range in ranges where limit == 0 || count < limit { count += try scan.count(in: range) }
    return count
  }

  /// Returns the IDs of the candidates of a plan other than a scan, ascending and each once.
  func candidates() throws -> [UInt64] { try candidates(of: plan) }

  /// Returns the IDs of the candidates of a plan other than a scan, ascending and each once.
  func candidates(of plan: QueryPlan) throws -> [UInt64] {
    try plan.ids ?? candidates(plan.path)
  }

  /// Returns the IDs of the candidates of a path, ascending and each once.
  private func candidates(_ path: AccessPath) throws -> [UInt64] {
    switch path {
    case .scan: return []
    case .ids(let ids): return ids
    case .index(let definition, let ranges, _):
      var ids: [UInt64] = []
      let scan = try IndexScan(definition, in: transaction.storage)
      for range in ranges { try scan.addIDs(in: range, to: &ids) }
      // Reading by ascending ID costs a fraction of random reads.
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
