public import ObjectBox

extension ClusterQuery {
  /// Returns a page of the results: the results after the previous page, in the order of the query or by ascending ID.
  ///
  /// Unlike with ``find(offset:limit:)``, the server does not read the previous pages again, and no result is repeated
  /// or left out because others were put or removed in the meantime. Takes one round trip, like
  /// ``find(offset:limit:)``.
  ///
  ///     let query = notes.query().ordered(by: Note.title)
  ///     var page = try await query.find(after: nil, limit: 50)
  ///     while let next = page.next { page = try await query.find(after: next, limit: 50) }
  ///
  /// - Parameters:
  ///   - cursor: The `next` of the previous page; nil for the first page. It may come from another query with the same
  ///     orders.
  ///   - limit: Greatest number of objects; 0 for all.
  /// - Returns: New instances, and the place after them.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for a cursor of a query with other orders or of
  ///   another entity. ``ClusterError``.
  public func find(after cursor: PageCursor?, limit: Int) async throws -> QueryPage<E> {
    try ObjectBoxError.checkPart(limit: limit)
    return try await atOneVersion { query in
      let table = try query.table()
      try PageCursor.check(query.selection.orders, of: table.schema)
      var run = try await query.run()
      run.cursor = cursor
      // Requests one more, which shows whether there is a next page.
      let count = limit == 0 ? 0 : limit == .max ? limit : limit + 1
      let rows = try await query.source.run([run.objects(offset: 0, limit: count)])[0]
      let hasMore = limit > 0 && rows.count > limit
      let objects = try query.decoded(rows, count: hasMore ? limit : rows.count)
      try await query.include(in: objects)
      let next = try hasMore ? RowEncoding(table).row(rows, limit - 1) : nil
      return QueryPage(
        objects: objects,
        next: try next?.reading(table) {
          PageCursor(behind: $0, run.orders, of: table.schema)
        }
      )
    }
  }
}
