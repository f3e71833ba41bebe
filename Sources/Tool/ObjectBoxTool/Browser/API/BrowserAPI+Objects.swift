internal import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxFullText
internal import ObjectBoxJSON

extension BrowserAPI {
  private static let usualLimit = 100
  private static let maximumLimit = 500

  /// A row of a table; null cells are nil.
  private struct Row {
    var id: UInt64
    var cells: [String?]
    /// The texts in which a search found words, by the number of the column.
    var found: [Int: [TextSnippets.Piece]] = [:]
    /// The score of a search; nil in another order.
    var score: Double?
  }

  /// The number of words that a cell shows around those that a search found.
  private static let shownWords = 12

  /// A page of a table, with its query plan.
  ///
  /// The parameter `after` has the ID of the previous page's last object, then the IDs of the
  /// objects before it, separated by commas. If the last object was removed meanwhile, the page
  /// continues after the nearest remaining one.
  ///
  /// With the parameter `best`, the results of a search are in the order of their scores, and `after`
  /// is the number of objects on the pages before. It has no effect on a filter without a search.
  func objects(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let limit = parameters.number("limit", upTo: Self.maximumLimit, otherwise: Self.usualLimit)
    let order = try TableOrder(parameters.text("order") ?? "", of: entity)
    let columns = entity.properties.map(CellText.init)
    let condition = parameters.text("filter") ?? ""
    let query = try StoreQuery(entity.name, condition: condition, in: content.shape).query
    let found = try FoundTexts(of: query, wordCount: Self.shownWords)
    let isBestFirst = query.isSearch && parameters.text("best") != nil
    // The plan of a search has the number of its results.
    let isEstimated = query.selection.condition != nil && !query.isSearch
    let start = ContinuousClock.now
    var rows: [Row] = []
    var isRestarted = false
    var labels = ObjectLabels()
    var estimate: ResultEstimate?
    var elapsed = Duration.zero
    let (version, plan) = try content.reading { version in
      rows = []
      labels = ObjectLabels()
      func add(_ record: RecordReader, score: Double? = nil) {
        var row = Self.row(record, columns, found)
        row.score = score
        rows.append(row)
        for property in entity.properties { labels.add(property, in: record) }
      }
      if isBestFirst {
        let offset = parameters.number("after", upTo: Int(Int32.max), otherwise: 0)
        try version.forEachScoredRecord(of: query, offset: offset, limit: limit + 1) {
          add($0, score: $1)
        }
        try labels.read(in: version, content.shape)
        elapsed = start.duration(to: .now)
        return (version.number, try version.plan(of: query, limit: 0))
      }
      let place = try cursor(parameters, order, entity, version)
      isRestarted = place.isLost
      let page = TablePage(
        entity: entity,
        condition: condition,
        order: order,
        cursor: place.cursor,
        limit: limit + 1,
        shape: content.shape
      )
      try page.forEachRecord(in: version) { add($0) }
      try labels.read(in: version, content.shape)
      elapsed = start.duration(to: .now)
      if isEstimated {
        estimate = try ResultEstimate(entity, condition, in: version, content.shape)
      }
      return (version.number, try page.plan(in: version))
    }
    let hasMore = rows.count > limit
    return labels.member + [
      ("version", { $0.string(version) }), ("plan", { $0.string(plan) }),
      ("microseconds", { $0.integer(elapsed.wholeMicroseconds) }),
      (
        "estimate",
        { writer in
          guard let estimate else { return writer.raw("null") }
          writer.object([
            ("count", { $0.integer(estimate.count) }),
            ("isExact", { $0.boolean(estimate.isExact) }),
            ("isBound", { $0.boolean(estimate.isBound) }),
          ])
        }
      ),
      ("isRestarted", { $0.boolean(isRestarted) }), ("hasMore", { $0.boolean(hasMore) }),
      ("isSearch", { $0.boolean(query.isSearch) }), ("isBestFirst", { $0.boolean(isBestFirst) }),
      ("rows", { $0.list(Array(rows.prefix(limit))) { Self.write($1, to: &$0) } }),
    ]
  }

