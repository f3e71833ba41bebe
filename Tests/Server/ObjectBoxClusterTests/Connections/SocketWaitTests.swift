import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Simultaneous calls of many tasks, whose answers one thread waits for.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SocketWaitTests {
  @Test func `each of many calls at once gets its own answer, small or large`() async throws {
    let cluster = try await TestServer.cluster()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<24 {
        group.addTask {
          for round in 0..<20 {
            // The last answer is read in many parts.
            let count = round == 19 ? 20_000 : 1 + (task * 7 + round) % 50
            let rows = try await cluster.pool.read([
              Statement("SELECT $1 + i, repeat('x', 40) FROM generate_series(1, $2) AS i") {
                $0.append(Int64(task * 1_000_000 + round * 30_000))
                $0.append(Int64(count))
              }
            ])[0]
            let first = Int64(task * 1_000_000 + round * 30_000) + 1
            #expect(rows.count == count)
            #expect(rows.anyInteger(0, 0) == first)
            #expect(rows.anyInteger(count - 1, 0) == first + Int64(count) - 1)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `tasks whose answers come at once suspend now and then`() {
    // Otherwise as many waiting tasks as threads would keep all others from running.
    #expect((0..<32).contains { _ in !InPlaceWaits.mayBegin() })
  }

  @Test func `a call that is cancelled, and one whose connection is cut, keep no others waiting`()
    async throws
  {
    let cluster = try await TestServer.cluster()
    let alone = try await cluster.pool.connectAlone()
    let sleep = Statement("SELECT pg_sleep(600)")
    let cancelled = Task { _ = try await cluster.pool.run([sleep]) }
    let cut = Task { _ = try await alone.run([sleep]) }
    let ends = Statement(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'"
    ) { $0.append(alone.backendID) }
    // Other calls continue meanwhile.
    while try await cluster.pool.read([ends])[0].anyInteger(0, 0) == 0 {}
    cancelled.cancel()
    await #expect(throws: ServerFailure.self) { try await cut.value }
    await #expect(throws: (any Error).self) { try await cancelled.value }
    #expect(try await cluster.pool.read([Statement("SELECT 1")])[0].anyInteger(0, 0) == 1)
  }
}
