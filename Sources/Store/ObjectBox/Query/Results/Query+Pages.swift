extension Query {
  /// Returns a page of the results: the results after the previous page, in the order of the query or by
  /// ascending ID.
  ///
  /// Unlike ``find(offset:limit:)``, it does not read the previous pages again, and no result is
  /// repeated or left out because others were put or removed meanwhile.
  ///
  ///     let query = try notes.query().ordered(by: Note.title).build()
  ///     var page = try query.find(after: nil, limit: 50)
  ///     while let next = page.next { page = try query.find(after: next, limit: 50) }
  ///
  /// - Parameters:
  ///   - cursor: The ``QueryPage/next`` of the previous page; nil for the first page. The query may be
  ///   another one with the same orders.
  ///   - limit: How many objects to return at most; 0 for all.
  /// - Returns: New instances, and the cursor after them.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a cursor of a query with other orders or of
  ///   another entity; others when the store is closed or cannot be read.
  /// - Complexity: O(log *n* + *k*) page reads for *k* tested records in a box of *n* objects, if
  ///   the results are ordered by ID, or by one property with a value index as described at
  ///   `ordered(by:flags:)`, however many objects have the cursor's value. Texts and bytes above
  ///   480 bytes with an equal beginning are one value here. Other orders read all results, and
  ///   keep `limit` of them in memory.
  public func find(after cursor: PageCursor?, limit: Int) throws -> QueryPage<E> {
    try ObjectBoxError.checkPart(limit: limit)
    var next: PageCursor?
    let objects = try including {
      let (ids, cursor) = try ids(after: cursor, limit: limit)
      next = cursor
      return ContiguousArray(try box.objects(ids))
    }
    return QueryPage(objects: Array(objects), next: next)
  }

  /// Returns the IDs of a page, and the cursor after them.
  private func ids(after cursor: PageCursor?, limit: Int) throws -> ([UInt64], PageCursor?) {
    let orders = selection.copy.orders
    let table = try box.table()
    let schema = table.schema
    try PageCursor.check(orders, of: schema)
    let begin = try cursor.map { cursor in
      try cursor.withRecord(orders, of: schema, table.records.currentLayout) { record in
        (
          place: try PagePlace(record, orders, in: table),
          bound: Condition.atOrBehind(record, orders, of: schema)
        )
      }
    }
    var bounded = selection.copy
    // Neighbours are searched among the objects that meet the other conditions.
    let hasSearch = bounded.condition?.properties.contains { $0.comparison.isSearch } ?? false
    if !hasSearch, let bound = begin?.bound { bounded = bounded.narrowed(by: bound) }
    return try executing(bounded) { execution, transaction in
      guard limit > 0 else {
        return (try execution.ids(offset: 0, limit: 0, behind: begin?.place), nil)
      }
      // One more, to see whether there is a next page.
      let count = limit == .max ? limit : limit + 1
      let ids = try execution.ids(offset: 0, limit: count, behind: begin?.place)
      guard ids.count > limit,
        let last = try table.record(ids[limit - 1], in: transaction.storage)
      else { return (ids, nil) }
      return (Array(ids.prefix(limit)), PageCursor(behind: last, orders, of: schema))
    }
  }
}

extension Condition {
  /// Returns a condition that all objects after a record meet, and that bounds a walk through the index of the
  /// only order; nil if none is known.
  ///
  /// - Parameters:
  ///   - record: The record of a cursor.
  ///   - orders: The orders of the query.
  ///   - entity: The entity.
  /// - Returns: The condition, which some objects before the record may meet as well.
  fileprivate static func atOrBehind(
    _ record: RecordReader,
    _ orders: [QueryOrder],
    of entity: EntitySchema
  ) -> Condition? {
    let orders = QueryOrder.deciding(orders, entity: entity)
    // Nulls that follow the values would not meet it.
    guard orders.count == 1, let order = orders.first, !order.has(.nullsLast),
      !order.has(.nullsZero), !order.has(.unsigned),
      let property = entity.property(id: order.propertyID)
    else { return nil }
    let operand: PropertyCondition.Operand
    switch record.exact(property) {
    // An index of relations has no entries of objects without a target.
    case .integer(let number) where property.type != .relation:
      let bits = UInt64(bitPattern: number) & IntegerOrder(property).mask
      operand = .integers([Int64(bitPattern: bits)])
    case .bytes(let bytes) where property.type == .string && property.collation == .binary:
      // A folded order has no index.
      guard order.has(.caseSensitive) else { return nil }
      operand = .texts([String(decoding: bytes, as: UTF8.self)])
    // NaN, which no comparison matches, follows all numbers.
    default: return nil
    }
    let comparison: PropertyCondition.Comparison =
      order.has(.descending) ? .lessOrEqual : .greaterOrEqual
    return .leaf(order.propertyID, comparison, operand)
  }
}
