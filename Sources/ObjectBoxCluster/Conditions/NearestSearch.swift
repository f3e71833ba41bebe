internal import ObjectBox

/// Finds the nearest neighbours for the conditions that ask for them.
///
/// With the server's extension `vector`, its index finds them. Without the extension, all vectors
/// of the property are read and measured by the embedded store's code.
struct NearestSearch {
  /// The greatest number of vectors read.
  static let limit = 50_000
  /// The greatest number of neighbours that the extension's index returns.
  private static let indexLimit = 1_000

  /// A search and its table.
  struct Search {
    fileprivate let key: Key
    let table: ClusterTable
    let column: Column
    let nearest: NearestCondition
    /// The extension and the index parameters; nil when the extension does not measure the
    /// distance.
    let vectors: (extension: VectorExtension, parameters: HnswParameters)?
  }

  /// A search by its parameters; NaN equals itself here.
  fileprivate struct Key: Hashable {
    let entity: UInt32
    let property: UInt32
    private let vector: [UInt32]
    private let maxCount: Int

    /// Nil for another condition.
    init?(_ condition: PropertyCondition, of entity: UInt32) {
      guard case .nearest(let vector, let maxCount) = condition.operand else { return nil }
      self.entity = entity
      property = condition.propertyID
      self.vector = vector.map(\.bitPattern)
      self.maxCount = maxCount
    }
  }

  private let tables: ClusterTables
  /// The IDs found by each search, the nearest first.
  private var found: [Key: [UInt64]] = [:]

  /// Runs the searches of a condition in one round trip, or in none without searches.
  ///
  /// - Parameters:
  ///   - condition: The condition, with links.
  ///   - table: The table of its entity.
  ///   - place: The place where vectors are read.
  /// - Throws: `ObjectBoxError.illegalArgument` for a search that does not fit its index, and for
  ///   more than ``limit`` vectors where the server does not measure them. Errors of the server.
  init(_ condition: Condition, of table: ClusterTable, in place: some QueryPlace) async throws {
    tables = place.tables
    let searches = try Self.searches(condition, of: table, in: place)
    if searches.isEmpty { return }
    let results = try await place.run(Self.statements(searches)).suffix(searches.count)
    for (search, rows) in zip(searches, results) { found[search.key] = try Self.ids(search, rows) }
  }

  /// Returns the distinct searches of a condition.
  static func searches(
    _ condition: Condition,
    of table: ClusterTable,
    in place: some QueryPlace
  ) throws -> [Search] {
    var searches: [Search] = []
    for (entity, leaf) in leaves(condition, of: table.schema.identity.id) {
      guard let key = Key(leaf, of: entity), !searches.contains(where: { $0.key == key }) else {
        continue
      }
      if let search = try search(key, leaf, in: place) { searches.append(search) }
    }
    return searches
  }

  /// Returns the statements of searches; the last ones are one for each search.
  static func statements(_ searches: [Search]) -> [Statement] {
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
    return batch + searches.map(statement)
  }

  private static func search(
    _ key: Key,
    _ leaf: PropertyCondition,
    in place: some QueryPlace
  ) throws -> Search? {
    guard let table = place.tables.table(entity: key.entity),
      let column = table.column(property: key.property)
    else {
      throw ObjectBoxError.illegalArgument(
        message: "a query asks for the nearest neighbours by a property that the model lacks"
      )
    }
    guard let nearest = try NearestCondition(leaf, entity: table.schema) else { return nil }
    // The extension accepts finite numbers only.
    let isFinite = nearest.vector.allSatisfy(\.isFinite)
    let parameters = column.property.hnsw.flatMap {
      isFinite && VectorExtension.indexes($0) ? $0 : nil
    }
    let vectors = place.vectors.flatMap { vectors in parameters.map { (vectors, $0) } }
    return Search(key: key, table: table, column: column, nearest: nearest, vectors: vectors)
  }

  private static func leaves(
    _ condition: Condition,
    of entity: UInt32
  ) -> [(entity: UInt32, leaf: PropertyCondition)] {
    condition.properties.map { (entity, $0) }
      + condition.links.flatMap { link in leaves(link.condition, of: link.target) }
  }

  /// Returns the statement that reads a search's candidates.
  private static func statement(_ search: Search) -> Statement {
    let (table, column) = (search.table, search.column)
    let all =
      "SELECT \(table.id.name), \(column.name) FROM \(table.name) WHERE \(column.name) IS NOT NULL"
    guard let (vectors, hnsw) = search.vectors else {
      return Statement("\(all) LIMIT \(limit + 1)")
    }
    var distance =
      "\(vectors.vector(column.name, hnsw)) \(vectors.distance(hnsw)) $1::real[]::\(vectors.type(hnsw))"
    // The index returns fewer. `+ 0` makes the server compare all vectors.
    if search.nearest.maxCount > indexLimit { distance = "(\(distance)) + 0" }
    return Statement("\(all) ORDER BY \(distance) LIMIT $2") { parameters in
      parameters.append(
        PostgresType.float4Array,
        of: PostgresType.float4,
        search.nearest.vector.map(\.bitPattern)
      )
      parameters.append(Int64(search.nearest.maxCount))
    }
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
    return measured.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
      .prefix(search.nearest.maxCount).map(\.id)
  }

  /// Returns the condition with nearest neighbours replaced by their IDs.
  func resolve(_ condition: Condition, of entity: EntitySchema) throws -> Condition {
    switch condition {
    case .property(let leaf):
      guard let ids = Key(leaf, of: entity.identity.id).flatMap({ found[$0] }) else {
        return condition
      }
      return try .hasID(in: ids, of: entity)
    case .all(let parts): return .all(try parts.map { try resolve($0, of: entity) })
    case .any(let parts): return .any(try parts.map { try resolve($0, of: entity) })
    case .link(var link):
      guard let target = tables.table(entity: link.target) else { return condition }
      link.condition = try resolve(link.condition, of: target.schema)
      return .link(link)
    }
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
  /// Whether the condition or one of its links searches nearest neighbours.
  var hasNearest: Bool {
    switch self {
    case .property(let leaf): leaf.comparison == .isNearest
    case .all(let parts), .any(let parts): parts.contains(where: \.hasNearest)
    case .link(let link): link.condition.hasNearest
    }
  }
}
