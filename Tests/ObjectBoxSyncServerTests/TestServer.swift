import Foundation
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

  static func connect(to address: String? = address) async throws -> Connection {
    try await Connection([("dbname", address ?? "")])
  }
}

/// Numbers that repeat for a seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func happens(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
