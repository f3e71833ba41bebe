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
    guard let cursor, !order.isByID else {
      return try version.forEachRecord(of: try query(), after: cursor?.id, limit: limit, body)
    }
    var rest = limit
    for part in order.parts(behind: cursor) {
      try version.forEachRecord(
        of: try order.ordered(builder(and: part.condition), part.kind).build(),
        after: part.kind == .nulls ? part.id : nil,
        limit: rest
      ) { record in
        // Not-a-numbers come first in their query; numbers follow.
        if part.kind == .notNumbers, !order.isNotNumber(in: record) { return }
        rest -= 1
        try body(record)
      }
      guard rest > 0 else { return }
    }
  }

  /// The plan of the query for the page, in words.
  func plan(in version: any ContentVersion) throws -> String {
    try version.plan(of: try query(), limit: limit)
  }

  /// The query for the page, or for its first part.
  private func query() throws -> DynamicQuery {
    guard !order.isByID, let part = cursor.flatMap({ order.parts(behind: $0).first }) else {
      return try order.ordered(builder()).build()
    }
    return try order.ordered(builder(and: part.condition), part.kind).build()
  }

  private func builder(
    and further: ((DynamicProperties) -> DynamicCondition)? = nil
  ) throws -> DynamicQueryBuilder {
    try StoreQuery.builder(entity.name, condition: condition, and: further, in: shape)
  }
}
