import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Short reads of several tasks on one connection.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SharedReadTests {
  @Test func `tasks share one connection, and each gets its own answer in one round trip`()
    async throws
  {
    let accounts = try await AccountTable(accounts: 50) {
      $0.connectionLimit = 1
      // A busy machine may take longer than the 30 seconds of the default for so many readers.
      $0.connectionWait = .seconds(600)
    }
    let before = accounts.cluster.pool.roundTrips
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask {
          let box = accounts.cluster.box(for: Account.self)
          for round in 0..<50 {
            let id = Id(1 + (task * 7 + round) % 60)
            let found = try await box.get(id)
            #expect(found?.id == (id <= 50 ? id : nil))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(accounts.cluster.pool.roundTrips - before == 1_000)
  }

  @Test func `round trips of background work are not counted`() async throws {
    let cluster = try await TestServer.cluster()
    let before = cluster.pool.roundTrips
    try await Housekeeping.sweep(CommitLog(cluster.tables), cluster.pool)
    #expect(cluster.pool.roundTrips == before)
    _ = try await cluster.pool.run([.quotient(of: 4, by: 2)])
    #expect(cluster.pool.roundTrips == before + 1)
  }

  @Test func `an error of one read is none of the others'`() async throws {
    let cluster = try await TestServer.cluster()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<12 {
        group.addTask {
          for round in 0..<30 {
            let divisor = Int64((task + round) % 3)
            let statement = Statement.quotient(of: 600, by: divisor)
            let result = await Result { try await cluster.pool.read([statement]) }
            switch result {
            case .success(let rows): #expect(divisor != 0 && rows[0].firstInteger == 600 / divisor)
            case .failure(let error):
              #expect(divisor == 0)
              guard case .server("22012", _) = error as? ClusterError else { throw error }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a statement that cannot be prepared is none of the others' concern`() async throws {
    let cluster = try await TestServer.cluster()
    var missing = Statement("SELECT * FROM nowhere")
    missing.isShort = true
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<12 {
        group.addTask { [missing] in
          for _ in 0..<10 {
            let statement = task % 2 == 0 ? missing : .quotient(of: 6, by: 2)
            let result = await Result { try await cluster.pool.read([statement]) }
            switch result {
            case .success(let rows): #expect(task % 2 == 1 && rows[0].firstInteger == 3)
            case .failure(let error):
              guard case .server("42P01", _) = error as? ClusterError else { throw error }
              #expect(task % 2 == 0)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a cancelled read gives up its answer, and the others get theirs`() async throws {
    let lock = try await HeldLock()
    let connection = try await lock.cluster.pool.connectAlone()
    let first = Task { try await connection.run([lock.wait], isShared: true) }
    while connection.pipeline.waitingCount < 1 { await Task.yield() }
    let second = Task { try await connection.run([.quotient(of: 6, by: 2)], isShared: true) }
    // Sent behind the third read, its answer might be outstanding when the third one has arrived.
    while connection.pipeline.waitingCount < 2 { await Task.yield() }
    let third = Task { try await connection.run([.quotient(of: 8, by: 2)], isShared: true) }
    while connection.pipeline.waitingCount < 3 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await lock.release()
    _ = try await first.value
    #expect(try await third.value[0].firstInteger == 4)
    #expect(connection.isUsable)
    #expect(try await connection.run([.quotient(of: 9, by: 3)])[0].firstInteger == 3)
  }

  @Test func `the first read that is cancelled does not end those behind it`() async throws {
    let lock = try await HeldLock()
    let connection = try await lock.cluster.pool.connectAlone()
    let first = Task { try await connection.run([lock.wait], isShared: true) }
    while connection.pipeline.waitingCount < 1 { await Task.yield() }
    let second = Task { try await connection.run([.quotient(of: 6, by: 2)], isShared: true) }
    while connection.pipeline.waitingCount < 2 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    try await lock.release()
    #expect(try await second.value[0].firstInteger == 3)
  }

  @Test func `the server is asked to cancel when no task waits any more`() async throws {
    let lock = try await HeldLock()
    let connection = try await lock.cluster.pool.connectAlone()
    let tasks = [0, 1, 2].map { _ in
      Task { try await connection.run([lock.wait], isShared: true) }
    }
    while connection.pipeline.waitingCount < 3 { await Task.yield() }
    for task in tasks { task.cancel() }
    // The lock is held until here, so only cancellations end the tasks.
    for task in tasks { await #expect(throws: (any Error).self) { try await task.value } }
    #expect(!connection.isUsable && !connection.isShareable)
    try await lock.release()
  }

  @Test func `the server is asked again when a request to cancel got lost`() async throws {
    let lock = try await HeldLock()
    let connection = try await lock.cluster.pool.connectAlone()
    let task = Task { try await connection.run([lock.waitDespiteOneRequest], isShared: true) }
    while try await lock.waiterCount(connection.backendID) == 0 { await Task.yield() }
    task.cancel()
    // The lock is held until here, so only a cancellation ends the task.
    await #expect(throws: (any Error).self) { try await task.value }
    try await lock.release()
  }

  @Test func `all reads on a connection that breaks are told, and run again by the pool`()
    async throws
  {
    let lock = try await HeldLock()
    let connection = try await lock.cluster.pool.connectAlone()
    let tasks = [0, 1, 2].map { _ in
      Task { try await connection.run([lock.wait], isShared: true) }
    }
    while connection.pipeline.waitingCount < 3 { await Task.yield() }
    try await lock.end(connection.backendID)
    for task in tasks {
      await #expect {
        try await task.value
      } throws: {
        ($0 as? ServerFailure)?.isConnectionLost == true
      }
    }
    let pool = lock.cluster.pool
    let read = Task { try await pool.read([lock.wait, .quotient(of: 6, by: 2)]) }
    let shared = Task { try await pool.read([lock.wait]) }
    while pool.sharedConnection == nil { await Task.yield() }
    if let process = pool.sharedConnection?.backendID { try await lock.end(process) }
    try await lock.release()
    #expect(try await read.value[1].firstInteger == 3)
    _ = try await shared.value
  }

  @Test func `a read that does not end keeps no later ones waiting`() async throws {
    let lock = try await HeldLock()
    let pool = lock.cluster.pool
    let stuck = Task { try await pool.read([lock.wait]) }
    while pool.sharedConnection?.isShareable ?? true { await Task.yield() }
    for number in 1...20 as ClosedRange<Int64> {
      #expect(try await pool.read([.quotient(of: number, by: 1)])[0].firstInteger == number)
    }
    try await lock.release()
    _ = try await stuck.value
  }

  @Test func `reads without a pause leave the connection to a transaction that waits for it`()
    async throws
  {
    let accounts = try await AccountTable { $0.connectionLimit = 1 }
    let readers = (0..<8).map { _ in
      Task {
        let box = accounts.cluster.box(for: Account.self)
        while !Task.isCancelled { _ = try await box.get(1 as Id) }
      }
    }
    for _ in 0..<10 { try await accounts.commit(accounts.add(1, to: 1)) }
    for reader in readers { reader.cancel() }
    for reader in readers { _ = await reader.result }
    #expect(try await accounts.value(accounts.sum) == 410)
    #expect(accounts.cluster.pool.connectionCount == 1)
  }

  @Test func `closing waits for reads that share a connection, and refuses others`() async throws {
    let lock = try await HeldLock()
    let cluster = lock.cluster
    let reading = Task { try await cluster.pool.read([lock.wait]) }
    while cluster.pool.sharedConnection?.pipeline.waitingCount != 1 { await Task.yield() }
    let closing = Task { await cluster.close() }
    while !cluster.pool.isClosed { await Task.yield() }
    await #expect {
      try await cluster.pool.read([.quotient(of: 6, by: 2)])
    } throws: {
      if case .closed = $0 as? ClusterError { true } else { false }
    }
    try await lock.release()
    _ = try await reading.value
    await closing.value
    #expect(cluster.pool.connectionCount == 0)
  }

  /// A lock held by a connection, which makes statements wait as long as a test needs.
  private struct HeldLock {
    let cluster: Cluster
    private let holder: Connection
    private let key = Int64.random(in: .min ... .max)

    init() async throws {
      cluster = try await TestServer.cluster()
      holder = try await cluster.pool.connectAlone()
      let lock = Statement("SELECT pg_advisory_lock($1)") { [key] in $0.append(key) }
      _ = try await holder.run([lock])
    }

    /// A statement that waits for the lock.
    var wait: Statement {
      var wait = Statement("SELECT pg_advisory_lock_shared($1)") { $0.append(key) }
      wait.isShort = true
      return wait
    }

    /// A statement that waits for the lock, and goes on when it is to be cancelled the first time.
    var waitDespiteOneRequest: Statement {
      let lock = "PERFORM pg_advisory_lock_shared('\(key)'::bigint);"
      return Statement("DO $$ BEGIN \(lock) EXCEPTION WHEN query_canceled THEN \(lock) END $$")
    }

    /// Returns the number of locks that a server process waits for.
    func waiterCount(_ process: Int32) async throws -> Int64? {
      let count = Statement("SELECT count(*) FROM pg_locks WHERE pid = $1 AND NOT granted") {
        $0.append(process)
      }
      return try await holder.run([count])[0].firstInteger
    }

    func release() async throws {
      _ = try await holder.run([Statement("SELECT pg_advisory_unlock($1)") { $0.append(key) }])
    }

    /// Ends a server process.
    func end(_ process: Int32) async throws {
      let end = Statement("SELECT pg_terminate_backend($1, 10000)") { $0.append(process) }
      _ = try await holder.run([end])
    }
  }
}

extension Statement {
  fileprivate static func quotient(of dividend: Int64, by divisor: Int64) -> Statement {
    var statement = Statement("SELECT $1 / $2") {
      $0.append(dividend)
      $0.append(divisor)
    }
    statement.isShort = true
    return statement
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension ConnectionPool {
  fileprivate var sharedConnection: Connection? { state.withLock { $0.shared?.connection } }
}
