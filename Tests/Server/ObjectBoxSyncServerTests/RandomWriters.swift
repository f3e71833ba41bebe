import ObjectBoxTestSupport
import Synchronization

@testable import ObjectBoxCluster

/// Concurrent connections that write random transactions by plain SQL until they are stopped.
struct RandomWriters: Sendable {
  /// The number of transactions by their end.
  struct Ends: Sendable {
    var committed = 0
    var rolledBack = 0
    var failed = 0
    var prepared = 0
    /// Errors that the writers do not expect.
    var unexpected: [String] = []
  }

  private final class Stop: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  private let stop = Stop()
  private let test: TestServerLog
  private let hasTwoPhase: Bool
  private let seed: UInt64

  init(_ test: TestServerLog, hasTwoPhase: Bool, seed: UInt64) {
    self.test = test
    self.hasTwoPhase = hasTwoPhase
    self.seed = seed
  }

  /// Runs a body while writers write.
  ///
  /// - Parameters:
  ///   - count: The number of writers.
  ///   - body: The body.
  /// - Returns: The ends of all transactions.
  /// - Throws: The error of the body or of a connection.
  func run(_ count: Int = 8, while body: () async throws -> Void) async throws -> Ends {
    let labels = (1...20).map { "(\($0))" }.joined(separator: ", ")
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES \#(labels)"#)
    let ends = Mutex(Ends())
    let tasks = (0..<count).map { number in
      Task { try await write(number) }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    stop.isSet.store(true, ordering: .relaxed)
    for task in tasks {
      let one = try await task.value
      ends.withLock { ends in
        ends.committed += one.committed
        ends.rolledBack += one.rolledBack
        ends.failed += one.failed
        ends.prepared += one.prepared
        ends.unexpected += one.unexpected
      }
    }
    try result.get()
    return ends.withLock { $0 }
  }

  private func write(_ number: Int) async throws -> Ends {
    let connection = try await TestServer.connect()
    var random = SplitMix(seed: Int(truncatingIfNeeded: seed &* 1_000 &+ UInt64(number)))
    var ends = Ends()
    var transaction = 0
    while !stop.isSet.load(ordering: .relaxed) {
      transaction += 1
      do {
        let levels = ["READ COMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
        let level = levels[random.number(0...3)]
        try await test.sql("BEGIN ISOLATION LEVEL \(level)", on: connection)
        let isSlow = random.happens(0.05)
        for _ in 0..<random.number(1...4) {
          let hasSavepoint = random.happens(0.2)
          if hasSavepoint { try await test.sql("SAVEPOINT s", on: connection) }
          try await test.sql(statement(&random), on: connection)
          if hasSavepoint {
            let end = random.happens(0.5) ? "ROLLBACK TO SAVEPOINT s" : "RELEASE SAVEPOINT s"
            try await test.sql(end, on: connection)
          }
          if random.happens(0.3) {
            // A transaction that takes its time, on the server.
            let seconds = Double.random(in: 0..<1, using: &random) * (isSlow ? 0.2 : 0.01)
            try await test.sql("SELECT pg_sleep(\(seconds))", on: connection)
          }
        }
        if random.happens(0.2) {
          try await test.sql("ROLLBACK", on: connection)
          ends.rolledBack += 1
        } else if hasTwoPhase, random.happens(0.1) {
          let name = "\(test.namespace) \(number) \(transaction)".quotedText
          try await test.sql("PREPARE TRANSACTION \(name)", on: connection)
          try await test.sql(
            "SELECT pg_sleep(\(Double.random(in: 0..<0.05, using: &random)))",
            on: connection
          )
          try await test.sql("COMMIT PREPARED \(name)", on: connection)
          ends.prepared += 1
        } else {
          try await test.sql("COMMIT", on: connection)
          ends.committed += 1
        }
      } catch let failure as ServerFailure {
        try await test.sql("ROLLBACK", on: connection)
        // Conflicts, deadlocks, taken IDs, pairs without an end.
        if ["40001", "40P01", "23505", "23503"].contains(failure.state) {
          ends.failed += 1
        } else {
          ends.unexpected.append("\(failure.state) \(failure.message)")
        }
      }
    }
    return ends
  }

  private func statement(_ random: inout SplitMix) -> String {
    let (id, owner, value) = (
      random.number(1...150), random.number(0...9), random.number(1...1_000_000)
    )
    let item = #"@"Item""#
    let pairs = "@objectbox_relation_5001"
    switch Double.random(in: 0..<1, using: &random) {
    case ..<0.3:
      return
        "INSERT INTO \(item) (id, owner, value, title) VALUES (\(id), \(owner), \(value), 't\(value)') "
        + "ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, value = excluded.value"
    case ..<0.5:
      let newOwner = random.happens(0.5) ? "\(owner)" : "owner"
      return
        "UPDATE \(item) SET value = \(value), owner = \(newOwner) WHERE id BETWEEN \(id) AND \(id + 3)"
    case ..<0.65: return "DELETE FROM \(item) WHERE id = \(id)"
    case ..<0.7:
      return
        "UPDATE \(item) SET id = \(id + 200) WHERE id = \(id) AND NOT EXISTS (SELECT FROM \(item) WHERE id = \(id + 200))"
    case ..<0.8:
      return
        "INSERT INTO \(item) (id, owner, value) SELECT g, \(owner), \(value) FROM generate_series(\(id), \(id + 5)) AS g ON CONFLICT DO NOTHING"
    case ..<0.92:
      return
        "INSERT INTO \(pairs) (source, target) SELECT id, \(random.number(1...20)) FROM \(item) WHERE id BETWEEN \(id) AND \(id + 2) ON CONFLICT DO NOTHING"
    default: return "DELETE FROM \(pairs) WHERE source BETWEEN \(id) AND \(id + 9)"
    }
  }
}
