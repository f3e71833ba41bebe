internal import ObjectBoxFullText

/// A search for nearest neighbours, as one run made it.
struct NearestPlan {
  enum Way {
    /// The index was searched without other conditions.
    case unfiltered
    /// The other conditions were tested on the nearest nodes of the index.
    case walked(count: Int, tested: Int)
    /// The vectors of all objects that meet the other conditions were compared.
    case compared(count: Int)
  }

  let leaf: PropertyCondition
  let way: Way
  /// The plan of the other conditions; nil without them.
  var others: QueryPlan?
  /// The plans of the links in the other conditions.
  var links: [LinkPlan] = []
}

/// A search for words, as one run made it.
struct TextPlan {
  let leaf: PropertyCondition
  /// Number of objects found.
  let count: Int
}

/// The nearest-neighbour and full-text conditions of a condition, searched for one run.
///
/// A search for neighbours is confined to the objects that meet the other parts of its conjunction, unless it
/// filters afterwards. Several such searches of one conjunction do not confine each other.
struct SearchResolver {
  private let table: EntityTable
  private let transaction: Transaction
  private let skipped: SkippedObjects?
  private(set) var plans: [NearestPlan] = []
  private(set) var texts: [TextPlan] = []

  /// Makes a resolver for the conditions of one run.
  ///
  /// - Parameters:
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - skipped: Collects the IDs of damaged objects, which searches then skip.
  init(_ table: EntityTable, _ transaction: Transaction, skipped: SkippedObjects?) {
    self.table = table
    self.transaction = transaction
    self.skipped = skipped
  }

  /// Returns the condition with its searches replaced by the IDs found.
  ///
  /// - Throws: The errors of ``NearestCondition`` and of runs.
  mutating func resolve(_ condition: Condition) throws -> Condition {
    switch condition {
    case .all(let parts): return try resolve(parts)
    case .any(let parts): return .any(try parts.map { try resolve($0) })
    // The inner condition is on another entity and gets its own run.
    case .link: return condition
    case .property(let leaf):
      if let text = try TextCondition(leaf, table) { return try search(leaf, text) }
      guard let nearest = try NearestCondition(leaf, entity: table.schema) else { return condition }
      return try search(leaf, nearest, among: nil)
    }
  }

  /// Resolves a conjunction.
  ///
  /// The objects found meet its other parts, which are not tested again.
  private mutating func resolve(_ parts: [Condition]) throws -> Condition {
    var searches: [(leaf: PropertyCondition, nearest: NearestCondition)] = []
    var others: [Condition] = []
    for part in parts.flatMap(\.conjuncts) {
      if case .property(let leaf) = part,
        let nearest = try NearestCondition(leaf, entity: table.schema), nearest.filtering == .first
      {
        searches.append((leaf, nearest))
      } else {
        others.append(try resolve(part))
      }
    }
    guard !searches.isEmpty else { return .all(others) }
    let other = others.isEmpty ? nil : Condition.all(others)
    let found = try searches.map { try search($0.leaf, $0.nearest, among: other) }
    return found.count == 1 ? found[0] : .all(found)
  }

  private mutating func search(
    _ leaf: PropertyCondition,
    _ text: TextCondition
  ) throws -> Condition {
    let ids = try transaction.searching(text) { try $0.ids() }
    texts.append(TextPlan(leaf: leaf, count: ids.count))
    return try .hasID(in: ids, of: table.schema)
  }

  private mutating func search(
    _ leaf: PropertyCondition,
    _ nearest: NearestCondition,
    among other: Condition?
  ) throws -> Condition {
    guard let definition = nearest.definition(in: table) else { return .any([]) }
    let ids: [UInt64]
    if let other {
      let matches = try QueryExecution(
        other,
        table: table,
        transaction: transaction,
        skipped: skipped,
        testsOthers: true
      )
      let search = try FilteredNeighbors(nearest, definition, among: matches)
      let found = try search.find()
      ids = found.ids
      plans.append(
        NearestPlan(leaf: leaf, way: found.way, others: search.plan, links: matches.links)
      )
    } else {
      ids = try transaction.vectorGraph(definition, of: table)
        .nearest(to: nearest.vector, maxCount: nearest.maxCount)
      plans.append(NearestPlan(leaf: leaf, way: .unfiltered))
    }
    return try .hasID(in: ids, of: table.schema)
  }
}

extension Condition {
  /// The parts of a conjunction, with nested ones flattened; for others the condition itself.
  package var conjuncts: [Condition] {
    if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}
