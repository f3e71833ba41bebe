internal import ObjectBox

/// The objects of a model on servers that speak PostgreSQL's protocol.
///
/// A class, since all boxes share its connections. It may be used from all tasks.
public final class Cluster: Sendable {
  let tables: ClusterTables
  let pool: ConnectionPool
  /// The store that the relations of objects hold, which has the model and no objects.
  let shape: Store

  /// Connects to servers, and makes or upgrades the schema of the model.
  ///
  /// Generated code calls this from `Cluster(_:)`.
  ///
  /// - Parameters:
  ///   - model: The result of `ModelBuilder.finish()`, which is used up, also when this throws.
  ///   - configuration: The address, and how the servers are used.
  /// - Throws: ``ClusterError`` when no server can be used or the schema does not fit.
  public init(model: OpaquePointer, configuration: Configuration) async throws {
    let model = ModelBuilder.takeSchema(model)
    tables = ClusterTables(model, in: configuration.schema)
    pool = ConnectionPool([("dbname", configuration.address)])
    let host = ClusterHost()
    shape = try Store(schema: model, configuration: .init(directory: host.location)).forObjects(
      of: host
    )
    try await pool.withConnection { 
      try await SchemaUpgrade(tables, mayBeOlder: configuration.acceptsOlderModel).run(on: $0)
    }
  }

  /// The options that a cluster is opened with.
  public struct Configuration: Sendable {
    /// A connection string or URI of libpq.
    public var address: String
    /// The schema of the database that has the tables; it is made when it is missing.
    public var schema = "public"
    /// True to bring the schema back to a model that a newer one has replaced.
    ///
    /// An older program is refused otherwise (``ClusterError/schemaNewer(message:)``), since it would undo the changes
    /// under the programs that need them. What only the newer model has is retired then, and stays on the server.
    public var acceptsOlderModel = false

    /// Describes the cluster at an address; everything else has its default.
    public init(_ address: String) {
      self.address = address
    }
  }
}
