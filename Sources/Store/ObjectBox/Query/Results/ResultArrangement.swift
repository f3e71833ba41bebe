/// How a run puts its results in order.
enum ResultArrangement {
  /// The results are read in the order of their IDs.
  case byID(isDescending: Bool)
  /// The results are read in the order of an index, while that is cheaper than sorting.
  case walk(IndexWalk)
  /// All results are read, and the first `maxCount` kept.
  case best(maxCount: Int)
  /// All results are read, and then sorted.
  case sorted
  /// Related objects are read in the order of an index, while that is cheaper than sorting.
  case relatedWalk(RelatedWalk)
  /// All results are read, then the objects that an order leads to, and then they are sorted.
  case related
}

/// The position in a query's results after which a page begins.
package struct PagePlace {
  let row: ResultOrder.Row
  /// The entry in the index of the only order; nil without one.
  let entry: IndexWalk.Place?

  /// Makes the place of a record.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for an order by a property that the entity lacks.
  init(_ record: RecordReader, _ orders: [QueryOrder], in table: EntityTable) throws {
    let orders = QueryOrder.deciding(orders, entity: table.schema)
    row = try ResultOrder(orders, entity: table.schema).row(of: record)
    guard orders.count == 1,
      let index = table.indexes.first(where: { $0.propertyID == orders[0].propertyID })
    else {
      entry = nil
      return
    }
    var isInIndex = false
    let key = IndexKey.bytes { isInIndex = index.key.write(record, into: &$0) }
    entry = isInIndex ? IndexWalk.Place(key: key, id: record.id) : nil
  }
}

extension QueryExecution {
  /// Returns the arrangement that reads and keeps the fewest records.
  ///
  /// - Parameters:
  ///   - maxCount: The greatest number of results, including skipped ones; 0 for all.
  ///   - place: The place after which the results begin; nil for all.
  /// - Returns: The arrangement.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func arrangement(maxCount: Int, behind place: PagePlace? = nil) throws -> ResultArrangement {
    if let isDescending = isDescendingByID { return .byID(isDescending: isDescending) }
    if orders.contains(where: { !$0.path.isEmpty }) {
      guard orders.count == 1, skipped == nil,
        let walk = try RelatedWalk(
          orders[0],
          plan,
          isFiltered: condition != nil,
          count: maxCount,
          table,
          transaction
        )
      else { return .related }
      return .relatedWalk(walk)
    }
    if orders.count == 1, skipped == nil,
      let walk = try IndexWalk(
        orders[0],
        plan,
        condition,
        from: place?.entry,
        count: maxCount,
        table,
        transaction.storage
      )
    {
      return .walk(walk)
    }
    return maxCount > 0 ? .best(maxCount: maxCount) : .sorted
  }

  /// True or false when only IDs order the results, descending or ascending; nil for other orders.
  package var isDescendingByID: Bool? {
    guard let first = orders.first else { return false }
    let isByID =
      first.path.isEmpty
      && table.schema.properties.contains {
        $0.identity.id == first.propertyID && $0.has(.id)
      }
    return isByID ? true : nil
  }

  /// Returns the ordered IDs of the results from `offset` on, at most a non-zero `limit`.
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  ///   - place: The place after which the results begin; nil for all.
  /// - Returns: IDs.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a negative number, others when the store
  ///   cannot be read.
  package func ids(
    offset: Int,
    limit: Int,
    behind place: PagePlace? = nil
  ) throws -> [UInt64] {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    let sum = offset.addingReportingOverflow(limit)
    let maxCount = limit == 0 ? 0 : sum.overflow ? .max : sum.partialValue
    switch try arrangement(maxCount: maxCount, behind: place) {
    case .byID(let isDescending):
      if let row = place?.row {
        return try idsByID(isDescending: isDescending, limit: limit, behind: row)
      }
      return try idsByID(isDescending: isDescending, offset: offset, limit: limit)
    case .walk(let walk):
      let order = try ResultOrder(orders, entity: table.schema)
      if let ids = try ids(by: walk, order, offset: offset, limit: limit, behind: place?.row) {
        return ids
      }
    case .relatedWalk(let walk):
      if let ids = try ids(by: walk) { return Array(ids.dropFirst(offset)) }
      return try idsByRelated(offset: offset, limit: limit)
    case .related: return try idsByRelated(offset: offset, limit: limit)
    case .best, .sorted: break
    }
    let order = try ResultOrder(orders, entity: table.schema)
    var best = BestResults(order, maxCount: maxCount)
    try forEach { record in
      if place.map({ order.follows(record, $0.row) }) ?? true { best.add(record) }
      return true
    }
    return Array(best.ids.dropFirst(offset))
  }

  private func ids(by walk: RelatedWalk) throws -> [UInt64]? {
    let scan = try RecordScan(table, in: transaction)
    return try walk.ids(of: table, in: transaction) { id in
      guard condition != nil else { return true }
      return try scan.record(id: id).map(matches) ?? false
    }
  }

  private func idsByID(
    isDescending: Bool,
    limit: Int,
    behind place: ResultOrder.Row
  ) throws -> [UInt64] {
    // No ID is beyond either end.
    if isDescending ? place.id == 0 : place.id == .max { return [] }
    var ids: [UInt64] = []
    try forEach(from: isDescending ? place.id - 1 : place.id + 1, backwards: isDescending) {
      ids.append($0.id)
      return limit == 0 || ids.count < limit
    }
    return ids
  }

  private func idsByID(isDescending: Bool, offset: Int, limit: Int) throws -> [UInt64] {
    if offset == 0, limit == 0, let ids = try idsInThreads() {
      return isDescending ? ids.reversed() : ids
    }
    var ids: [UInt64] = []
    var skipped = 0
    try forEach(backwards: isDescending) { record in
      if skipped < offset {
        skipped += 1
      } else {
        ids.append(record.id)
      }
      return limit == 0 || ids.count < limit
    }
    return ids
  }

  /// Returns the IDs of the results in index order; nil when the walk finds too few results.
  private func ids(
    by walk: IndexWalk,
    _ order: ResultOrder,
    offset: Int,
    limit: Int,
    behind place: ResultOrder.Row?
  ) throws -> [UInt64]? {
    let scan = try RecordScan(table, in: transaction)
    func sort(_ ids: [UInt64]) throws -> [UInt64] {
      order.sorted(try ids.compactMap { try scan.record(id: $0).map(order.row) })
    }
    var ids: [UInt64] = []
    var skipped = 0
    var visited = 0
    try walk.forEach(in: transaction.storage, sorting: sort) { id in
      visited += 1
      if visited > walk.maxCount { return false }
      if walk.isFiltered || place != nil {
        guard let record = try scan.record(id: id), try matches(record),
          place.map({ order.follows(record, $0) }) ?? true
        else { return true }
      }
      if skipped < offset {
        skipped += 1
        return true
      }
      ids.append(id)
      return limit == 0 || ids.count < limit
    }
    return visited > walk.maxCount ? nil : ids
  }
}
