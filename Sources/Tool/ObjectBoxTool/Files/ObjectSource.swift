internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic

/// The objects that a command line names: of a store, or of one snapshot of a database.
struct ObjectSource {
  private enum Place {
    case store(StoreLocation)
    case database(MovingOut)
  }

  private let place: Place
  /// The store; for a database, a store with its schema and without objects.
  private let store: Store

  /// Opens the source named by the first operand for reading.
  ///
  /// - Parameter arguments: The command line, which may name a database's schema.
  /// - Throws: ``Failure``, `ObjectBoxError` and `ClusterError` when the source is missing or
  ///   cannot be read.
  init(_ arguments: CommandArguments) throws {
    let name = arguments.operands[0]
    guard DatabaseAddress.isOne(name) else {
      let location = try StoreLocation.existing(arguments)
      place = .store(location)
      store = try location.openToRead()
      return
    }
    try StoreKey.refuseForDatabase(arguments)
    let configuration = DatabaseAddress.configuration(name, arguments)
    let database = try Waiting.run {
      try await MovingOut(try await MovingDatabase(configuration))
    }
    place = .database(database)
    store = try Store(schema: database.schema, configuration: Self.shapeConfiguration)
  }

  /// A store in memory with a database's schema, which converts names to queries.
  static var shapeConfiguration: Store.Configuration {
    Store.Configuration(directory: "memory:\(UUID().uuidString)")
  }

  func close() { store.close() }

  /// The schema of the objects.
  var schema: StoreSchema { store.schema }

  /// The location of the store; nil for a database.
  var location: StoreLocation? {
    if case .store(let location) = place { location } else { nil }
  }

  /// Makes a query from texts that people write.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - condition: The condition; blank for all objects.
  ///   - orders: The names of properties; a leading `-` means descending.
  /// - Returns: The query.
  /// - Throws: ``ConditionFault``; `ObjectBoxError` for a name that the entity lacks.
  func query(_ entity: String, condition: String, orders: [String]) throws -> ObjectQuery {
    let query = try StoreQuery(entity, condition: condition, orders: orders, in: store).query
    if case .database(let database) = place {
      try Waiting.run { try await database.findWords(for: query) }
      return ObjectQuery(query: query, database: database)
    }
    return ObjectQuery(query: query, database: nil)
  }
}

/// A part of the results of a query.
struct ResultPart {
  /// The number of results to skip at the beginning.
  var offset = 0
  /// The greatest number of results; 0 for all.
  var limit = 0
  /// True for the order of the scores of a search, in place of the order of the query.
  var isBestFirst = false
}

/// A query of an ``ObjectSource``.
struct ObjectQuery {
  fileprivate let query: DynamicQuery
  /// The database that runs the query; nil when the store does.
  fileprivate let database: MovingOut?

  /// Returns the number of all results.
  func count() throws -> Int { try database?.waitForCount(of: query) ?? query.count() }

  /// Returns the plan as text.
  func explain(limit: Int) throws -> String {
    try database?.waitForPlan(of: query, limit: limit) ?? query.explain(limit: limit)
  }

  /// Returns what marks the words that the query finds, with a number of words of each text.
  func foundTexts(_ wordCount: Int) throws -> FoundTexts {
    try FoundTexts(of: query, wordCount: wordCount)
  }

  /// Passes results to a body.
  ///
  /// - Parameters:
  ///   - part: The results to pass, and their order.
  ///   - body: Gets a record, valid until it returns.
  /// - Throws: `ObjectBoxError`, also when the best are to be first without a search;
  ///   `ClusterError`; the error of the body.
  func forEachRecord(_ part: ResultPart, _ body: (RecordReader) throws -> Void) throws {
    let (offset, limit) = (part.offset, part.limit)
    guard let database else {
      return try part.isBestFirst
        ? query.forEachScoredRecord(offset: offset, limit: limit) { record, _ in try body(record) }
        : query.forEachRecord(offset: offset, limit: limit, body)
    }
    guard part.isBestFirst else {
      return try database.forEachRecord(of: query, offset: offset, limit: limit, body)
    }
    let found = try Waiting.run {
      try await database.scored(query, offset: offset, limit: limit)
    }
    for (record, _) in found { try record.reading(body) }
  }
}
