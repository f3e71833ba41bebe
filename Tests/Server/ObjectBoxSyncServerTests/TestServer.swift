import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// The tests' server, which `Scripts/postgres.sh run` starts.
enum TestServer {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]

  /// Tests without a server are skipped, with this reason.
  static let isThere = address != nil
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  static let isLong = ProcessInfo.processInfo.environment["OBJECTBOX_LONG_TESTS"] == "1"

  static let noTwoPhase: Comment = "the server has 'max_prepared_transactions = 0'"

  /// Whether the server has two-phase commits.
  static func hasTwoPhase() async throws -> Bool {
    guard isThere else { return false }
    let rows = try await connect().run([Statement(once: "SHOW max_prepared_transactions")])
    return rows[0].text(0, 0) != "0"
  }

  /// Returns options whose wait for a connection suffices while many tests run at once.
  static func configuration(
    at address: String? = address,
    in schema: String
  ) -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address ?? "")
    configuration.schema = schema
    configuration.connectionWait = .seconds(600)
    configuration.connectTimeout = .seconds(60)
    return configuration
  }

  static func connect(to address: String? = address) async throws -> Connection {
    try await Connection([("dbname", address ?? "")])
  }

  /// Runs `Scripts/postgres.sh`, for a server of a test's own.
  static func script(_ arguments: String...) throws {
    let path = Repository.root.appending(path: "Scripts/postgres.sh").path
    let words = ([path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    // Foundation's Process would also wait for servers that the command starts.
    let process = try #require(popen("\(words) >/dev/null 2>&1", "r"))
    try #require(pclose(process) == 0, "postgres.sh \(arguments)")
  }
}

extension SplitMix {
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
