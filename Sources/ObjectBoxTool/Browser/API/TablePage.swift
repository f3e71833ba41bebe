internal import ObjectBox

/// A page of a table: the objects of an entity that match a condition, from a place on.
///
/// No page passes over those before it: it goes on from the ID or the value of the last object.
struct TablePage {
  let entity: EntitySchema
  let condition: String
  let order: TableOrder
  let cursor: TableOrder.Cursor?
  let limit: Int

  /// Passes the objects of the page to a body.
  func forEachRecord(in store: Store, _ body: (FlatBufferReader) throws -> Void) throws {
    guard let cursor else { return try query(in: store).forEachRecord(limit: limit, body) }
    if order.isByID {
      return try query(in: store).forEachRecord(after: cursor.id, limit: limit, body)
    }
    var rest = limit
    if cursor.value != nil {
      try query(in: store).forEachRecord(limit: limit) { record in
        rest -= 1
        try body(record)
      }
    }
    guard rest > 0 else { return }
    // Objects without a value follow, by ID.
    try builder(in: store, and: order.isNull).build()
      .forEachRecord(after: cursor.value == nil ? cursor.id : 0, limit: rest, body)
  }

  /// The plan of the query for the page, in words.
  func plan(in store: Store) throws -> String { try query(in: store).explain(limit: limit) }

  /// The query that finds the page, or the beginning of it.
  private func query(in store: Store) throws -> DynamicQuery {
    var further: ((DynamicProperties) -> DynamicCondition)?
    if !order.isByID, let cursor {
      further = cursor.value.map { order.isBehind(cursor.id, $0) } ?? order.isNull
    }
    return try order.ordered(builder(in: store, and: further)).build()
  }

  private func builder(
    in store: Store,
    and further: ((DynamicProperties) -> DynamicCondition)? = nil
  ) throws -> DynamicQueryBuilder {
    try StoreQuery.builder(entity.name, condition: condition, and: further, in: store)
  }
}