  private static func row(
    _ record: RecordReader,
    _ columns: [CellText],
    _ found: FoundTexts? = nil
  ) -> Row {
    var row = Row(id: record.objectID, cells: columns.map { $0.shown(in: record) })
    for (number, column) in columns.enumerated() {
      row.found[number] = found?.pieces(column.property, in: record)
    }
    return row
  }

  /// Writes a row; a cell with found words is a list of its pieces.
  private static func write(_ row: Row, to writer: inout JSONWriter) {
    var members: Members = [
      ("id", { $0.id(row.id) }),
      (
        "cells",
        { writer in
          writer.list(Array(row.cells.enumerated())) { writer, cell in
            guard let pieces = row.found[cell.offset] else {
              return writer.string(orNull: cell.element)
            }
            writer.list(pieces) { writer, piece in
              let text = CellText.line(piece.text, atMost: FoundTexts.shownCharacters)
              writer.object([
                ("text", { $0.string(text) }), ("isFound", { $0.boolean(piece.isMatch) }),
              ])
            }
          }
        }
      ),
    ]
    if let score = row.score {
      members.append(("score", { $0.value(.double(score), as: .double) }))
    }
    writer.object(members)
  }

  /// Returns the start of a page: after the first named object that still exists.
  private func cursor(
    _ parameters: Parameters,
    _ order: TableOrder,
    _ entity: EntitySchema,
    _ version: any ContentVersion
  ) throws -> (cursor: TableOrder.Cursor?, isLost: Bool) {
    let ids = try (parameters.text("after") ?? "").split(separator: ",").map {
      try Parameters.id(String($0))
    }
    guard let first = ids.first else { return (nil, false) }
    if order.isByID { return (TableOrder.Cursor(id: first), false) }
    let box = try content.shape.box(named: entity.name)
    for id in ids {
      var cursor: TableOrder.Cursor?
      try version.forRecord(entity, id, in: content.shape) {
        cursor = order.cursor(behind: $0, in: box)
      }
      if let cursor { return (cursor, false) }
    }
    return (nil, true)
  }

  /// The number of objects that match a condition.
  func count(_ parameters: Parameters) throws -> Members {
    let query = try StoreQuery(
      try parameters.entity.name,
      condition: parameters.text("filter") ?? "",
      in: content.shape
    ).query
    let count = try content.reading { try $0.count(of: query) }
    return [("count", { $0.integer(count) })]
  }

  /// The objects whose vectors are nearest to an object's vector, nearest first, without the object
  /// itself.
  func neighbours(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let property = try parameters.property(of: entity)
    let id = try parameters.id
    let limit = parameters.number("limit", upTo: 100, otherwise: 10)
    let columns = entity.properties.map(CellText.init)
    let box = try content.shape.box(named: entity.name)
    var labels = ObjectLabels()
    let rows = try content.reading { version in
      labels = ObjectLabels()
      var object: DynamicObject?
      try version.forRecord(entity, id, in: content.shape) { object = box.object(from: $0) }
      guard let object else { throw Fault(404, "there is no '\(entity.name)' with ID \(id)") }
      guard let vector: [Float] = try object.value(of: property.name) else {
        throw Fault(422, "'\(property.name)' of the object is null")
      }
      let query = try box.query {
        $0[property.name].nearestNeighbors(queryVector: vector, maxCount: limit + 1)
      }.build()
      var rows: [(row: Row, score: Double)] = []
      try version.forEachScoredRecord(of: query, offset: 0, limit: 0) { record, score in
        guard record.objectID != id else { return }
        rows.append((Self.row(record, columns), score))
        for property in entity.properties { labels.add(property, in: record) }
      }
      try labels.read(in: version, content.shape)
      return Array(rows.prefix(limit))
    }
    let distance = property.hnsw?.distanceType.flatMap(HnswDistanceType.init(rawValue:))
    return labels.member + [
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
}

extension DynamicQuery {
  /// Whether results have scores.
  fileprivate var isSearch: Bool {
    selection.condition?.properties.contains { $0.comparison.isSearch } ?? false
  }
}

extension Duration {
  /// The duration in whole microseconds.
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
