internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Objects of one entity with their pairs, as rows of the protocol.
struct ServerRows {
  /// The greatest ID that a row can have.
  static let greatestID = KeyRange.greatestID

  /// A limit of the size of variable-length values, in bytes.
  enum SizeLimit {
    /// The greatest size of an object.
    case object(Int)
    /// The size at which a page ends, including the object that reaches it.
    ///
    /// The database needs half as much time again for it.
    case page(Int)
  }

  private let entity: SyncedEntity
  private(set) var rows: [UInt64: Row] = [:]

  init(_ entity: SyncedEntity) {
    self.entity = entity
  }

  /// The statements that read the objects with the given IDs: rows, then the pairs of each relation.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The IDs.
  ///   - bytes: The limit of a page's size, applied from ``sizedCount`` IDs on; nil for none.
  /// - Returns: The statements, with rows for ``add(_:)``. The row of an object beyond the limit has no ID.
  static func statements(_ entity: SyncedEntity, ids: [UInt64], bytes: Int? = nil) -> [Statement] {
    let table = entity.table
    let condition = "FROM \(table.name) WHERE \(table.id.name) = ANY ($1)"
    var rows = Statement("SELECT \(table.selection), \(ServerColumns.selection) \(condition)") {
      $0.append(ids: ids)
    }
    if let bytes, ids.count >= sizedCount {
      rows = page(entity, condition, .page(bytes), rows)
      // One plan fits all IDs, and making it takes as long as reading 50 objects.
      rows.isPrepared = true
    }
    return [rows] + pairStatements(entity, ids: ids)
  }

  /// The number of objects from which on their sizes are limited: for fewer, the limit costs the database more than it
  /// saves.
  private static let sizedCount = 16

  /// The statements that read the pairs of the objects with the given IDs.
  static func pairStatements(_ entity: SyncedEntity, ids: [UInt64]) -> [Statement] {
    entity.pairs.map { pairs in
      Statement(
        "SELECT source, target, \(ServerColumns.dot) FROM \(pairs.name) WHERE source = ANY ($1)"
      ) { $0.append(ids: ids) }
    }
  }

  /// The statement that reads the objects in one of several scopes by ascending IDs; nil if no object can be in any of
  /// them.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - scopes: Scopes of the entity.
  ///   - ids: The IDs to read.
  ///   - limit: The greatest number of objects.
  ///   - size: The limit of sizes.
  /// - Returns: The statement, with rows for ``add(_:)``. The row of an object beyond the limit of sizes has neither ID
  ///   nor variable-length values: the database does not read them.
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
  ///   - found: The SQL of the page without a limit of sizes, beginning with FROM.
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
    // The plan must fit the present values and sizes. A kept plan may be from a small table, or for a user with few
    // objects, and read all objects of the scope to find a page.
    statement.isPrepared = false
    let sizes = table.columns.compactMap(\.size)
    guard !sizes.isEmpty else {
      statement.sql = "SELECT \(table.selection), \(ServerColumns.selection) \(found)"
      return statement
    }
    let bytes = sizes.joined(separator: " + ")
    let most = "$\(statement.parameters.count + 1)"
    // Names that no property can have.
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
    // By the column, not by the result column of the same name.
    statement.sql = """
      SELECT \(columns.joined(separator: ", ")), \(ServerColumns.selection)
      FROM (\(page)) AS objectbox_page ORDER BY objectbox_page.\(id)
      """
    return statement
  }

  /// The statement that reads the objects in one of several scopes and ranges by ascending IDs; nil if no object can be
  /// in any of the scopes.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - scopes: Scopes of the entity.
  ///   - ranges: Ranges of IDs in ascending order that do not overlap. The database reads up to `limit` objects of each
  ///     range.
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
    // Names that no property can have.
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

  /// Adds the rows of ``statements(_:ids:)`` or ``page(_:_:_:limit:)``.
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

  /// Adds pairs to the present rows.
  ///
  /// - Parameter results: The results of ``pairStatements(_:ids:)``, in order.
  mutating func addPairs(_ results: some Sequence<ResultRows>) {
    var pairs = ServerPairs()
    pairs.add(results, of: entity)
    for id in rows.keys { rows[id]?.pairs = pairs[id] }
  }
}

extension Column {
  /// The SQL of an object's size in this column, in bytes; nil for a type with values of one size.
  ///
  /// The database computes it without reading the value. Lists count by their stored size, possibly compressed.
  fileprivate var size: String? {
    switch kind {
    case .bool, .smallint, .integer, .bigint, .real, .double, .timestamp, .uuid: nil
    case .text, .bytes: "coalesce(octet_length(\(name)), 0)"
    case .numeric, .integers, .bigints, .reals, .texts: "coalesce(pg_column_size(\(name)), 0)"
    }
  }
}

extension ResultRows {
  /// The number of rows before the first row beyond a limit of sizes, which has no ID.
  var objectCount: Int {
    checkHas(0..<count, columns: 0..<1)
    return (0..<count).first { uncheckedBytes($0, 0) == nil } ?? count
  }
}
