package import ObjectBox
package import ObjectBoxCluster
package import ObjectBoxDynamic
package import ObjectBoxSync

/// The objects that a browser shows and edits, from a store or a database.
package protocol BrowserContent: Sendable {
  /// The names of the content on the page.
  var label: ContentLabel { get }
  /// A store with the schema, which converts names to queries; also has the objects unless they are
  /// in a database.
  var shape: Store { get }

  /// Runs a body that reads one version.
  ///
  /// - Parameter body: Reads; its argument is valid until it returns. It may run again after it
  ///   threw, at a newer version.
  /// - Returns: The body's result.
  /// - Throws: The body's error; `ObjectBoxError` and `ClusterError` when the content cannot be
  ///   read.
  func reading<T>(_ body: (any ContentVersion) throws -> T) throws -> T

  /// Returns the space and resource use, as a JSON object.
  func statistics() throws -> String

  /// Returns the waiting and the rejected transactions; nil for content of no device.
  func synchronization() throws -> SyncStatus?

  /// Returns the counts of ``synchronization()``.
  func synchronizationCounts() throws -> SyncStatus.Counts?

  /// Makes a follower that waits for new versions.
  func follower() throws -> any ContentFollower

  /// Stores a new object, or changes the named properties of a stored one, in one transaction.
  ///
  /// - Parameter edit: The object, its values and the checks.
  /// - Returns: The ID of the object.
  /// - Throws: The errors of the edit's functions; `ObjectBoxError` and `ClusterError`.
  func put(_ edit: DynamicEdit) throws -> UInt64

  /// Removes objects by the model's delete rules, in one transaction; returns how many existed.
  func remove(_ ids: [UInt64], of entity: EntitySchema) throws -> Int

  /// Adds targets to a standalone relation of an object, and removes others, in one transaction.
  func relate(
    _ relation: RelationSchema,
    of id: UInt64,
    in entity: EntitySchema,
    add added: [UInt64],
    remove removed: [UInt64]
  ) throws
}

extension BrowserContent {
  /// The schema of the objects.
  var schema: StoreSchema { shape.schema }
}

/// The names of a store or database on the page.
package struct ContentLabel: Sendable {
  /// A short name, for titles.
  var name: String
  /// The path of the file, or the address without passwords.
  var address: String
  var isDatabase: Bool
}

/// One version of the objects.
package protocol ContentVersion {
  /// The identity of the version: the number of the commit, or PostgreSQL's snapshot.
  var number: String { get }

  /// Returns the number of objects of each entity, in the schema's order, and whether it is an
  /// estimate.
  func counts() throws -> [(count: Int, isEstimate: Bool)]

  /// Returns the number of results of a query.
  func count(of query: DynamicQuery) throws -> Int

  /// Returns the plan of a query as text.
  func plan(of query: DynamicQuery, limit: Int) throws -> String

  /// Passes the results of a query to a body, in their order.
  ///
  /// - Parameters:
  ///   - query: A query made by the shape.
  ///   - id: In a query ordered by ID, only passes results after the object with this ID; nil for
  ///     all.
  ///   - limit: Greatest number of results; 0 for all.
  ///   - body: Gets a record, valid until it returns.
  /// - Throws: `ObjectBoxError` and `ClusterError` when the content cannot be read; the error of
  ///   the body.
  func forEachRecord(
    of query: DynamicQuery,
    after id: UInt64?,
    limit: Int,
    _ body: (RecordReader) throws -> Void
  ) throws

  /// Passes the results of a search with their scores to a body, the best first.
  ///
  /// - Parameters:
  ///   - query: A query made by the shape, with a search for words or for nearest neighbours.
  ///   - offset: Number of best results to skip.
  ///   - limit: Greatest number of results; 0 for all.
  ///   - body: Gets a record, valid until it returns.
  /// - Throws: As ``forEachRecord(of:after:limit:_:)``.
  func forEachScoredRecord(
    of query: DynamicQuery,
    offset: Int,
    limit: Int,
    _ body: (RecordReader, _ score: Double) throws -> Void
  ) throws
}

extension ContentVersion {
  /// Passes the record of an object to a body; returns false when there is none.
  @discardableResult
  func forRecord(
    _ entity: EntitySchema,
    _ id: UInt64,
    in shape: Store,
    _ body: (RecordReader) throws -> Void
  ) throws -> Bool {
    guard let name = entity.idProperty?.name else { return false }
    let query = try shape.box(named: entity.name).query { $0[name] == id }.build()
    var isThere = false
    try forEachRecord(of: query, after: nil, limit: 1) { record in
      isThere = true
      try body(record)
    }
    return isThere
  }
}

/// Waits for new versions of a store or a database.
package protocol ContentFollower: Sendable {
  /// Waits for a new version; the first call returns the current one.
  ///
  /// - Returns: The ``ContentVersion/number`` of the newest version.
  /// - Throws: `Interruption.Requested` after a signal; `ObjectBoxError` and `ClusterError` when
  ///   the content cannot be read: the next call retries.
  mutating func next() throws -> String
}
