internal import ObjectBox
internal import ObjectBoxDynamic

/// A page of a table: the matching objects of an entity, from a place on.
///
/// It starts from the ID or the value of the previous page's last object, so earlier pages need not
/// be skipped.
struct TablePage {
  let entity: EntitySchema
  let condition: String
  let order: TableOrder
  let cursor: TableOrder.Cursor?
  let limit: Int
  /// The store that converts names to queries.
  let shape: Store

  /// Passes the objects of the page to a body.
  func forEachRecord(
    in version: any ContentVersion,
    _ body: (RecordReader) throws -> Void
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
    // Objects without a value follow, ordered by ID.
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

  /// The query for the page, or for its first part.
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
