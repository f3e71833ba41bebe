internal import ObjectBoxStorage

/// Chooses the access path of a condition: the index with the fewest candidates, or a scan.
struct QueryPlanner {
  /// A candidate from an index costs about this many times a record of a scan.
  private static let candidateCost = 4
  /// Below this number of objects an index is taken whenever there is one.
  private static let fewObjects = 1000

  let table: EntityTable
  let transaction: Transaction

  private struct Candidate {
    var path: AccessPath
    var estimate: Int
    var isExact: Bool
  }

  /// Returns the plan of a condition; nil stands for all objects.
  func plan(_ condition: Condition?) throws -> QueryPlan {
    let total = try transaction.storage.count(table.records.objects)
    guard let condition, let best = try candidate(condition),
      total < Self.fewObjects || best.estimate * Self.candidateCost <= total
    else {
      return QueryPlan(path: .scan, estimate: total, isExact: condition == nil, total: total)
    }
    return QueryPlan(
      path: best.path,
      estimate: min(best.estimate, total),
      isExact: best.isExact,
      total: total
    )
  }

  /// Returns the best path by index or ID; nil when only a scan finds all results.
  private func candidate(_ condition: Condition) throws -> Candidate? {
    switch condition {
    case .property(let leaf): return try candidate(leaf)
    case .all(let parts):
      // Every result is among the candidates of each part: the fewest are enough.
      let candidates = try parts.compactMap(candidate) + compoundCandidates(parts)
      var best = candidates.min { $0.estimate < $1.estimate }
      if parts.count > 1 { best?.isExact = false }
      return best
    case .any(let parts):
      var paths: [AccessPath] = []
      var estimate = 0
      for part in parts {
        guard let candidate = try candidate(part) else { return nil }
        paths.append(candidate.path)
        estimate += candidate.estimate
      }
      return Candidate(path: .union(paths), estimate: estimate, isExact: false)
    }
  }

  private func compoundCandidates(_ parts: [Condition]) throws -> [Candidate] {
    try CompoundRanges(table: table).find(parts).map { found in
      let scan = IndexScan(definition: found.definition, transaction: transaction.storage)
      return Candidate(
        path: .index(found.definition, [found.range], condition: found.condition),
        estimate: try scan.estimate(in: found.range),
        isExact: false
      )
    }
  }

  private func candidate(_ condition: PropertyCondition) throws -> Candidate? {
    let property = try ConditionTypes.property(of: condition, in: table.schema)
    let operand = try ConditionTypes.operand(of: condition, for: property)
    if property.has(.id) {
      guard case .integers(let values) = operand, [.equal, .isIn].contains(condition.comparison)
      else { return nil }
      let ids = Set(values.map { UInt64(bitPattern: $0) }).sorted()
      return Candidate(path: .ids(ids), estimate: ids.count, isExact: false)
    }
    guard let definition = table.indexes.first(where: { $0.propertyID == condition.propertyID }),
      let ranges = IndexRanges(definition).ranges(condition.comparison, operand, condition)
    else {
      return try compoundCandidates([.property(condition)]).min { $0.estimate < $1.estimate }
    }
    let scan = IndexScan(definition: definition, transaction: transaction.storage)
    let estimate = try ranges.reduce(0) { try $0 + scan.estimate(in: $1) }
    // Keys of integers say everything; those of texts may be hashes, or cut.
    let isExact = definition.kind == .value && property.type != .string
    return Candidate(
      path: .index(definition, ranges, condition: condition),
      estimate: estimate,
      isExact: isExact
    )
  }
}
