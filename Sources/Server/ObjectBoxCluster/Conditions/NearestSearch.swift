internal import ObjectBox

/// The search for nearest neighbours of a condition.
///
/// A search is confined to the objects that meet the other parts of its conjunction, unless it filters afterwards. The
/// index of the server's extension `vector` finds the neighbours. Without the extension, the vectors of these objects
/// are read and measured by the embedded store's code.
struct NearestSearch {
  /// The greatest number of vectors read.
  static let limit = 50_000
  /// The greatest number of neighbours that the extension's index returns.
  private static let indexLimit = 1_000

  /// A search and its table.
  struct Search {
    let table: ClusterTable
    let column: Column
    let nearest: NearestCondition
    /// The other conditions, without searches; nil for a search among all objects.
    let others: Condition?
    /// The extension and the index parameters; nil when the extension does not measure the
    /// distance.
    let vectors: (extension: VectorExtension, parameters: HnswParameters)?
  }

  /// The condition, with nearest neighbours replaced by their IDs.
  let condition: Condition

  /// Runs the searches of a condition.
  ///
  /// Costs one round trip, one more for each level of searches whose other conditions have
  /// searches, and none without searches.
  ///
  /// - Parameters:
  ///   - condition: The condition, with links.
  ///   - table: The table of its entity.
  ///   - place: The place where vectors are read.
  /// - Throws: `ObjectBoxError.illegalArgument` for a search that does not fit its index, and for more than ``limit``
  ///   vectors if the server does not measure them. Errors of the server.
  init(_ condition: Condition, of table: ClusterTable, in place: some QueryPlace) async throws {
    var condition = condition
    while condition.hasNearest {
      let searches = try Self.searches(condition, of: table, in: place)
      let statements = try Self.statements(searches, place.tables)
      let results = try await place.run(statements).suffix(searches.count)
      var found = try zip(searches, results).map { search, rows in
        try Condition.comparingID(.isIn, Self.ids(search, rows), of: search.table.schema)
      }[...]
      condition = try Self.replacing(condition, of: table.schema.identity.id) { _, _, _ in
        found.popFirst()
      }
    }
    self.condition = condition
  }

  /// Returns the searches of a condition whose other conditions have no searches.
  static func searches(
    _ condition: Condition,
    of table: ClusterTable,
    in place: some QueryPlace
  ) throws -> [Search] {
    var searches: [Search] = []
    _ = try replacing(condition, of: table.schema.identity.id) { leaf, entity, others in
      if let search = try search(leaf, of: entity, among: others, in: place) {
        searches.append(search)
      }
      return nil
    }
    return searches
  }

  /// Returns the statements of searches; the last statements belong to the searches, one each.
  static func statements(_ searches: [Search], _ tables: ClusterTables) throws -> [Statement] {
    let counts = searches.compactMap { $0.vectors == nil ? nil : $0.nearest.maxCount }
    var batch: [Statement] = []
    if let most = counts.max() {
      // The setting lasts until the end of the transaction or batch.
      batch.append(
        Statement("SELECT set_config('hnsw.ef_search', $1, true)") {
          $0.append("\(max(100, min(indexLimit, most)))")
        }
      )
    }
    return try batch + searches.map { try statement($0, tables) }
  }

  /// Returns the condition with searches replaced.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - entity: The ID of its entity.
  ///   - replacement: Gets each search whose other conditions have no searches, with the ID of its entity and these
  ///     conditions; always in the same order. Returns nil to keep the search.
  /// - Returns: The new condition.
  /// - Throws: The errors of `replacement`.
  private static func replacing(
    _ condition: Condition,
    of entity: UInt32,
    _ replacement: (PropertyCondition, UInt32, Condition?) throws -> Condition?
  ) throws -> Condition {
    switch condition {
    case .property(let leaf):
      guard leaf.comparison == .isNearest else { return condition }
      return try replacement(leaf, entity, nil) ?? condition
    case .link(var link):
      link.condition = try replacing(link.condition, of: link.target, replacement)
      return .link(link)
    case .any(let parts):
      return .any(try parts.map { try replacing($0, of: entity, replacement) })
    case .all:
      let (searches, parts) = split(condition)
      if searches.isEmpty {
        return .all(try parts.map { try replacing($0, of: entity, replacement) })
      }
      if parts.contains(where: \.hasNearest) {
        let others = try parts.map { try replacing($0, of: entity, replacement) }
        return .all(searches.map { .property($0) } + others)
      }
      let others = parts.isEmpty ? nil : Condition.all(parts)
      let found = try searches.map { try replacement($0, entity, others) ?? .property($0) }
      // The found objects meet the other conditions.
      return .all(found)
    }
  }

