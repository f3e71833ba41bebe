public import ObjectBox

/// A search for objects of a cluster, which can run any number of times with changed parameters.
///
/// The query is a value: a copy has its own parameters. Each call is one round trip. It returns the
/// newest committed objects, or its transaction's view of them. Included relations take another
/// round trip for each level, and so do vectors that must be compared for nearest neighbours.
/// Outside a transaction, such a call reads one version in a read transaction, whose end takes
/// another round trip.
///
/// All functions throw `ObjectBoxError` like the embedded store, before anything is sent:
/// `propertyTypeMismatch` when a condition does not fit its property, `illegalArgument` for a
/// property or relation that the model lacks. They throw ``ClusterError`` when no server answers.
public struct ClusterQuery<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  var source: ReadSource
  var selection: Selection
  var inclusions = ClusterInclusions<E>()

  init(_ source: ReadSource, _ condition: QueryCondition<E>?) {
    self.source = source
    selection = Selection(of: condition?.condition)
  }

  /// Checks the query against the model, and returns it.
  ///
  /// Not needed, since every run makes the same checks; it makes code of the embedded store
  /// compile.
  ///
  /// - Returns: The query itself.
  /// - Throws: `ObjectBoxError`.
  public func build() throws -> ClusterQuery<E> {
    try check()
    return self
  }

  // MARK: Objects

  /// Returns the results in the query's order, else in the order of their IDs.
  ///
  /// - Parameters:
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func find(offset: Int = 0, limit: Int = 0) async throws -> [E] {
    try await atOneVersion { query in
      let run = try await query.run()
      let rows = try await query.source.run([run.objects(offset: offset, limit: limit)])
      let objects = try query.decoded(rows[0])
      try await query.include(in: objects)
      return objects
    }
  }

  /// Returns the results, like ``find(offset:limit:)``.
  ///
  /// - Parameters:
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func findContiguous(
    offset: Int = 0,
    limit: Int = 0
  ) async throws -> ContiguousArray<E> {
    ContiguousArray(try await find(offset: offset, limit: limit))
  }

  /// Returns the IDs of the results, in the order of ``find(offset:limit:)``.
  ///
  /// - Parameters:
  ///   - offset: Number of results to skip at the beginning.
  ///   - limit: Greatest number of results; 0 for all.
  /// - Returns: IDs.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func findIds(offset: Int = 0, limit: Int = 0) async throws -> [EntityId<E>] {
    try await atOneVersion { query in
      let run = try await query.run()
      let rows = try await query.source.run([run.ids(offset: offset, limit: limit)])
      return rows[0].ids().map { EntityId($0) }
    }
  }

  /// Returns the first result; nil when there is none.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func findFirst() async throws -> E? { try await find(limit: 1).first }

  /// Returns the only result; nil when there is none.
  ///
  /// Throws `ObjectBoxError.nonUniqueResult` when there are several, other cases of
  /// `ObjectBoxError`, and ``ClusterError``.
  public func findUnique() async throws -> E? {
    let found = try await find(limit: 2)
    guard found.count < 2 else { throw ObjectBoxError.severalResults(of: E.entityInfo.entityName) }
    return found.first
  }

  /// Returns the number of results.
  ///
  /// - Parameter limit: The number at which the server stops counting; 0 counts all.
  /// - Returns: The number of results, up to the limit.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func count(limit: Int = 0) async throws -> Int {
    try await atOneVersion { query in
      let run = try await query.run()
      let rows = try await query.source.run([run.count(limit: limit)])
      return Int(rows[0].anyInteger(0, 0) ?? 0)
    }
  }

  /// Returns true if there is a result; the server stops at the first one.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func exists() async throws -> Bool { try await count(limit: 1) > 0 }

  /// Removes the results, in the query's transaction or in a new one.
  ///
  /// One round trip for the search, and the round trips of a removal by a box.
  ///
  /// - Returns: The number of removed objects.
  /// - Throws: `ObjectBoxError` like a removal by a box, and ``ClusterError``.
  @discardableResult
  public func remove() async throws -> UInt64 {
    guard case .newest(let cluster) = source else {
      let ids = try await findIds().map(\.value)
      return ids.isEmpty ? 0 : try await ClusterBox<E>(source).removeAll(ids)
    }
    try check()
    return try await cluster.write { transaction in
      var query = self
      query.source = .transaction(transaction)
      return try await query.remove()
    }
  }

  // MARK: Implementation

  /// Runs a body at one version of the objects: in the query's transaction, or in a read transaction if the body needs
  /// more than one statement.
  func atOneVersion<T>(
    isScored: Bool = false,
    _ body: (ClusterQuery<E>) async throws -> T
  ) async throws -> T {
    try check()
    guard case .newest(let cluster) = source,
      !inclusions.isEmpty || isScored || selection.condition?.hasNearest ?? false
    else { return try await body(self) }
    return try await cluster.read { transaction in
      var query = self
      query.source = .transaction(transaction)
      return try await body(query)
    }
  }

  /// Checks the query against the model; every call does it once before sending.
  func check() throws {
    try source.cluster.shape.check(
      selection,
      entity: E.entityInfo.entitySchemaId,
      named: E.entityInfo.entityName
    )
    try inclusions.check(in: source.cluster.shape)
  }

  /// Returns the entity's table; the query must be checked.
  func table() throws -> ClusterTable {
    guard let table = source.cluster.tables.table(entity: E.entityInfo.entitySchemaId) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "the model of the cluster lacks '\(E.entityInfo.entityName)'; run the generator again"
      )
    }
    return table
  }

  /// Returns the statements, with nearest neighbours already found; the query must be checked.
  func run() async throws -> QueryRun {
    let table = try table()
    var condition = selection.condition
    if let open = condition, open.hasNearest {
      condition = try await NearestSearch(open, of: table, in: source).condition
    }
    return run(of: table, condition)
  }

  func run(of table: ClusterTable, _ condition: Condition?) -> QueryRun {
    QueryRun(
      tables: source.cluster.tables,
      table: table,
      condition: condition,
      orders: selection.orders
    )
  }

  /// Returns the objects of the first rows with the columns of ``QueryRun/objects(offset:limit:)``;
  /// of all rows by default.
  func decoded(_ rows: ResultRows, count: Int? = nil) throws -> [E] {
    let decoding = RowDecoding<E>(try table(), store: source.cluster.shape)
    return try decoding.objects(rows, 0..<(count ?? rows.count))
  }
}
