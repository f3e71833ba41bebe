internal import Foundation
internal import ObjectBox
internal import ObjectBoxJSON

extension BrowserAPI {
  private static let usualLimit = 100
  private static let maximumLimit = 500

  /// A row of a table; nil for null.
  private struct Row {
    var id: UInt64
    var cells: [String?]
  }

  /// A page of a table, with its plan.
  ///
  /// The parameter `after` has the ID of the last object of the page before, with those before it behind commas: where
  /// the last one was removed meanwhile, the page goes on from the one before.
  func objects(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let limit = parameters.number("limit", upTo: Self.maximumLimit, otherwise: Self.usualLimit)
    let order = try TableOrder(parameters.text("order") ?? "", of: entity)
    let columns = entity.properties.map(CellText.init)
    let start = ContinuousClock.now
    var rows: [Row] = []
    var isRestarted = false
    let (version, plan) = try store.readingStored { version in
      let place = try cursor(parameters, order, entity)
      isRestarted = place.isLost
      let page = TablePage(
        entity: entity,
        condition: parameters.text("filter") ?? "",
        order: order,
        cursor: place.cursor,
        limit: limit + 1
      )
      try page.forEachRecord(in: store) { rows.append(Self.row($0, columns)) }
      return (version.number, try page.plan(in: store))
    }
    let elapsed = start.duration(to: .now)
    let hasMore = rows.count > limit
    return [
      ("version", { $0.integer(version) }), ("plan", { $0.string(plan) }),
      ("microseconds", { $0.integer(elapsed.wholeMicroseconds) }),
      ("isRestarted", { $0.boolean(isRestarted) }), ("hasMore", { $0.boolean(hasMore) }),
      ("rows", { $0.list(Array(rows.prefix(limit))) { Self.write($1, to: &$0) } }),
    ]
  }

  private static func row(_ record: FlatBufferReader, _ columns: [CellText]) -> Row {
    Row(id: record.objectID, cells: columns.map { $0.shown(in: record) })
  }

  private static func write(_ row: Row, to writer: inout JSONWriter) {
    writer.object([
      ("id", { $0.id(row.id) }),
      ("cells", { $0.list(row.cells) { $0.string(orNull: $1) } }),
    ])
  }

  /// Returns the place of a page: behind the first of the named objects that is still there.
  private func cursor(
    _ parameters: Parameters,
    _ order: TableOrder,
    _ entity: EntitySchema
  ) throws -> (cursor: TableOrder.Cursor?, isLost: Bool) {
    let ids = try (parameters.text("after") ?? "").split(separator: ",").map {
      try Parameters.id(String($0))
    }
    guard let first = ids.first else { return (nil, false) }
    if order.isByID { return (TableOrder.Cursor(id: first), false) }
    let box = try store.box(named: entity.name)
    for id in ids {
      if let object = try box.get(Id(id)) { return (order.cursor(behind: object), false) }
    }
    return (nil, true)
  }

  /// The number of objects that match a condition.
  func count(_ parameters: Parameters) throws -> Members {
    let query = try StoreQuery(
      try parameters.entity.name,
      condition: parameters.text("filter") ?? "",
      in: store
    ).query
    let count = try query.count()
    return [("count", { $0.integer(count) })]
  }

  /// The objects whose vectors are nearest to that of an object, nearest first, without the object itself.
  func neighbours(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let property = try parameters.property(of: entity)
    let id = try parameters.id
    let limit = parameters.number("limit", upTo: 100, otherwise: 10)
    let columns = entity.properties.map(CellText.init)
    let box = try store.box(named: entity.name)
    let rows = try store.readingStored { _ -> [(row: Row, score: Double)] in
      guard let object = try box.get(Id(id)) else {
        throw Fault(404, "there is no '\(entity.name)' with ID \(id)")
      }
      guard let vector: [Float] = try object.value(of: property.name) else {
        throw Fault(422, "'\(property.name)' of the object is null")
      }
      let found = try box.query {
        $0[property.name].nearestNeighbors(queryVector: vector, maxCount: limit + 1)
      }.build().findIdsWithScores().filter { $0.id.value != id }.prefix(limit)
      return try found.compactMap { found in
        var row: Row?
        try forRecord(entity, found.id.value) { row = Self.row($0, columns) }
        return row.map { ($0, found.score) }
      }
    }
    let distance = property.hnsw?.distanceType.flatMap(HnswDistanceType.init(rawValue:))
    return [
      ("distance", { $0.string("\(distance ?? .euclidean)") }),
      (
        "rows",
        { writer in
          writer.list(rows) { writer, element in
            writer.object([
              ("id", { $0.id(element.row.id) }),
              ("score", { $0.value(.double(element.score), as: .double) }),
              ("cells", { $0.list(element.row.cells) { $0.string(orNull: $1) } }),
            ])
          }
        }
      ),
    ]
  }

  /// Passes the record of an object to a body, unless there is none.
  func forRecord(
    _ entity: EntitySchema,
    _ id: UInt64,
    _ body: (FlatBufferReader) throws -> Void
  ) throws {
    guard let name = entity.idProperty?.name else { return }
    try store.box(named: entity.name).query { $0[name] == id }.build().forEachRecord(limit: 1, body)
  }
}

extension Duration {
  /// The whole microseconds.
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
