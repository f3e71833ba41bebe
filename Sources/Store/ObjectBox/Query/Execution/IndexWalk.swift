internal import ObjectBoxStorage

/// A walk through an index in the order of a query.
///
/// Saves sorting; with a limit also most reads.
struct IndexWalk {
  /// The entry of an index at which a page begins.
  struct Place {
    let key: [UInt8]
    let id: UInt64
  }

  /// The assumed number of scanned objects per result.
  private static let guessedSelectivity = 8

  let definition: IndexDefinition
  /// The number of objects after which sorting would have been cheaper.
  let maxCount: Int
  /// False when all objects of the walk are results.
  let isFiltered: Bool
  private let isDescending: Bool
  /// The ranges in the order of the walk.
  private let ranges: [IndexRange]
  /// The entry at which the walk begins; nil for the first.
  private let place: Place?

  /// Makes a walk; nil when the index has another order, or sorting is cheaper.
  ///
  /// - Parameters:
  ///   - order: The only order of the query.
  ///   - plan: The plan without a walk.
  ///   - condition: The condition of the results; nil when all objects are results.
  ///   - place: The entry at which a page begins, whose key may lie in none of the ranges; nil for
  ///     the first.
  ///   - count: The number of wanted results; 0 for all.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init?(
    _ order: QueryOrder,
    _ plan: QueryPlan,
    _ condition: Condition?,
    from place: Place? = nil,
    count: Int,
    _ table: EntityTable,
    _ transaction: StorageTransaction
  ) throws {
    guard
      let definition = table.indexes.first(where: { $0.propertyID == order.propertyID }),
      Self.agrees(definition, with: order)
    else { return nil }
    self.definition = definition
    isDescending = order.has(.descending)
    self.place = place
    if condition != nil, count == 0 { return nil }
    if case .index(let filtered, let ranges, _) = plan.path, filtered === definition {
      // The condition is on the same property: its ranges contain all results.
      self.ranges = isDescending ? ranges.reversed() : ranges
      maxCount = .max
      self.isFiltered = !plan.isExact
      return
    }
    isFiltered = condition != nil
    if let bounds = try condition.flatMap({ try Self.bounds(of: definition, in: $0) }) {
      // Paging continues from the last key, even where a scan would find all results sooner.
      ranges = isDescending ? bounds.reversed() : bounds
    } else {
      // The index may omit objects with certain values.
      guard try transaction.count(definition.table) == plan.total else { return nil }
      ranges = order.has(.nullsLast) ? [.values, .null] : [.null, .values]
    }
    if !isFiltered || (plan.isScan && (place != nil || plan.total < QueryPlanner.fewObjects)) {
      maxCount = .max
      return
    }
    let met = Self.met(count, of: plan, isFiltered: isFiltered)
    guard met * Double(QueryPlanner.candidateCost) <= Double(plan.cost) else { return nil }
    maxCount = plan.cost / 2
  }

  /// Returns the number of objects among which a number of results is expected.
  static func met(_ count: Int, of plan: QueryPlan, isFiltered: Bool) -> Double {
    var results = plan.estimate
    if isFiltered, plan.isScan { results /= Self.guessedSelectivity }
    return Double(count) * Double(plan.total) / Double(max(1, results))
  }

  /// Returns disjoint ranges of an index that hold all results of a condition; nil when no part of
  /// the condition bounds the property.
  private static func bounds(
    of definition: IndexDefinition,
    in condition: Condition
  ) throws -> [IndexRange]? {
    let parts = if case .all(let parts) = condition { parts } else { [condition] }
    for case .property(let leaf) in parts where leaf.propertyID == definition.propertyID {
      if let ranges = try IndexRanges(definition: definition).ranges(leaf) { return ranges }
    }
    return nil
  }

  /// Returns whether an index's keys have the order.
  private static func agrees(_ definition: IndexDefinition, with order: QueryOrder) -> Bool {
    // Keys without case are not in the order of the texts' bytes.
    guard definition.kind == .value, !definition.ignoresCase, !order.has(.nullsZero) else {
      return false
    }
    let property = definition.property
    switch RecordField.Kind(type: property.type) {
    case .integer8, .integer16, .integer32, .integer64:
      return !order.has(.unsigned) || property.has(.unsigned) || property.type == .bool
    case .float32, .float64: return true
    case .variable:
      return property.type == .byteVector || property.collation.decidesOrder
        || (property.type == .string && order.has(.caseSensitive))
    case .absent, .objectID, .firstVariable: return false
    }
  }

  /// Passes the IDs to a block until it returns false; IDs of equal values ascend.
  ///
  /// A page's walk begins at the ID of its place; where a key is the whole value, it begins after that ID.
  ///
  /// - Parameters:
  ///   - transaction: The open transaction.
  ///   - sorting: Sorts the objects of one key, whose values may differ.
  ///   - body: Gets each ID once.
  /// - Throws: The errors of the blocks, and ``ObjectBoxError`` when the store cannot be read.
  func forEach(
    in transaction: StorageTransaction,
    sorting: ([UInt64]) throws -> [UInt64],
    _ body: (UInt64) throws -> Bool
  ) throws {
    let cursor = try transaction.cursor(definition.table)
    let start = place.flatMap { place in
      place.key.withUnsafeBytes { key in ranges.firstIndex { $0.includes(key) } }
    }
    for (index, range) in ranges.enumerated().dropFirst(start ?? 0) {
      var entry =
        if let place, index == start {
          try first(from: place, cursor)
        } else {
          try first(of: range, cursor)
        }
      while let found = entry,
        isDescending
          ? range.begins(atOrBelow: found.key) : range.contains(found.key)
      {
        let needsSorting = definition.needsCheck(key: found.key)
        var ids: [UInt64] = []
        var next: StorageCursor.IndexEntry? = found
        while let entry = next {
          if needsSorting {
            ids.append(entry.id)
          } else {
            guard try body(entry.id) else { return }
          }
          next = try cursor.nextOfKey()
        }
        for id in try ids.isEmpty ? [] : sorting(ids) {
          guard try body(id) else { return }
        }
        entry = try isDescending ? cursor.previousKey() : cursor.nextKey()
      }
    }
  }

  /// Passes the IDs of each value but null to a block until it returns false; each list ascends.
  ///
  /// Ends before the first key that stands for several values.
  func forEachValue(
    in transaction: StorageTransaction,
    _ body: ([UInt64]) throws -> Bool
  ) throws {
    let cursor = try transaction.cursor(definition.table)
    let range = IndexRange.values
    var entry = try first(of: range, cursor)
    while let found = entry,
      isDescending ? range.begins(atOrBelow: found.key) : range.contains(found.key),
      !definition.needsCheck(key: found.key)
    {
      var ids: [UInt64] = []
      var next: StorageCursor.IndexEntry? = found
      while let entry = next {
        ids.append(entry.id)
        next = try cursor.nextOfKey()
      }
      guard try body(ids) else { return }
      entry = try isDescending ? cursor.previousKey() : cursor.nextKey()
    }
  }

  private func first(
    from place: Place,
    _ cursor: StorageCursor
  ) throws -> StorageCursor.IndexEntry? {
    try place.key.withUnsafeBytes { key in
      if !definition.needsCheck(key: key) {
        if let entry = try cursor.find(key: key, from: place.id) { return entry }
      } else if let entry = try cursor.find(key: key) {
        return entry
      }
      if isDescending { return try cursor.lastKey(below: key) }
      return try (place.key + [0]).withUnsafeBytes { try cursor.seek(key: $0) }
    }
  }

  private func first(
    of range: IndexRange,
    _ cursor: StorageCursor
  ) throws -> StorageCursor.IndexEntry? {
    try isDescending
      ? cursor.lastKey(of: range) : range.lower.withUnsafeBytes { try cursor.seek(key: $0) }
  }
}
