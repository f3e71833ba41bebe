/// Chooses the access path of a condition: one or several indexes, or a scan.
struct QueryPlanner {
  /// Cost of a record that is read by ID, in records of a scan (approximate).
  static let candidateCost = 4
  /// Below this number of objects, any usable index is taken.
  static let fewObjects = 1000
  /// From this number of ranges on, only a sample is estimated.
  private static let estimatedRanges = 32

  let table: EntityTable
  let transaction: Transaction
  /// The number of objects of the entity.
  private let total: Int

  init(table: EntityTable, transaction: Transaction) throws {
    self.table = table
    self.transaction = transaction
    total = try table.count(in: transaction.storage)
  }

  /// Returns the plan of a condition; nil means all objects.
  func plan(_ condition: Condition?) throws -> QueryPlan {
    guard let condition, var best = try candidate(condition),
      total < Self.fewObjects || best.cost <= total
    else {
      return QueryPlan(path: .scan, estimate: total, isExact: condition == nil, total: total)
    }
    best.estimate = min(best.estimate, total)
    return best
  }

  /// Returns the plan that finds exactly the results by indexes, even where a scan is cheaper; nil
  /// when the indexes do not suffice.
  func exactPlan(_ condition: Condition) throws -> QueryPlan? {
    guard var best = try candidate(condition), best.isExact else { return nil }
    best.estimate = min(best.estimate, total)
    return best
  }

  /// Returns the best path by indexes or IDs; nil when only a scan finds all results.
  private func candidate(_ condition: Condition) throws -> QueryPlan? {
    switch condition {
    case .property(let leaf): return try candidate(leaf)
    case .all(let parts):
      let candidates = try parts.compactMap { try candidate($0) } + compoundCandidates(parts)
      return intersection(candidates, of: parts.count)
    case .any(let parts):
      let candidates = try parts.compactMap { try candidate($0) }
      guard candidates.count == parts.count else { return nil }
      return QueryPlan(
        path: .union(candidates.map(\.path)),
        estimate: min(total, candidates.reduce(0) { $0 + $1.estimate }),
        entries: candidates.reduce(0) { $0 + $1.entries },
        isExact: candidates.allSatisfy(\.isExact),
        total: total
      )
    case .link: return nil
    }
  }

  /// Returns the path of a conjunction.
  ///
  /// Every result is a candidate of each part, so the cheapest part suffices. Another part is added
  /// if its entries cost less than the records that it excludes.
  private func intersection(_ candidates: [QueryPlan], of count: Int) -> QueryPlan? {
    let sorted = candidates.sorted { $0.cost < $1.cost }
    guard var best = sorted.first else { return nil }
    var paths = [best.path]
    for other in sorted.dropFirst() {
      let common = best.estimate * other.estimate / max(1, total)
      guard other.entries < (best.estimate - common) * (Self.candidateCost - 1) else { continue }
      paths.append(other.path)
      best.estimate = common
      best.entries += other.entries
      best.isExact = best.isExact && other.isExact
    }
    if paths.count < count { best.isExact = false }
    if paths.count > 1 {
      best.path = .intersection(paths)
      best.ids = nil
    }
    return best
  }

  /// Returns the paths by indexes over several properties whose first properties have conditions
  /// with `==`.
  private func compoundCandidates(_ parts: [Condition]) throws -> [QueryPlan] {
    try CompoundRanges(table: table).find(parts).map { definition, range, condition in
      let estimate = try estimate([range], of: definition)
      return QueryPlan(
        path: .index(definition, [range], condition: condition),
        estimate: estimate,
        entries: estimate,
        total: total
      )
    }
  }

  private func compoundCandidate(_ condition: PropertyCondition) throws -> QueryPlan? {
    try compoundCandidates([.property(condition)]).min { $0.estimate < $1.estimate }
  }

  /// Returns the path of a condition on a property without its own index.
  private func candidateWithoutIndex(_ condition: PropertyCondition) throws -> QueryPlan? {
    let property = try ConditionTypes.property(condition.propertyID, in: table.schema)
    let operand = try ConditionTypes.operand(of: condition, for: property)
    guard property.has(.id) else { return try compoundCandidate(condition) }
    guard case .integers(let values) = operand, [.equal, .isIn].contains(condition.comparison)
    else { return nil }
    let ids = Set(values.map { UInt64(bitPattern: $0) }).sorted()
    return QueryPlan(path: .ids(ids), estimate: ids.count, total: total)
  }

  private func candidate(_ condition: PropertyCondition) throws -> QueryPlan? {
    guard let definition = table.indexes.first(where: { $0.propertyID == condition.propertyID })
    else { return try candidateWithoutIndex(condition) }
    guard let ranges = try IndexRanges(definition: definition).ranges(condition)
    else { return try compoundCandidate(condition) }
    var ids: [UInt64]?
    let estimate: Int
    if ranges.count == 1, let key = ranges[0].onlyKey {
      let found = try IndexScan(definition, in: transaction.storage).find(key)
      estimate = found.count
      // The usual look-up of one object is complete.
      if found.count < 2 { ids = found.count == 0 ? [] : [found.firstID] }
    } else {
      estimate = try self.estimate(ranges, of: definition)
    }
    // Keys of null, integers and UUIDs are exact; keys of texts and bytes may be hashed or truncated.
    var isCut = definition.kind != .value || definition.property.type == .string
    if case .bytes = condition.operand { isCut = true }
    let isExact = !isCut || !condition.hasOperand
    return QueryPlan(
      path: .index(definition, ranges, condition: condition),
      estimate: estimate,
      entries: estimate,
      isExact: isExact,
      total: total,
      ids: ids
    )
  }

  /// Returns the approximate number of entries in ranges; samples many ranges evenly.
  private func estimate(_ ranges: [IndexRange], of definition: IndexDefinition) throws -> Int {
    let scan = try IndexScan(definition, in: transaction.storage)
    let step = (ranges.count + Self.estimatedRanges - 1) / Self.estimatedRanges
    guard step > 1 else { return try ranges.reduce(0) { try $0 + scan.estimate(in: $1) } }
    let sample = Array(stride(from: 0, to: ranges.count, by: step))
    let sum = try sample.reduce(0) { try $0 + scan.estimate(in: ranges[$1]) }
    // Each range costs a search, even if it is empty.
    return max(ranges.count, sum * ranges.count / sample.count)
  }
}
