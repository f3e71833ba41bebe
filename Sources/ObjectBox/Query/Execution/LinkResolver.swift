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
    var table: EntityTable
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
    var links: [LinkCondition] = []
    for link in condition.links where !links.contains(link) { links.append(link) }
    // Cheapest first, so that the others are tested on fewer hosts.
    for open in try links.map(open).sorted(by: { $0.cost < $1.cost }) {
      // Counts are known for all hosts at once.
      let isTested = try open.link.count == nil && testCost(open, in: condition) < open.cost
      if isTested {
        tests.append(try LinkTest(open.link, open.targets, open.table, in: transaction))
      } else {
        condition = condition.replacing(open.link, by: try hosts(of: open))
      }
      plans.append(LinkPlan(link: open.link, isTested: isTested, targets: open.targets.plan))
    }
    self.condition = condition
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
      if table.hasValueIndex(on: property) { cost += targets.plan.estimate * Self.stepCost }
    case .standalone, .standaloneBacklink: cost += targets.plan.estimate * Self.stepCost
    }
    return Open(link: link, table: target, targets: targets, cost: cost)
  }

  /// Returns the cost of testing the link on each host that the rest of the condition matches.
  private func testCost(_ open: Open, in condition: Condition) throws -> Int {
    let total = try table.count(in: transaction.storage)
    let pairs: Int
    switch open.link.end {
    case .toOne: pairs = total
    case .toOneBacklink(let property):
      guard open.table.hasValueIndex(on: property) else { return .max }
      pairs = open.targets.plan.total
    case .standalone(let id), .standaloneBacklink(let id):
      let entries = transaction.file.relation(id: id)
      pairs = try entries.map { try $0.count(in: transaction.storage) } ?? 0
    }
    let pairsOfHost = 1 + pairs / max(1, total)
    return try hosts(for: open.link, in: condition, total) * pairsOfHost * Self.stepCost
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
      let planner = QueryPlanner(table: table, transaction: transaction)
      return min(count, try planner.plan(condition).estimate)
    }
  }

  /// Finds the targets, and returns a condition that matches their hosts.
  private func hosts(of open: Open) throws -> Condition {
    if let count = open.link.count { return try hosts(of: open, count) }
    switch open.link.end {
    case .toOne(let property):
      var targets: [Int64] = []
      try open.targets.forEach { record in
        targets.append(Int64(bitPattern: record.id))
        return true
      }
      return .property(
        PropertyCondition(propertyID: property, comparison: .isIn, operand: .integers(targets))
      )
    case .toOneBacklink(let property):
      return try isHost(of: open) { target, hosts in
        if let host = target.target(ofProperty: property) { hosts.insert(host) }
      }
    case .standalone, .standaloneBacklink:
      let related = try RelationReader(open.link.end.reversed, table, in: transaction)
      return try isHost(of: open) { target, hosts in
        hosts.formUnion(try related.ids(of: target.id))
      }
    }
  }

  /// Counts the targets of each host, and returns a condition that matches those with the right
  /// number.
  private func hosts(of open: Open, _ count: LinkCount) throws -> Condition {
    var counts: [UInt64: Int] = [:]
    switch open.link.end {
    case .toOne(let property):
      let targets = try open.targets.ids(offset: 0, limit: 0)
      let isTarget = Condition.comparing(
        property,
        .isIn,
        integers: targets.map { Int64(bitPattern: $0) }
      )
      let hosts = try QueryExecution(isTarget, table: table, transaction: transaction)
      for host in try hosts.ids(offset: 0, limit: 0) { counts[host] = 1 }
    case .toOneBacklink(let property):
      try open.targets.forEach { target in
        if let host = target.target(ofProperty: property) { counts[host, default: 0] += 1 }
        return true
      }
    case .standalone, .standaloneBacklink:
      let related = try RelationReader(open.link.end.reversed, table, in: transaction)
      try open.targets.forEach { target in
        for host in try related.ids(of: target.id) { counts[host, default: 0] += 1 }
        return true
      }
    }
    // Hosts that are not counted have no targets.
    let matchesNone = count.matches(0)
    let hosts = counts.filter { count.matches($0.value) != matchesNone }.keys
    return matchesNone
      ? try .hasNoID(in: hosts, of: table.schema) : try .hasID(in: hosts, of: table.schema)
  }

  /// Finds the targets, and returns a condition that matches the host IDs that a block adds for
  /// each.
  private func isHost(
    of open: Open,
    _ addHosts: (RecordReader, inout Set<UInt64>) throws -> Void
  ) throws -> Condition {
    var hosts: Set<UInt64> = []
    try open.targets.forEach { target in
      try addHosts(target, &hosts)
      return true
    }
    return try .hasID(in: hosts, of: table.schema)
  }
}

extension EntityTable {
  /// Returns whether an index finds objects by the property's value.
  func hasValueIndex(on property: UInt32) -> Bool { valueIndex(on: property) != nil }
}
