/// The plan of a link.
struct LinkPlan {
  let link: LinkCondition
  /// True when the link is tested on each host; false when targets are found first, then their
  /// hosts.
  var isTested: Bool
  /// The plan of the query for the targets.
  var targets: QueryPlan
}

/// The links of a condition, prepared for one run.
///
/// For each link it either finds the targets first or leaves the link to a test on each host,
/// whichever reads less.
struct LinkResolver {
  /// Cost of going from an object to a related one, in records of a scan (approximate).
  private static let stepCost = 4

  private let table: EntityTable
  private let transaction: Transaction
  /// The condition, in which resolved links are sets of host IDs; each other link has a test.
  private(set) var condition: Condition?
  private(set) var tests: [LinkTest] = []
  private(set) var plans: [LinkPlan] = []

  private struct Open {
    var link: LinkCondition
    var targets: QueryExecution
    /// The cost of finding the targets and their hosts.
    var cost: Int
  }

  /// Resolves the links of a condition whose other parts are ready for a filter.
  init(_ condition: Condition?, table: EntityTable, transaction: Transaction) throws {
    self.table = table
    self.transaction = transaction
    self.condition = condition
    guard var condition, condition.hasLink else { return }
    // Resolves a repeated link once.
    var places: [LinkCondition: Int] = [:]
    let links = condition.links.filter { link in
      places[link, default: 0] += 1
      return places[link] == 1
    }
    let narrowsLinks = condition.narrowsLinks
    var resolved: [LinkCondition: Condition] = [:]
    // Cheapest first, so that the others are tested on fewer hosts.
    for open in try links.map(open).sorted(by: { $0.cost < $1.cost }) {
      var isTested = false
      if let cost = try testCost(open) {
        var hosts = try table.count(in: transaction.storage)
        if narrowsLinks {
          condition = condition.replacing(resolved)
          resolved = [:]
          hosts = try self.hosts(for: open.link, in: condition, hosts)
        } else {
          hosts *= places[open.link] ?? 1
        }
        isTested = hosts * cost < open.cost
      }
      if isTested {
        tests.append(try LinkTest(open.link, open.targets))
      } else {
        resolved[open.link] = try self.hosts(of: open)
      }
      plans.append(LinkPlan(link: open.link, isTested: isTested, targets: open.targets.plan))
    }
    self.condition = condition.replacing(resolved)
  }

  private func open(_ link: LinkCondition) throws -> Open {
    let target = try link.targetTable(of: table, in: transaction.file)
    let targets = try QueryExecution(
      link.condition,
      table: target,
      transaction: transaction,
      testsOthers: true
    )
    var cost = targets.plan.cost
    switch link.end {
    // The targets' records contain the host IDs.
    case .toOneBacklink: break
    case .toOne(let property):
      if table.valueIndex(on: property) != nil { cost += targets.plan.estimate * Self.stepCost }
    case .standalone, .standaloneBacklink: cost += targets.plan.estimate * Self.stepCost
    }
    return Open(link: link, targets: targets, cost: cost)
  }

  /// Returns the cost of testing a link on one host; nil for a link without such a test.
  private func testCost(_ open: Open) throws -> Int? {
    // Aggregates are known for all hosts at once.
    if open.link.aggregate != nil { return nil }
    let total = try table.count(in: transaction.storage)
    let pairs: Int
    switch open.link.end {
    case .toOne: pairs = total
    case .toOneBacklink(let property):
      guard open.targets.table.valueIndex(on: property) != nil else { return nil }
      pairs = open.targets.plan.total
    case .standalone(let id), .standaloneBacklink(let id):
      let entries = transaction.file.relation(id: id)
      pairs = try entries.map { try $0.count(in: transaction.storage) } ?? 0
    }
    return (1 + pairs / max(1, total)) * Self.stepCost
  }

  /// Returns the approximate number of hosts that a link is tested on, after the other parts.
  private func hosts(
    for link: LinkCondition,
    in condition: Condition,
    _ total: Int
  ) throws -> Int {
    switch condition {
    case .property: return 0
    case .link(let other): return other == link ? total : 0
    case .any(let parts): return try parts.reduce(0) { try $0 + hosts(for: link, in: $1, total) }
    case .all(let parts):
      let count = try parts.reduce(0) { try $0 + hosts(for: link, in: $1, total) }
      if count == 0 { return 0 }
      let planner = try QueryPlanner(table: table, transaction: transaction)
      return min(count, try planner.plan(condition).estimate)
    }
  }

  /// Finds the targets, and returns a condition that matches their hosts.
  private func hosts(of open: Open) throws -> Condition {
    if let aggregate = open.link.aggregate { return try hosts(of: open, aggregate) }
    if case .toOne(let property) = open.link.end {
      let targets = try open.targets.allIDs()
      return .leaf(property, .isIn, .integers(targets.map { Int64(bitPattern: $0) }))
    }
    var hosts: Set<UInt64> = []
    try forEachHost(of: open) { hosts.insert($1) }
    return try .comparingID(.isIn, hosts, of: table.schema)
  }

  /// Passes each target of another end than a to-one property with the ID of each of its hosts.
  private func forEachHost(of open: Open, _ body: (RecordReader, UInt64) -> Void) throws {
    if case .toOneBacklink(let property) = open.link.end {
      return try open.targets.forEach { target in
        if let host = target.target(ofProperty: property) { body(target, host) }
        return true
      }
    }
    let related = try RelationReader(open.link.end.reversed, table, in: transaction)
    try open.targets.forEach { target in
      for host in try related.ids(of: target.id) { body(target, host) }
      return true
    }
  }

  /// Computes the aggregate of each host's targets, and returns a condition that matches the hosts
  /// whose aggregate meets the comparison.
  private func hosts(of open: Open, _ aggregate: LinkAggregate) throws -> Condition {
    let test = try RelatedTest(aggregate, of: open.targets.table.schema)
    var totals: [UInt64: RelatedTest.Total] = [:]
    if case .toOne(let property) = open.link.end {
      totals = try totalsOfHosts(open, property, test)
    } else {
      try forEachHost(of: open) { target, host in
        test.add(target, to: &totals[host, default: RelatedTest.Total()])
      }
    }
    // Hosts that have no total have no targets.
    let matchesNone = test.matches(RelatedTest.Total())
    let hosts = totals.filter { test.matches($0.value) != matchesNone }.keys
    return try .comparingID(matchesNone ? .isNotIn : .isIn, hosts, of: table.schema)
  }

  /// Returns the aggregate of each host with a target of a to-one relation.
  private func totalsOfHosts(
    _ open: Open,
    _ property: UInt32,
    _ test: RelatedTest
  ) throws -> [UInt64: RelatedTest.Total] {
    var targets: [UInt64: RelatedTest.Total] = [:]
    try open.targets.forEach { target in
      test.add(target, to: &targets[target.id, default: RelatedTest.Total()])
      return true
    }
    let isTarget = Condition.leaf(
      property,
      .isIn,
      .integers(targets.keys.map { Int64(bitPattern: $0) })
    )
    var totals: [UInt64: RelatedTest.Total] = [:]
    try QueryExecution(isTarget, table: table, transaction: transaction).forEach { host in
      if let target = host.target(ofProperty: property) { totals[host.id] = targets[target] }
      return true
    }
    return totals
  }
}
