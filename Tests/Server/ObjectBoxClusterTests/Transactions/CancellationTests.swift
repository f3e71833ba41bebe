import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct CancellationTests {
  @Test func `a cancelled task cancels its statement on the server`() async throws {
    let accounts = try await AccountTable { $0.applicationName = "cancelled \($0.schema)" }
    let name = accounts.cluster.pool.configuration.applicationName
    let running = Statement(
      "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' "
        + "AND pid <> pg_backend_pid() AND application_name = $1"
    ) { $0.append(String(name.prefix(63))) }
    let task = Task {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.run([accounts.add(1, to: 1)])
        _ = try await transaction.run([Statement(once: "SELECT pg_sleep(600)")])
      }
    }
    while try await accounts.value(running) != 1 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while try await accounts.value(running) != 0 { await Task.yield() }
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `a task that is cancelled before the end of its block commits nothing`() async throws {
    let accounts = try await AccountTable()
    let task = Task {
      try await accounts.cluster.write { transaction in
        try await transaction.send(accounts.add(1, to: 1))
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `late cancellations meet no later statement`() async throws {
    let accounts = try await AccountTable { $0.connectionLimit = 2 }
    for _ in 0..<60 {
      let task = Task { try await accounts.value(accounts.sum) }
      task.cancel()
      _ = await task.result
      #expect(try await accounts.value(accounts.sum) == 400)
    }
  }

  @Test func `a statement that takes too long is a time-out and no cancellation`() async throws {
    let accounts = try await AccountTable { $0.statementTimeout = .milliseconds(500) }
    await #expect {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.run([accounts.add(1, to: 1)])
        _ = try await transaction.run([Statement(once: "SELECT pg_sleep(600)")])
      }
    } throws: {
      if case .statementTimeout = $0 as? ClusterError { true } else { false }
    }
    #expect(try await accounts.value(accounts.sum) == 400)
  }
}
