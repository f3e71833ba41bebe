public import ObjectBox

/// Pages of a listing; each continues after the last object of the previous page.
extension DynamicQuery {
  /// Returns the results after an ID: the next page of a listing.
  ///
  /// Unlike ``find(offset:limit:)``, it does not read the previous pages again, and concurrent puts
  /// and removals shift no page. Without an order, the results have greater IDs, ascending. A query
  /// ordered by descending ID returns lesser IDs.
  ///
  ///     let people = try store.box(named: "Person")
  ///     let newest = try people.query().ordered(by: "id", flags: .descending).build()
  ///     let page = try newest.find(limit: 50)
  ///     if let last = page.last { let next = try newest.find(after: last.id, limit: 50) }
  ///
  /// - Parameters:
  ///   - id: The ID of the last object of the previous page; the object may have been removed.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The objects.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when another property orders the results; others
  ///   when the store is closed or cannot be read.
  /// - Complexity: If no index finds the results, O(log *n* + *k*) page reads for *k* tested
  ///   records in a box of *n* objects.
  public func find(after id: Id, limit: Int = 0) throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try forEachRecord(after: id.value, limit: limit) { record in
      objects.append(DynamicObject(record, box.entity, box.store))
    }
    return objects
  }

  /// Passes the records of the results of ``find(after:limit:)`` to a body, within one version.
  ///
  /// - Parameters:
  ///   - id: The ID of the last object of the previous page.
  ///   - limit: How many to pass at most; 0 for all.
  ///   - body: Gets a record, which is valid until it returns.
  /// - Throws: ``ObjectBoxError`` as for objects; the error of the body.
  package func forEachRecord(
    after id: UInt64,
    limit: Int = 0,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try ObjectBoxError.checkPart(limit: limit)
    try box.reading { transaction in
      let execution = try execution(transaction)
      guard let isDescending = execution.isDescendingByID else {
        throw ObjectBoxError.illegalArgument(
          message:
            "a page behind an ID needs results in the order of IDs, and '\(box.entityName)' is ordered by "
            + "another property; compare that property in the condition instead"
        )
      }
      // No ID is beyond either end.
      if isDescending ? id == 0 : id == .max { return }
      var count = 0
      try execution.forEach(from: isDescending ? id - 1 : id + 1, backwards: isDescending) {
        record in
        try box.entity.table.records.check(record)
        try body(record)
        count += 1
        return count != limit
      }
    }
  }
}
