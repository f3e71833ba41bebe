import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ConnectionPoolTests {
  @Test func `no more connections are made than allowed, and tasks get them in order`()
    async throws
  {
    let accounts = try await AccountTable { $0.connectionLimit = 1 }
    let pool = accounts.cluster.pool
    let connection = try await pool.checkOut()
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await pool.withConnection { _ in await order.append(number) }
        }
        while pool.waiterCount <= number { await Task.yield() }
      }
      pool.checkIn(connection)
      try await group.waitForAll()
    }
    #expect(await order.numbers == Array(0..<20))
    #expect(pool.connectionCount == 1)
  }

  @Test func `a task that waits too long is told, and one that is cancelled does not wait`()
    async throws
  {
    let accounts = try await AccountTable {
      $0.connectionLimit = 1
      $0.connectionWait = .milliseconds(50)
    }
    let pool = accounts.cluster.pool
    let connection = try await pool.checkOut()
    await #expect {
      try await pool.run([accounts.sum])
    } throws: {
      if case .noConnection = $0 as? ClusterError { true } else { false }
    }
    let task = Task { try await pool.run([accounts.sum]) }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    pool.checkIn(connection)
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `a connection that the server ended is replaced`() async throws {
    let accounts = try await AccountTable { $0.connectionLimit = 1 }
    let other = try await TestServer.cluster()
    for _ in 0..<3 {
      let connection = try await accounts.cluster.pool.checkOut()
      let process = connection.backendID
      accounts.cluster.pool.checkIn(connection)
      let end = Statement("SELECT pg_terminate_backend($1, 10000)") { $0.append(process) }
      _ = try await other.pool.run([end])
      #expect(try await accounts.value(accounts.sum) == 400)
    }
    #expect(accounts.cluster.pool.connectionCount == 1)
  }

  @Test func `connections that nobody uses are closed`() async throws {
    let accounts = try await AccountTable { $0.idleTime = .zero }
    let pool = accounts.cluster.pool
    // The observers' notification may use another connection.
    while pool.connectionCount > 0 {
      pool.closeIdle()
      await Task.yield()
    }
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `a closed cluster ends what runs, and refuses the rest`() async throws {
    let accounts = try await AccountTable()
    let begun = Gate()
    let cluster = accounts.cluster
    let writing = Task {
      try await cluster.write { transaction in
        _ = try await transaction.value(accounts.sum)
        await begun.open()
        _ = try await transaction.run([Statement(once: "SELECT pg_sleep(0.05)")])
        try await transaction.send(accounts.add(1, to: 1))
      }
    }
    await begun.wait()
    await cluster.close()
    try await writing.value
    await #expect {
      _ = try await accounts.value(accounts.sum)
    } throws: {
      if case .closed = $0 as? ClusterError { true } else { false }
    }
    await cluster.close()
    #expect(cluster.pool.connectionCount == 0)
  }

  @Test func `many tasks share a few connections`() async throws {
    let accounts = try await AccountTable {
      $0.connectionLimit = 3
      // A slow machine must not make the test fail.
      $0.connectionWait = .seconds(600)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await accounts.commit(accounts.add(1, to: Int64(number % 4 + 1)))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await accounts.value(accounts.sum) == 600)
    #expect(accounts.cluster.pool.connectionCount <= 3)
  }

  @Test func `large statements and results pass while others run`() async throws {
    let accounts = try await AccountTable()
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    let echo = Statement("SELECT $1::bytea") { $0.append(PostgresType.bytea, bytes) }
    // Four of them at once exceed the system's buffers in either direction.
    let rows = try await accounts.cluster.pool.run([echo, echo, echo, echo])
    #expect(rows.allSatisfy { $0.bytes(0, 0)?.count == bytes.count })
  }

  private actor Order {
    var numbers: [Int] = []
    func append(_ number: Int) { numbers.append(number) }
  }
}

extension ConnectionPool {
  var waiterCount: Int { state.withLock { $0.waiters.count } }
  var connectionCount: Int { state.withLock { $0.count } }
}
