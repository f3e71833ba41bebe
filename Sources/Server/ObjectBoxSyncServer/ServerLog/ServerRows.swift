internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Objects of one entity with their pairs, as the protocol sees them.
struct ServerRows {
  /// The greatest ID that a row can have.
  static let greatestID = KeyRange.greatestID

  /// A limit of the bytes in values of variable size.
  enum SizeLimit {
    /// The greatest size of an object.
    case object(Int)
    /// The page ends with the object with which its objects reach this size. The database needs half as
    /// much time again.
    case page(Int)
  }

  private let entity: SyncedEntity
  private(set) var rows: [UInt64: Row] = [:]

  init(_ entity: SyncedEntity) {
    self.entity = entity
  }

  /// The statements that read the objects with the given IDs: rows, then pairs of each relation.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The IDs.
  ///   - bytes: The limit of a page's sizes, from ``sizedCount`` IDs on; nil for none.
  /// - Returns: The statements, with rows for ``add(_:)``. The row of an object beyond the limit has no ID.
  static func statements(_ entity: SyncedEntity, ids: [UInt64], bytes: Int? = nil) -> [Statement] {
    let table = entity.table
    let condition = "FROM \(table.name) WHERE \(table.id.name) = ANY ($1)"
    var rows = Statement("SELECT \(table.selection), \(ServerColumns.selection) \(condition)") {
      $0.append(ids: ids)
    }
    if let bytes, ids.count >= sizedCount { rows = page(entity, condition, .page(bytes), rows) }
    return [rows] + pairStatements(entity, ids: ids)
  }

  /// The number of objects from which on they are read with a limit of their sizes: fewer are not worth the
  /// database's time.
  private static let sizedCount = 16

  /// The statements that read the pairs of the objects with the given IDs.
  static func pairStatements(_ entity: SyncedEntity, ids: [UInt64]) -> [Statement] {
    entity.pairs.map { pairs in
      Statement(
        "SELECT source, target, \(ServerColumns.dot) FROM \(pairs.name) WHERE source = ANY ($1)"
      ) { $0.append(ids: ids) }
    }
  }

  /// The statement that reads objects in some of several scopes by ascending IDs; nil when no object
  /// can be in a scope.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - scopes: Scopes of the entity.
  ///   - ids: The IDs to read.
  ///   - limit: The greatest number of objects.
  ///   - size: The limit of sizes.
  /// - Returns: The statement, with rows for ``add(_:)``. The row of an object beyond the limit of sizes has
  ///   neither ID nor values of variable size: the database does not read them.
  static func page(
    _ entity: SyncedEntity,
    _ scopes: [Scope],
    _ ids: ClosedRange<UInt64>,
    limit: Int,
    size: SizeLimit
  ) -> Statement? {
    var statement = Statement("")
    statement.parameters.append(id: ids.lowerBound)
    statement.parameters.append(id: ids.upperBound)
    statement.parameters.append(Int64(limit))
    guard let condition = entity.condition(scopes, &statement.parameters) else { return nil }
    let id = entity.table.id.name
    return page(
      entity,
      "FROM \(entity.table.name) WHERE \(id) BETWEEN $1 AND $2 AND (\(condition)) ORDER BY \(id) LIMIT $3",
      size,
      statement
    )
  }

