public import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic

/// The changes to a database's schema that opening a cluster would make.
public struct SchemaPlan: Sendable, Hashable, CustomStringConvertible {
  /// The statements in order; empty when the schema is up to date.
  ///
  /// They run in one transaction. A statement with parameters runs many times, for texts that the program folds and
  /// values that its migrations compute.
  public let statements: [String]

  /// True if opening changes nothing.
  public var isEmpty: Bool { statements.isEmpty }

  /// The statements, each followed by a semicolon and a line feed.
  public var description: String { statements.map { "\($0);\n" }.joined() }

  init(_ steps: [SchemaStep]) {
    statements = steps.map(\.text)
  }
}

extension Cluster {
  /// Returns the schema changes that opening a cluster under a model would make, without making
  /// them.
  ///
  /// Some changes depend on stored values: a new unique property with duplicates, or a type that
  /// not all values fit, is refused only when the plan runs.
  ///
  /// - Parameters:
  ///   - model: The result of `ModelBuilder.finish()`. It is used up, even when this throws.
  ///   - configuration: The address of the database, which may be empty.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` like opening, such as `schemaNewer` and `schemaConflict`.
  /// - Complexity: Four round trips on a separate connection.
  public static func plan(
    for model: OpaquePointer,
    configuration: Configuration
  ) async throws -> SchemaPlan {
    try await plan(schema: ModelBuilder.takeSchema(model), configuration)
  }

  /// Returns the schema changes that opening a cluster under a model file would make.
  ///
  /// - Parameters:
  ///   - modelJSON: The URL of a model file. It has no parameters of nearest-neighbour indexes; the
  ///     database's are used.
  ///   - configuration: The address of the database, which may be empty.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` like opening; `ObjectBoxError.schema` with the place of an error in
  ///   the file.
  public static func plan(
    modelJSON: URL,
    configuration: Configuration
  ) async throws -> SchemaPlan {
    try await plan(schema: try StoreSchema(modelFile: modelJSON), configuration, isFromFile: true)
  }

  /// Returns the schema changes that opening this cluster under another model would make.
  ///
  /// - Parameter model: The result of `ModelBuilder.finish()`. It is used up, even when this
  ///   throws.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` like opening.
  public func plan(for model: OpaquePointer) async throws -> SchemaPlan {
    try await plan(schema: ModelBuilder.takeSchema(model))
  }

  func plan(schema: StoreSchema) async throws -> SchemaPlan {
    let tables = ClusterTables(schema, in: tables.namespaceName)
    return try await pool.withConnection { try await DatabaseUpgrade(tables).plan(on: $0) }
  }

  static func plan(
    schema: StoreSchema,
    _ configuration: Configuration,
    isFromFile: Bool = false
  ) async throws -> SchemaPlan {
    let tables = ClusterTables(schema, in: configuration.schema)
    let upgrade = DatabaseUpgrade(tables, mayBeOlder: configuration.acceptsOlderModel)
    let connection = try await Connection.alone(configuration)
    return try await ServerFailure.told {
      try await upgrade.plan(on: connection, isFromFile: isFromFile)
    }
  }
}

extension DatabaseUpgrade {
  /// Returns the steps of an upgrade, in a read-only transaction.
  ///
  /// - Parameters:
  ///   - connection: An idle connection.
  ///   - isFromFile: True for a model that lacks parameters of nearest-neighbour indexes.
  /// - Returns: The plan.
  /// - Throws: ``ClusterError`` and ``ServerFailure``.
  func plan(on connection: Connection, isFromFile: Bool = false) async throws -> SchemaPlan {
    try SchemaNames.check(tables)
    _ = try await connection.run([
      Statement(once: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    ])
    do {
      var upgrade = self
      if isFromFile { upgrade.tables = try await tables.withStoredVectorParameters(on: connection) }
      let stored = try await SchemaCatalogue(upgrade.tables, on: connection)
      _ = try await connection.run([Statement(once: "COMMIT")])
      return SchemaPlan(try upgrade.steps(from: stored))
    } catch {
      _ = try? await connection.run([Statement(once: "ROLLBACK")])
      throw error
    }
  }
}

extension ClusterTables {
  /// Returns the tables of the model with the database's nearest-neighbour parameters, which model
  /// files lack.
  func withStoredVectorParameters(on connection: Connection) async throws -> ClusterTables {
    let stored = try await SchemaCatalogue(self, on: connection).model
    return ClusterTables(model.withVectorParameters(of: stored), in: namespaceName)
  }
}

extension StoreSchema {
  /// The schema, with the nearest-neighbour parameters of another schema for the same properties.
  fileprivate func withVectorParameters(of other: StoreSchema) -> StoreSchema {
    var schema = self
    for entity in schema.entities.indices {
      guard let old = other.entity(uid: schema.entities[entity].identity.uid) else { continue }
      for index in schema.entities[entity].properties.indices {
        let property = schema.entities[entity].properties[index]
        guard property.index != nil, property.hnsw == nil else { continue }
        schema.entities[entity].properties[index].hnsw =
          old.property(uid: property.identity.uid)?.hnsw
      }
    }
    return schema
  }
}
