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

/// Lets a few tests use the server at a time, since each has connections of its own.
///
/// The tests of all suites begin at once otherwise.
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

  /// Places, in the order of those who wait for them.
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
