public import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic

/// The changes that opening a cluster would make to the schema of its database.
public struct SchemaPlan: Sendable, Hashable, CustomStringConvertible {
  /// The statements in their order; none when the schema is that of the model.
  ///
  /// They run in one transaction. One with parameters stands for many: texts are folded by the program.
  public let statements: [String]

  /// True when opening changes nothing.
  public var isEmpty: Bool { statements.isEmpty }

  /// The statements, each with a semicolon and a line feed.
  public var description: String { statements.map { "\($0);\n" }.joined() }

  init(_ steps: [SchemaStep]) {
    statements = steps.map(\.text)
  }
}

extension Cluster {
  /// Tells how opening a cluster under a model would change the schema of the database, without changing anything.
  ///
  /// Values decide whether some changes succeed: a new unique property, or a type that not all values have, is
  /// refused when the plan is run.
  ///
  /// - Parameters:
  ///   - model: The result of `ModelBuilder.finish()`, which is used up, also when this throws.
  ///   - configuration: The address of the database, which may be empty.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` as opening does, such as `schemaNewer` and `schemaConflict`.
  /// - Complexity: Three round trips on a connection of its own.
  public static func plan(
    for model: OpaquePointer,
    configuration: Configuration
  ) async throws -> SchemaPlan {
    try await plan(schema: ModelBuilder.takeSchema(model), configuration)
  }

  /// Tells how opening a cluster under the model of a file would change the schema of the database.
  ///
  /// - Parameters:
  ///   - modelJSON: The URL of a model file. It has no parameters of nearest-neighbour indexes: those of the database
  ///     are used.
  ///   - configuration: The address of the database, which may be empty.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` as opening does; `ObjectBoxError.schema` with the place of a fault in the file.
  public static func plan(
    modelJSON: URL,
    configuration: Configuration
  ) async throws -> SchemaPlan {
    try await plan(schema: try StoreSchema(modelFile: modelJSON), configuration, isFromFile: true)
  }

  /// Tells how this cluster's schema would change if it were opened under another model.
  ///
  /// - Parameter model: The result of `ModelBuilder.finish()`, which is used up, also when this throws.
  /// - Returns: The changes.
  /// - Throws: ``ClusterError`` as opening does.
  public func plan(for model: OpaquePointer) async throws -> SchemaPlan {
    try await plan(schema: ModelBuilder.takeSchema(model))
  }

  func plan(schema: StoreSchema) async throws -> SchemaPlan {
    let tables = ClusterTables(schema, in: tables.namespaceName)
    return try await pool.withConnection { try await SchemaUpgrade(tables).plan(on: $0) }
  }

  static func plan(
    schema: StoreSchema,
    _ configuration: Configuration,
    isFromFile: Bool = false
  ) async throws -> SchemaPlan {
    let tables = ClusterTables(schema, in: configuration.schema)
    let upgrade = SchemaUpgrade(tables, mayBeOlder: configuration.acceptsOlderModel)
    let connection = try await Connection.alone(configuration)
    return try await ServerFailure.told {
      try await upgrade.plan(on: connection, isFromFile: isFromFile)
    }
  }
}

extension SchemaUpgrade {
  /// Returns the steps of an upgrade, in a transaction that can only read.
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
      var stored = try await SchemaCatalogue(tables, on: connection)
      if isFromFile {
        upgrade.tables = ClusterTables(
          tables.model.withVectorParameters(of: stored.model),
          in: tables.namespaceName
        )
        stored = try await SchemaCatalogue(upgrade.tables, on: connection)
      }
      _ = try await connection.run([Statement(once: "COMMIT")])
      return SchemaPlan(try upgrade.steps(from: stored))
    } catch {
      _ = try? await connection.run([Statement(once: "ROLLBACK")])
      throw error
    }
  }
}

extension StoreSchema {
  /// The same schema with the parameters of nearest-neighbour indexes that another one has for the same properties.
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
