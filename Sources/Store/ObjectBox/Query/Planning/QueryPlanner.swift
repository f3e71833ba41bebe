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

  private struct Candidate {
    var path: AccessPath
    /// The approximate number of candidates.
    var estimate: Int
    /// The approximate number of index entries that are read.
    var entries: Int
    var isExact: Bool
    /// The IDs of the candidates, if the estimate has read all of them.
    var ids: [UInt64]?

    /// The cost in records of a scan; an entry costs about one.
    var cost: Int { entries + (QueryPlanner.candidateCost - 1) * estimate }
  }

  /// Returns the plan of a condition; nil means all objects.
  func plan(_ condition: Condition?) throws -> QueryPlan {
    let total = try table.count(in: transaction.storage)
    guard let condition, let best = try candidate(condition, total),
      total < Self.fewObjects || best.cost <= total
    else {
      return QueryPlan(
        path: .scan,
        estimate: total,
        isExact: condition == nil,
        total: total,
        cost: total
      )
    }
    return plan(best, total)
  }

  /// Returns the plan that finds exactly the results by indexes, even where a scan is cheaper; nil
  /// when the indexes do not suffice.
  func exactPlan(_ condition: Condition) throws -> QueryPlan? {
    let total = try table.count(in: transaction.storage)
    guard let best = try candidate(condition, total), best.isExact else { return nil }
    return plan(best, total)
  }

  private func plan(_ candidate: Candidate, _ total: Int) -> QueryPlan {
    QueryPlan(
      path: candidate.path,
      estimate: min(candidate.estimate, total),
      isExact: candidate.isExact,
      total: total,
      cost: candidate.cost,
      ids: candidate.ids
    )
  }

  /// Returns the best path by indexes or IDs; nil when only a scan finds all results.
  private func candidate(_ condition: Condition, _ total: Int) throws -> Candidate? {
    switch condition {
    case .property(let leaf): return try candidate(leaf)
    case .all(let parts):
      let candidates = try parts.compactMap { try candidate($0, total) } + compoundCandidates(parts)
      return intersection(candidates, of: parts.count, total)
    case .any(let parts):
      let candidates = try parts.compactMap { try candidate($0, total) }
      guard candidates.count == parts.count else { return nil }
      return Candidate(
        path: .union(candidates.map(\.path)),
        estimate: min(total, candidates.reduce(0) { $0 + $1.estimate }),
        entries: candidates.reduce(0) { $0 + $1.entries },
        isExact: candidates.allSatisfy(\.isExact)
      )
    case .link: return nil
    }
  }

  /// Returns the path of a conjunction.
  ///
  /// Every result is a candidate of each part, so the cheapest part suffices. Another part is added
  /// if its entries cost less than the records that it excludes.
  private func intersection(
    _ candidates: [Candidate],
    of count: Int,
    _ total: Int
  ) -> Candidate? {
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
  private func compoundCandidates(_ parts: [Condition]) throws -> [Candidate] {
    try CompoundRanges(table: table).find(parts).map { found in
      let estimate = try estimate([found.range], of: found.definition)
      return Candidate(
        path: .index(found.definition, [found.range], condition: found.condition),
        estimate: estimate,
        entries: estimate,
        isExact: false
      )
    }
  }

  private func compoundCandidate(_ condition: PropertyCondition) throws -> Candidate? {
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
    return Candidate(path: .ids(ids), estimate: ids.count, entries: 0, isExact: false)
  }

  private func candidate(_ condition: PropertyCondition) throws -> Candidate? {
    guard let definition = table.indexes.first(where: { $0.propertyID == condition.propertyID })
    else { return try candidateWithoutIndex(condition) }
    let operand = try ConditionTypes.operand(of: condition, for: definition.property)
    guard let ranges = IndexRanges(definition).ranges(condition.comparison, operand, condition)
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
    return Candidate(
      path: .index(definition, ranges, condition: condition),
      estimate: estimate,
      entries: estimate,
      isExact: isExact,
      ids: ids
    )
  }

  /// Returns the ranges of a property's index that hold all results of a condition.
  ///
  /// - Parameters:
  ///   - propertyID: The ID of the property.
  ///   - condition: The condition of the results.
  /// - Returns: Disjoint ranges, ascending; nil when no part of the condition bounds the property.
  /// - Throws: ``ObjectBoxError`` when the condition does not fit the entity.
  func bounds(of propertyID: UInt32, in condition: Condition) throws -> [IndexRange]? {
    guard let definition = table.indexes.first(where: { $0.propertyID == propertyID }) else {
      return nil
    }
    let parts = if case .all(let parts) = condition { parts } else { [condition] }
    for case .property(let leaf) in parts where leaf.propertyID == propertyID {
      let operand = try ConditionTypes.operand(of: leaf, for: definition.property)
      if let ranges = IndexRanges(definition).ranges(leaf.comparison, operand, leaf) {
        return ranges
      }
    }
    return nil
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
