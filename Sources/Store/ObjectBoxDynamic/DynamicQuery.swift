public import ObjectBox

extension DynamicBox {
  /// Starts a query for all objects.
  public func query() -> DynamicQueryBuilder {
    DynamicQueryBuilder(box: self, condition: nil)
  }

  /// Starts a query for the objects that match a condition.
  ///
  ///     let found = try notes.query { ($0["stars"] > 3) && $0["title"].contains("milk") }
  ///       .ordered(by: "title").build().find(limit: 10)
  ///
  /// - Parameter conditions: Returns the condition, made from the properties that it gets; called
  ///   at once.
  /// - Returns: The builder of the query.
  public func query(
    _ conditions: (DynamicProperties) -> DynamicCondition
  ) -> DynamicQueryBuilder {
    DynamicQueryBuilder(
      box: self,
      condition: conditions(DynamicProperties(entity: entity))
    )
  }
}

/// Collects the condition and the order of a query, by name.
public struct DynamicQueryBuilder: Sendable {
  let box: DynamicBox
  let condition: DynamicCondition?
  fileprivate var orders: [(name: String, flags: [OrderFlags])] = []
  private var skipsDamagedObjects = false

  init(box: DynamicBox, condition: DynamicCondition?) {
    self.box = box
    self.condition = condition
  }

  /// Orders the results by a property; further calls order results that are equal so far.
  ///
  /// - Parameters:
  ///   - name: The name of a property, or the names of to-one relations and of a property of the last
  ///     target, with points between them: `customer.name`.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: A builder with that order.
  public func ordered(by name: String, flags: OrderFlags...) -> Self {
    var builder = self
    builder.orders.append((name, flags))
    return builder
  }

  /// Skips damaged objects where the query would throw `fileCorrupt`; see
  /// `QueryBuilder.skippingDamagedObjects()`.
  ///
  /// ``DynamicQuery/skippedIds()`` returns their IDs.
  ///
  /// - Returns: A builder that skips damaged objects.
  public func skippingDamagedObjects() -> Self {
    var builder = self
    builder.skipsDamagedObjects = true
    return builder
  }

  /// Makes the query.
  ///
  /// Throws `ObjectBoxError`: `illegalArgument` for a name that the entity lacks and for a value
  /// that the property cannot hold, `propertyTypeMismatch` for a value or a comparison that does
  /// not fit its type.
  public func build() throws -> DynamicQuery {
    let entity = box.entity
    let condition = try condition?.condition()
    let orders = try orders.map { order in
      try entity.order(by: order.name, order.flags)
    }
    var selection = Selection(of: condition)
    selection.orders = orders
    selection.skipsDamagedObjects = skipsDamagedObjects
    try selection.check(on: entity.table, in: box.store.file)
    return DynamicQuery(box: box, selection: selection)
  }
}

/// A search for objects by property names, which can run any number of times.
///
/// Results are always current: each call searches again, in the thread's open transaction or in its
/// own. Any thread may use it.
public struct DynamicQuery: Sendable, CustomDebugStringConvertible {
  let box: DynamicBox
  /// The condition and the orders.
  package let selection: Selection

  /// The ID of the entity.
  package var entityID: UInt32 { box.entity.table.schema.identity.id }

  /// Returns the results, in the order of the query or by ascending ID.
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The objects.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func find(offset: Int = 0, limit: Int = 0) throws -> [DynamicObject] {
    try box.reading { transaction in
      try box.get(try ids(transaction, offset: offset, limit: limit))
    }
  }

  /// Returns the first result; nil when there is none.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func findFirst() throws -> DynamicObject? { try find(limit: 1).first }