  /// The statement that reads a page of objects by ascending IDs.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - found: The SQL of the page without a limit of sizes, from FROM on.
  ///   - size: The limit of sizes.
  ///   - begun: A statement with the parameters of `found`.
  /// - Returns: The statement.
  private static func page(
    _ entity: SyncedEntity,
    _ found: String,
    _ size: SizeLimit,
    _ begun: Statement
  ) -> Statement {
    let table = entity.table
    let id = table.id.name
    var statement = begun
    // A plan is made for the present values and sizes. One that is kept can have been made for a small
    // table, or for a user with few objects, and find a page by reading all objects of the scope.
    statement.isPrepared = false
    let sizes = table.columns.compactMap(\.size)
    guard !sizes.isEmpty else {
      statement.sql = "SELECT \(table.selection), \(ServerColumns.selection) \(found)"
      return statement
    }
    let bytes = sizes.joined(separator: " + ")
    let most = "$\(statement.parameters.count + 1)"
    // Names that no property has.
    let isLarge = "objectbox_large"
    let page: String
    switch size {
    case .object(let size):
      statement.parameters.append(Int64(size))
      page = "SELECT *, \(bytes) > \(most) AS \(isLarge) \(found)"
    case .page(let size):
      statement.parameters.append(Int64(size))
      page = """
        SELECT *, sum(\(bytes)) OVER (ORDER BY \(id) ROWS UNBOUNDED PRECEDING) - (\(bytes)) >= \(most)
          AS \(isLarge) FROM (SELECT * \(found)) AS objectbox_found
        """
    }
    let columns = table.columns.enumerated().map { index, column in
      index == 0 || column.size != nil
        ? "CASE WHEN \(isLarge) THEN NULL ELSE \(column.selection()) END" : column.selection()
    }
    // By the column, not by the result with its name.
    statement.sql = """
      SELECT \(columns.joined(separator: ", ")), \(ServerColumns.selection)
      FROM (\(page)) AS objectbox_page ORDER BY objectbox_page.\(id)
      """
    return statement
  }

  /// The statement that reads objects in some of several scopes and ranges by ascending IDs; nil when
  /// no object can be in a scope.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - scopes: Scopes of the entity.
  ///   - ranges: Ranges of IDs in ascending order that do not overlap. The database reads up to `limit`
  ///     objects of each.
  ///   - limit: The greatest number of objects.
  ///   - size: The limit of sizes.
  /// - Returns: The statement, as for one range.
  static func page(
    _ entity: SyncedEntity,
    _ scopes: [Scope],
    in ranges: some Collection<ClosedRange<UInt64>>,
    limit: Int,
    size: SizeLimit
  ) -> Statement? {
    var statement = Statement("")
    statement.parameters.append(ids: ranges.map(\.lowerBound))
    statement.parameters.append(ids: ranges.map(\.upperBound))
    statement.parameters.append(Int64(limit))
    guard let condition = entity.condition(scopes, &statement.parameters) else { return nil }
    let id = entity.table.id.name
    // Names that no property has.
    return page(
      entity,
      """
      FROM unnest($1, $2) AS objectbox_ranges (objectbox_first, objectbox_last)
      CROSS JOIN LATERAL (SELECT * FROM \(entity.table.name)
        WHERE \(id) BETWEEN objectbox_first AND objectbox_last AND (\(condition))
        ORDER BY \(id) LIMIT $3) AS objectbox_rows ORDER BY \(id) LIMIT $3
      """,
      size,
      statement
    )
  }

  /// Adds rows of ``statements(_:ids:)`` or ``page(_:_:_:limit:)``.
  ///
  /// - Returns: The IDs in the order of the rows.
  mutating func add(_ result: ResultRows) throws -> [UInt64] {
    var reader = ServerRowReader(entity)
    var ids: [UInt64] = []
    ids.reserveCapacity(result.count)
    for number in 0..<result.count {
      guard let (id, row) = try reader.object(result, number) else { continue }
      rows[id] = row
      ids.append(id)
    }
    return ids
  }

  /// Adds pairs to the rows that are there.
  ///
  /// - Parameter results: Those of ``pairStatements(_:ids:)``, in order.
  mutating func addPairs(_ results: some Sequence<ResultRows>) {
    var pairs = ServerPairs()
    pairs.add(results, of: entity)
    for id in rows.keys { rows[id]?.pairs = pairs[id] }
  }
}

extension Column {
  /// The SQL of the bytes in an object's value; nil for a type with values of one size.
  ///
  /// The database reads no value for it. It counts lists as they are stored, possibly compressed.
  fileprivate var size: String? {
    switch kind {
    case .bool, .smallint, .integer, .bigint, .real, .double, .timestamp, .uuid: nil
    case .text, .bytes: "coalesce(octet_length(\(name)), 0)"
    case .numeric, .integers, .bigints, .reals, .texts: "coalesce(pg_column_size(\(name)), 0)"
    }
  }
}

extension ResultRows {
  /// The number of rows before the first one beyond a limit of sizes: it has no ID.
  var objectCount: Int {
    checkHas(0..<count, columns: 0..<1)
    return (0..<count).first { uncheckedBytes($0, 0) == nil } ?? count
  }
}
