public import ObjectBox

/// Pages of a listing, each of which goes on from the last object of the one before.
extension DynamicQuery {
  /// Returns the results behind an ID: the next page of a listing.
  ///
  /// Unlike ``find(offset:limit:)``, it does not pass over the pages before, and objects that are put or removed
  /// meanwhile shift no page. Without an order the results are those with greater IDs, ascending. A query that is
  /// ordered by descending IDs returns those with lesser ones.
  ///
  ///     let people = try store.box(named: "Person")
  ///     let newest = try people.query().ordered(by: "id", flags: .descending).build()
  ///     let page = try newest.find(limit: 50)
  ///     if let last = page.last { let next = try newest.find(after: last.id, limit: 50) }
  ///
  /// - Parameters:
  ///   - id: The ID of the last object of the page before; the object may have been removed.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The objects.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when another property orders the results; others when the store
  ///   is closed or cannot be read.
  /// - Complexity: O(log *n* + *k*) page reads for *k* records that are tested in a box of *n* objects, where no
  ///   index finds the results.
  public func find(after id: Id, limit: Int = 0) throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try forEachRecord(after: id.value, limit: limit) { record in
      objects.append(DynamicObject(record, box.entity, box.store))
    }
    return objects
  }

  /// Passes the results of ``find(after:limit:)`` as their records hold them to a body, within one version.
  ///
  /// - Parameters:
  ///   - id: The ID of the last object of the page before.
  ///   - limit: How many to pass at most; 0 for all.
  ///   - body: Is passed a record, which is valid until it returns.
  /// - Throws: ``ObjectBoxError`` as for objects; the error of the body.
  package func forEachRecord(
    after id: UInt64,
    limit: Int = 0,
    _ body: (FlatBufferReader) throws -> Void
  ) throws {
    try box.reading { transaction in
      let execution = try execution(transaction)
      guard let isDescending = execution.isDescendingByID else {
        throw ObjectBoxError.illegalArgument(
          message:
            "a page behind an ID needs results in the order of IDs, and '\(box.entityName)' is ordered by "
            + "another property; compare that property in the condition instead"
        )
      }
      // Neither end has objects beyond it.
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