  /// Returns the only result; nil when there is none.
  ///
  /// Throws `ObjectBoxError.nonUniqueResult(message:)` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUnique() throws -> DynamicObject? {
    let found = try find(limit: 2)
    guard found.count < 2 else { throw ObjectBoxError.severalResults(of: box.entityName) }
    return found.first
  }

  /// Returns the IDs of the results, in the order of ``find(offset:limit:)``.
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func findIds(offset: Int = 0, limit: Int = 0) throws -> [Id] {
    try box.reading { try ids($0, offset: offset, limit: limit) }
  }

  /// Returns the IDs of the results of a nearest-neighbour search with their scores, the nearest
  /// first; see `Query.findIdsWithScores(offset:limit:)`.
  ///
  /// - Parameters:
  ///   - offset: How many of the nearest results to skip.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs with scores, lower for nearer vectors.
  /// - Throws: `ObjectBoxError`: `illegalState` when the query has no nearest-neighbour condition;
  ///   others when the store is closed or cannot be read.
  public func findIdsWithScores(offset: Int = 0, limit: Int = 0) throws -> [IdWithScore] {
    try box.reading { transaction in
      try scored(transaction, offset: offset, limit: limit)
        .map { IdWithScore(id: $0.id, score: $0.score) }
    }
  }

  private func scored(
    _ transaction: Transaction,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)] {
    try ScoredSearch(
      selection.condition,
      box.entity.table,
      transaction,
      skipped: selection.skipsDamagedObjects ? SkippedObjects() : nil
    )
    .ids(offset: offset, limit: limit)
  }

  /// Passes the records of the results of a search to a body, the best first, within one version.
  ///
  /// - Parameters:
  ///   - offset: How many of the best results to skip.
  ///   - limit: How many to pass at most; 0 for all.
  ///   - body: Gets a record, which is valid until it returns, and its score.
  /// - Throws: ``ObjectBoxError`` as ``findIdsWithScores(offset:limit:)``; the error of the body.
  package func forEachScoredRecord(
    offset: Int = 0,
    limit: Int = 0,
    _ body: (RecordReader, Double) throws -> Void
  ) throws {
    try box.reading { transaction in
      let scan = try RecordScan(box.entity.table, in: transaction)
      for (id, score) in try scored(transaction, offset: offset, limit: limit) {
        guard let record = try scan.record(id: id) else { continue }
        try box.entity.table.records.check(record)
        try body(record, score)
      }
    }
  }

  /// Passes the records of the results to a body, in order, within one version.
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to pass at most; 0 for all.
  ///   - body: Gets a record, which is valid until it returns.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read; the error of the
  ///   body.
  package func forEachRecord(
    offset: Int = 0,
    limit: Int = 0,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    try box.reading { transaction in
      let execution = try execution(transaction)
      let records = box.entity.table.records
      guard offset == 0, let isDescending = execution.isDescendingByID else {
        let scan = try RecordScan(box.entity.table, in: transaction)
        for id in try execution.ids(offset: offset, limit: limit) {
          guard let record = try scan.record(id: id) else { continue }
          try records.check(record)
          try body(record)
        }
        return
      }
      var count = 0
      try execution.forEach(backwards: isDescending) { record in
        try records.check(record)
        try body(record)
        count += 1
        return count != limit
      }
    }
  }

  /// Returns the IDs of the damaged objects that the query skips, ascending; empty unless it was
  /// built with ``DynamicQueryBuilder/skippingDamagedObjects()``.
  ///
  /// Searches like ``findIds(offset:limit:)`` for all results. Throws `ObjectBoxError` when the
  /// store is closed or cannot be read.
  public func skippedIds() throws -> [Id] {
    guard selection.skipsDamagedObjects else { return [] }
    return try box.reading { transaction in
      let execution = try execution(transaction)
      _ = try execution.ids(offset: 0, limit: 0)
      return (execution.skipped?.ids.sorted() ?? []).map { Id($0) }
    }
  }

  /// Returns the number of results.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read. Makes no objects.
  public func count() throws -> Int { try box.reading { try execution($0).count() } }

  /// Removes the results and returns their number.
  ///
  /// Throws `ObjectBoxError` when the store is closed, read-only or full, or a relation forbids it.
  @discardableResult
  public func remove() throws -> UInt64 {
    try box.writing { writer, _ in
      try writer.remove(ids: try ids(writer.transaction, offset: 0, limit: 0))
    }
  }

  /// Removes the results in batches, each in a transaction of its own; see
  /// `Query.remove(inBatchesOf:)`.
  ///
  /// Use it to remove many objects from a full store.
  ///
  /// - Parameter size: The greatest number of results per transaction, at least 1; 100 is a good
  ///   value.
  /// - Returns: The number of removed results. When this throws, earlier batches stay removed.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for a size below 1, `alreadyInWriteTransaction`
  ///   inside a transaction, which would hold all batches; others when the store is closed,
  ///   read-only or full.
  @discardableResult
  public func remove(inBatchesOf size: Int) throws -> UInt64 {
    try box.store.remove(inBatchesOf: size, findIds().map(\.value)) { ids, _ in
      try box.writing { writer, _ in
        try writer.remove(
          ids: try QueryExecution.matching(
            ids,
            selection.condition,
            in: box.entity.table,
            writer.transaction
          )
        )
      }
    }
  }

  /// Describes the plan of the query; see `Query.explain(limit:)`.
  ///
  /// - Parameter limit: The greatest number of results; 0 for all.
  /// - Returns: One or more lines.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func explain(limit: Int = 0) throws -> String {
    try ObjectBoxError.checkPart(limit: limit)
    return try box.reading { try words.explain(try execution($0), limit: limit) }
  }

  /// The type, the entity and the conditions.
  public var debugDescription: String { "<ObjectBox.DynamicQuery \"\(words.title)\">" }

  private var words: QueryDescription {
    QueryDescription(
      entity: box.entity.schema,
      selection: selection,
      file: box.store.file
    )
  }

  func execution(_ transaction: Transaction) throws -> QueryExecution {
    try QueryExecution(
      selection.condition,
      orders: selection.orders,
      table: box.entity.table,
      transaction: transaction,
      skipped: selection.skipsDamagedObjects ? SkippedObjects() : nil
    )
  }

  private func ids(_ transaction: Transaction, offset: Int, limit: Int) throws -> [UInt64] {
    try execution(transaction).ids(offset: offset, limit: limit)
  }
}
