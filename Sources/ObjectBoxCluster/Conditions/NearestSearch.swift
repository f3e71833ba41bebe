internal import ObjectBox

/// Finds the nearest neighbours that a condition asks for, by comparing all vectors of a property.
///
/// The vectors are read from the server and measured here, by the code of the embedded store, so that distances are
/// the same. The work is proportional to the number of vectors.
struct NearestSearch {
  /// The greatest number of vectors that are compared.
  static let limit = 50_000

  /// A property whose vectors are compared.
  private struct Key: Hashable {
    var entity: UInt32
    var property: UInt32
  }

  private let tables: ClusterTables
  private var vectors: [Key: ResultRows] = [:]

  /// Reads the vectors that a condition needs, in one round trip, or in none.
  ///
  /// - Parameters:
  ///   - condition: The condition, with links.
  ///   - table: The table of its entity.
  ///   - source: The place where they are read.
  /// - Throws: `ObjectBoxError.illegalArgument` for more vectors than ``limit``; errors of the server.
  init(_ condition: Condition, of table: ClusterTable, in source: ReadSource) async throws {
    tables = source.cluster.tables
    let keys = Set(Self.keys(condition, of: table.schema.identity.id)).sorted {
      ($0.entity, $0.property) < ($1.entity, $1.property)
    }
    if keys.isEmpty { return }
    let batch = try keys.map { key in
      let (table, column) = try Self.place(key, tables)
      return Statement(
        "SELECT \(table.id.name), \(column.name) FROM \(table.name)"
          + " WHERE \(column.name) IS NOT NULL LIMIT \(Self.limit + 1)"
      )
    }
    for (key, rows) in zip(keys, try await source.run(batch)) {
      guard rows.count <= Self.limit else {
        let (table, column) = try Self.place(key, tables)
        throw ObjectBoxError.illegalArgument(
          message:
            "a query asks for the nearest neighbours by '\(table.schema.name).\(column.property.name)', which has "
            + "more than \(Self.limit) vectors; a cluster compares all of them, and no more than that"
        )
      }
      vectors[key] = rows
    }
  }

  private static func place(
    _ key: Key,
    _ tables: ClusterTables
  ) throws -> (ClusterTable, Column) {
    guard let table = tables.table(entity: key.entity),
      let column = table.column(property: key.property)
    else {
      throw ObjectBoxError.illegalArgument(
        message: "a query asks for the nearest neighbours by a property that the model lacks"
      )
    }
    return (table, column)
  }

  private static func keys(_ condition: Condition, of entity: UInt32) -> [Key] {
    condition.properties.filter { $0.comparison == .isNearest }
      .map { Key(entity: entity, property: $0.propertyID) }
      + condition.links.flatMap { link in keys(link.condition, of: link.target) }
  }

  /// Returns the condition with nearest neighbours replaced by their IDs.
  func resolve(_ condition: Condition, of entity: EntitySchema) throws -> Condition {
    switch condition {
    case .property(let leaf):
      guard let nearest = try NearestCondition(leaf, entity: entity) else { return condition }
      let found = distances(nearest, of: entity)
        .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
      return try .hasID(in: found.prefix(nearest.maxCount).map(\.id), of: entity)
    case .all(let parts): return .all(try parts.map { try resolve($0, of: entity) })
    case .any(let parts): return .any(try parts.map { try resolve($0, of: entity) })
    case .link(var link):
      guard let target = tables.table(entity: link.target) else { return condition }
      link.condition = try resolve(link.condition, of: target.schema)
      return .link(link)
    }
  }

  /// Returns the distances of all objects that have a vector.
  func distances(
    _ nearest: NearestCondition,
    of entity: EntitySchema
  ) -> [(id: UInt64, distance: Float)] {
    let key = Key(entity: entity.identity.id, property: nearest.property.identity.id)
    guard let rows = vectors[key] else { return [] }
    return (0..<rows.count).compactMap { row in
      guard let id = rows.integer(row, 0, as: UInt64.self), let bytes = rows.bytes(row, 1) else {
        return nil
      }
      let vector = bytes.numbers(UInt32.self).map(Float.init(bitPattern:))
      return nearest.distance(to: vector).map { (id, $0) }
    }
  }
}

extension Condition {
  /// True with a search of nearest neighbours, also inside of links.
  var hasNearest: Bool {
    switch self {
    case .property(let leaf): leaf.comparison == .isNearest
    case .all(let parts), .any(let parts): parts.contains(where: \.hasNearest)
    case .link(let link): link.condition.hasNearest
    }
  }
}
