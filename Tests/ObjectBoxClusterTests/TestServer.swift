import Foundation
import Testing

@testable import ObjectBoxCluster

/// The server of the tests, which `Scripts/postgres.sh run` starts.
enum TestServer {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]

  /// Tests without a server are skipped, with this reason.
  static let isThere: Bool = address != nil
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  /// Opens a cluster in a schema of its own.
  static func cluster(in schema: String = newSchema()) async throws -> Cluster {
    var configuration = Cluster.Configuration(address ?? "")
    configuration.schema = schema
    return try await Cluster(configuration: configuration)
  }

  static func newSchema() -> String { "test \(UUID().uuidString)" }
}
