internal import Foundation
internal import ObjectBox

/// The objects of a model on servers that speak PostgreSQL's protocol.
///
/// A class, since all boxes share its connections. It may be used from all tasks.
public final class Cluster: Sendable {
  let tables: ClusterTables
  let pool: ConnectionPool
  let changes: ClusterChanges
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
    let report = configuration.onUnheardFailure ?? Self.print
    changes = ClusterChanges(tables, pool, report: report)
    let host = ClusterHost()
    var shape = Store.Configuration(directory: host.location)
    shape.onUnheardFailure = { report($0.error) }
    self.shape = try Store(schema: model, configuration: shape).forObjects(of: host)
    host.cluster = self
    try await pool.withConnection { try await SchemaUpgrade.run(tables, on: $0) }
  }

  /// Writes a failure that no caller can be told of to standard error.
  private static func print(_ failure: any Error) {
    FileHandle.standardError.write(Data("ObjectBox cluster: \(failure)\n".utf8))
  }

  /// The options that a cluster is opened with.
  public struct Configuration: Sendable {
    /// A connection string or URI of libpq.
    public var address: String
    /// The schema of the database that has the tables; it is made when it is missing.
    public var schema = "public"

    /// Called for each failure that no caller can be told of: relations that were read before they were loaded,
    /// lost connections of observers; nil to write one line for each to standard error.
    public var onUnheardFailure: (@Sendable (any Error) -> Void)?

    /// Describes the cluster at an address; everything else has its default.
    public init(_ address: String) {
      self.address = address
    }
  }
}
