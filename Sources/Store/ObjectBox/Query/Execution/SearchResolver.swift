/// The searches of a condition, made for one run.
///
/// A confined search is made among the objects that meet the other parts of its conjunction. Several
/// confined searches of one conjunction do not confine each other.
struct SearchResolver {
  let table: EntityTable
  let transaction: Transaction
  /// Collects the IDs of damaged objects, which searches then skip.
  let skipped: SkippedObjects?
  private(set) var plans: [SearchPlan] = []

  /// Returns the condition with its searches replaced by the IDs found.
  ///
  /// - Throws: ``ObjectBoxError`` when a search does not fit the entity, and the errors of runs.
  mutating func resolve(_ condition: Condition) throws -> Condition {
    switch condition {
    case .all(let parts): return try resolve(parts)
    case .any(let parts): return .any(try parts.map { try resolve($0) })
    // The inner condition is on another entity and gets its own run.
    case .link: return condition
    case .property(let leaf):
      guard let search = try leaf.search(in: table) else { return condition }
      return try find(leaf, search, among: nil)
    }
  }

  /// Resolves a conjunction.
  ///
  /// The objects found meet its other parts, which are not tested again.
  private mutating func resolve(_ parts: [Condition]) throws -> Condition {
    var confined: [(leaf: PropertyCondition, search: any DerivedSearch)] = []
    var others: [Condition] = []
    for part in parts.flatMap(\.conjuncts) {
      if case .property(let leaf) = part, let search = try leaf.search(in: table) {
        if search.isConfined {
          confined.append((leaf, search))
        } else {
          others.append(try find(leaf, search, among: nil))
        }
      } else {
        others.append(try resolve(part))
      }
    }
    guard !confined.isEmpty else { return .all(others) }
    let other = others.isEmpty ? nil : Condition.all(others)
    let found = try confined.map { try find($0.leaf, $0.search, among: other) }
    return found.count == 1 ? found[0] : .all(found)
  }

  private mutating func find(
    _ leaf: PropertyCondition,
    _ search: any DerivedSearch,
    among other: Condition?
  ) throws -> Condition {
    let matches = try other.map {
      try QueryExecution(
        $0,
        table: table,
        transaction: transaction,
        skipped: skipped,
        testsOthers: true
      )
    }
    let found = try search.find(in: table, transaction, among: matches)
    plans.append(
      SearchPlan(
        leaf: leaf,
        count: found.ids.count,
        way: found.way,
        others: found.others,
        links: matches?.links ?? []
      )
    )
    return try .comparingID(.isIn, found.ids, of: table.schema)
  }
}

extension Condition {
  /// The parts of a conjunction, with nested ones flattened; for others the condition itself.
  package var conjuncts: [Condition] {
    if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}
