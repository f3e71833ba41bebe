package import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic

extension Cluster {
  /// Connects to servers, and makes or upgrades the schema of a model file, for servers without
  /// bindings.
  ///
  /// The file has no parameters of nearest-neighbour indexes; the database's stay.
  ///
  /// - Parameters:
  ///   - modelJSON: The URL of the model file.
  ///   - configuration: The address, and the use of the servers.
  /// - Throws: ``ClusterError`` when no server can be used or the schema does not fit;
  ///   `ObjectBoxError.schema` with the place of an error in the file.
  package convenience init(modelJSON: URL, configuration: Configuration) async throws {
    let file = ClusterTables(try StoreSchema(modelFile: modelJSON), in: configuration.schema)
    try SchemaNames.check(file)
    let connection = try await Connection.alone(configuration)
    let tables = try await ServerFailure.told {
      try await file.withStoredVectorParameters(on: connection)
    }
    let upgrade = DatabaseUpgrade(tables, mayBeOlder: configuration.acceptsOlderModel)
    try await self.init(tables, configuration) { try await upgrade.run(on: $0) }
  }
}

extension Cluster.Configuration {
  /// Returns the address without passwords and options, such as `postgresql://ada@db1:5432/app`.
  ///
  /// - Throws: ``ClusterError/invalidAddress(message:)``, and `libpqMissing` in a build without libpq.
  package func shownAddress() throws -> String { try ConnectionAddress(address).shown }
}
