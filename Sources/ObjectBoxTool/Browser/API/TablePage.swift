internal import ObjectBox
internal import ObjectBoxDynamic

/// A page of a table: the objects of an entity that match a condition, from a place on.
///
/// No page passes over those before it: it goes on from the ID or the value of the last object.
struct TablePage {
  let entity: EntitySchema
  let condition: String
  let order: TableOrder
  let cursor: TableOrder.Cursor?
  let limit: Int
  /// The store by which names become queries.
  let shape: Store

  /// Passes the objects of the page to a body.
  func forEachRecord(
    in version: any ContentVersion,
    _ body: (FlatBufferReader) throws -> Void
  ) throws {
    guard let cursor else {
      return try version.forEachRecord(of: try query(), after: nil, limit: limit, body)
    }
    if order.isByID {
      return try version.forEachRecord(of: try query(), after: cursor.id, limit: limit, body)
    }
    var rest = limit
    if cursor.value != nil {
      try version.forEachRecord(of: try query(), after: nil, limit: limit) { record in
        rest -= 1
        try body(record)
      }
    }
    guard rest > 0 else { return }
    // Objects without a value follow, by ID.
    try version.forEachRecord(
      of: try builder(and: order.isNull).build(),
      after: cursor.value == nil ? cursor.id : 0,
      limit: rest,
      body
    )
  }

  /// The plan of the query for the page, in words.
  func plan(in version: any ContentVersion) throws -> String {
    try version.plan(of: try query(), limit: limit)
  }

  /// The query that finds the page, or the beginning of it.
  private func query() throws -> DynamicQuery {
    var further: ((DynamicProperties) -> DynamicCondition)?
    if !order.isByID, let cursor {
      further = cursor.value.map { order.isBehind(cursor.id, $0) } ?? order.isNull
    }
    return try order.ordered(builder(and: further)).build()
  }

  private func builder(
    and further: ((DynamicProperties) -> DynamicCondition)? = nil
  ) throws -> DynamicQueryBuilder {
    try StoreQuery.builder(entity.name, condition: condition, and: further, in: shape)
  }
}