  /// Returns the searches of a conjunction that are confined to its other parts, and these parts.
  private static func split(
    _ condition: Condition
  ) -> (searches: [PropertyCondition], others: [Condition]) {
    var searches: [PropertyCondition] = []
    var others: [Condition] = []
    for part in condition.conjuncts {
      if case .property(let leaf) = part, case .nearest(_, _, .first) = leaf.operand {
        searches.append(leaf)
      } else {
        others.append(part)
      }
    }
    return (searches, others)
  }

  private static func search(
    _ leaf: PropertyCondition,
    of entity: UInt32,
    among others: Condition?,
    in place: some QueryPlace
  ) throws -> Search? {
    guard let table = place.tables.table(entity: entity),
      let column = table.column(property: leaf.propertyID)
    else {
      throw ObjectBoxError.illegalArgument(
        message: "a query asks for the nearest neighbours by a property that the model lacks"
      )
    }
    guard let nearest = try NearestCondition(leaf, entity: table.schema) else { return nil }
    // The extension accepts only finite numbers.
    let isFinite = nearest.vector.allSatisfy(\.isFinite)
    let parameters = column.property.hnsw.flatMap {
      isFinite && VectorExtension.indexes($0) ? $0 : nil
    }
    let vectors = place.vectors.flatMap { vectors in parameters.map { (vectors, $0) } }
    return Search(
      table: table,
      column: column,
      nearest: nearest,
      others: others,
      vectors: vectors
    )
  }

  /// Returns the statement that reads a search's candidates.
  ///
  /// With other conditions, the index may return fewer objects than meet them. Then the statement compares the vectors
  /// of all objects that meet them.
  private static func statement(_ search: Search, _ tables: ClusterTables) throws -> Statement {
    let (table, column) = (search.table, search.column)
    var rendering = ConditionRendering(tables)
    let alias = rendering.newAlias()
    let name = "\(alias).\(column.name)"
    var all =
      "SELECT \(alias).\(table.id.name), \(name) FROM \(table.name) \(alias) WHERE \(name) IS NOT NULL"
    if let others = search.others {
      all += " AND \(try rendering.sql(others, of: table, as: alias))"
    }
    guard let (vectors, hnsw) = search.vectors else {
      return Statement("\(all) LIMIT \(limit + 1)", rendering.parameters)
    }
    let vector = rendering.parameter {
      $0.append(
        PostgresType.float4Array,
        of: PostgresType.float4,
        search.nearest.vector.map(\.bitPattern)
      )
    }
    let count = rendering.parameter { $0.append(Int64(search.nearest.maxCount)) }
    let distance =
      "\(vectors.vector(name, hnsw)) \(vectors.distance(hnsw)) \(vector)::real[]::\(vectors.type(hnsw))"
    let byIndex = "\(all) ORDER BY \(distance) LIMIT \(count)"
    // `+ 0` makes the server compare all vectors.
    let compared = "ORDER BY (\(distance)) + 0 LIMIT \(count)"
    if search.nearest.maxCount > indexLimit {
      return Statement("\(all) \(compared)", rendering.parameters)
    }
    if search.others == nil { return Statement(byIndex, rendering.parameters) }
    return Statement(
      "WITH near AS MATERIALIZED (\(byIndex)) SELECT * FROM near UNION ALL "
        + "(\(all) AND (SELECT count(*) FROM near) < \(count) \(compared))",
      rendering.parameters
    )
  }

  private static func ids(_ search: Search, _ rows: ResultRows) throws -> [UInt64] {
    guard rows.count <= limit || search.vectors != nil else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query asks for the nearest neighbours by '\(search.table.schema.name).\(search.column.property.name)', "
          + "which has more than \(limit) vectors; a cluster compares all of them, and no more than that, where the "
          + "server cannot: run CREATE EXTENSION vector in the database, and open the cluster again"
      )
    }
    let measured = (0..<rows.count).compactMap { row -> (id: UInt64, distance: Float)? in
      guard let id = rows.integer(row, 0, as: UInt64.self),
        let distance = search.nearest.distance(rows, row, 1)
      else { return nil }
      return (id, distance)
    }
    var ids: [UInt64] = []
    // The objects that the index has found occur again among all compared objects.
    for (id, _) in measured.sorted(by: { ($0.distance, $0.id) < ($1.distance, $1.id) })
    where ids.last != id { ids.append(id) }
    return Array(ids.prefix(search.nearest.maxCount))
  }
}

extension NearestCondition {
  /// Returns the distance of the vector in a row; nil without a vector of the search's length.
  func distance(_ rows: ResultRows, _ row: Int, _ column: Int) -> Float? {
    rows.bytes(row, column).flatMap { bytes in
      distance(to: bytes.numbers(UInt32.self).map(Float.init(bitPattern:)))
    }
  }
}

extension Condition {
  /// True if the condition or one of its links searches nearest neighbours.
  var hasNearest: Bool {
    switch self {
    case .property(let leaf): leaf.comparison == .isNearest
    case .all(let parts), .any(let parts): parts.contains(where: \.hasNearest)
    case .link(let link): link.condition.hasNearest
    }
  }
}
