import Foundation
import Testing

@testable import ObjectBoxCluster

/// The tests' server, which `Scripts/postgres.sh run` starts.
enum TestServer {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]

  /// Tests without a server are skipped, with this reason.
  static let isThere: Bool = address != nil
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  /// Opens a cluster in a new schema.
  static func cluster(in schema: String = newSchema()) async throws -> Cluster {
    try await Cluster(configuration: configuration(in: schema))
  }

  /// Returns options whose waits suffice while many tests run at once.
  ///
  /// By default, a caller may wait 30 seconds for a connection, but its owner may wait longer for
  /// its turn on a processor.
  static func configuration(in schema: String = newSchema()) -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address ?? "")
    configuration.schema = schema
    configuration.connectionWait = .seconds(600)
    configuration.connectTimeout = .seconds(60)
    return configuration
  }

  static func newSchema() -> String { "test \(UUID().uuidString)" }
}

/// Limits how many tests use the server at the same time.
///
/// Each test has its own connections, and all suites' tests would begin at once.
struct OnServer: SuiteTrait, TestTrait, TestScoping {
  private static let places = Places(count: 12)

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.places.take()
    do {
      try await function()
    } catch {
      await Self.places.free()
      throw error
    }
    await Self.places.free()
  }

  /// Slots, granted in the order of requests.
  private actor Places {
    private var count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
      self.count = count
    }

    func take() async {
      if count > 0 {
        count -= 1
      } else {
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    func free() {
      if waiting.isEmpty {
        count += 1
      } else {
        waiting.removeFirst().resume()
      }
    }
  }
}

extension Trait where Self == OnServer {
  static var onServer: Self { OnServer() }
}
