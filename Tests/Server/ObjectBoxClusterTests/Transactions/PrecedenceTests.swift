import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

extension Precedence {
  /// Number of waiting transactions.
  fileprivate var waiterCount: Int { state.withLock { $0.queue.count + $0.others.count } }
}

@Suite(.timeLimit(.minutes(5)))
struct PrecedenceTests {
  @Test func `transactions go first one at a time, in their order`() async {
    let precedence = Precedence(courtesy: .seconds(600), patience: .seconds(600))
    #expect(precedence.turn == 0)
    #expect(await precedence.take())
    #expect(precedence.turn > 0)
    let order = Guarded<[Int]>([])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          guard await precedence.take() else { return }
          order.withLock { $0.append(number) }
          precedence.give()
        }
        while precedence.waiterCount <= number, !Task.isCancelled { await Task.yield() }
      }
      precedence.give()
    }
    #expect(order.withLock { $0 } == [0, 1, 2])
    #expect(precedence.turn == 0)
  }

  @Test func `others wait for the transaction that goes first, and not for the next one`() async {
    let precedence = Precedence(courtesy: .seconds(600), patience: .seconds(600))
    #expect(await precedence.take())
    await withTaskGroup(of: Void.self) { group in
      group.addTask { #expect(await precedence.take()) }
      group.addTask { await precedence.giveWay() }
      while precedence.waiterCount < 2, !Task.isCancelled { await Task.yield() }
      precedence.give()
    }
    // The second one has precedence by now.
    #expect(precedence.turn > 0)
    precedence.give()
    await precedence.giveWay()
  }

  @Test func `nobody waits beyond the courtesy`() async {
    let precedence = Precedence(courtesy: .zero, patience: .zero)
    #expect(await precedence.take())
    await precedence.giveWay()
    #expect(!(await precedence.take()))
    #expect(precedence.turn > 0)
    precedence.give()
    #expect(precedence.turn == 0)
  }
}

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer, .timeLimit(.minutes(5)))
struct RepeatedLossTests {
  /// Makes a block lose its first runs, and returns the number of the successful run.
  private func lose(
    _ count: Int,
    in accounts: AccountTable,
    _ body: (ClusterTransaction) async throws -> Void = { _ in }
  ) async throws -> Int {
    try await accounts.cluster.write { transaction in
      _ = try await transaction.value(accounts.balance(1))
      if transaction.attempt <= count {
        _ = try await accounts.cluster.pool.run([accounts.add(1, to: 1)])
      } else {
        try await body(transaction)
      }
      try await transaction.send(accounts.add(1, to: 1))
      return transaction.attempt
    }
  }

  @Test func `a transaction that has lost twice goes before the others of its program`()
    async throws
  {
    let accounts = try await AccountTable { $0.courtesy = .seconds(600) }
    let cluster = accounts.cluster
    let order = Guarded<[String]>([])
    var other: Task<Void, any Error>?
    let attempts = try await lose(2, in: accounts) { _ in
      try #require(cluster.precedence.turn > 0)
      // Detached, since a task of the block cannot begin another transaction.
      other = Task.detached {
        try await cluster.write { transaction in
          try await transaction.send(accounts.add(1, to: 1))
          order.withLock { $0.append("other") }
        }
      }
      while cluster.precedence.waiterCount < 1, !Task.isCancelled { await Task.yield() }
      order.withLock { $0.append("first") }
    }
    try await other?.value
    #expect(attempts == 3)
    #expect(order.withLock { $0 } == ["first", "other"])
    #expect(cluster.precedence.turn == 0)
    #expect(try await accounts.value(accounts.balance(1)) == 104)
  }

  @Test func `a transaction that waited for a connection gives way as well`() async throws {
    let accounts = try await AccountTable {
      $0.courtesy = .seconds(600)
      $0.connectionLimit = 1
    }
    let cluster = accounts.cluster
    let connection = try await cluster.pool.checkOut()
    let hasBegun = Guarded(false)
    let other = Task {
      try await cluster.write { transaction in
        hasBegun.withLock { $0 = true }
        try await transaction.send(accounts.add(1, to: 1))
      }
    }
    while cluster.pool.waiterCount < 1, !Task.isCancelled { await Task.yield() }
    #expect(await cluster.precedence.take())
    cluster.pool.checkIn(connection)
    while cluster.precedence.waiterCount < 1, !Task.isCancelled { await Task.yield() }
    #expect(!hasBegun.withLock { $0 })
    // The transaction with precedence has the connection meanwhile.
    #expect(try await accounts.value(accounts.sum) == 400)
    cluster.precedence.give()
    try await other.value
    #expect(try await accounts.value(accounts.sum) == 401)
  }

  @Test func `transactions that have lost twice run one after the other in all programs`()
    async throws
  {
    let accounts = try await AccountTable()
    let cluster = accounts.cluster
    // Acts as another program.
    let other = try await TestServer.cluster(in: cluster.tables.namespaceName)
    let lock = PrecedenceLock(other.tables)
    let isFree = Statement(
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted "
        + "AND classid = $1::bigint::oid AND objid = $2::bigint::oid"
    ) { parameters in
      parameters.append(Int64(PrecedenceLock.lockClass))
      parameters.append(Int64(UInt32(bitPattern: lock.key)))
    }
    let before = try await other.pool.run([isFree])[0].firstInteger
    var during: Int64?
    _ = try await lose(2, in: accounts) { _ in
      during = try await other.pool.run([isFree])[0].firstInteger
    }
    let after = try await other.pool.run([isFree])[0].firstInteger
    #expect([before, during, after] == [0, 1, 0])
  }

  @Test(.tags(.slow)) func `a transaction whose lock others hold for too long runs without it`()
    async throws
  {
    let accounts = try await AccountTable()
    let other = try await TestServer.cluster(in: accounts.cluster.tables.namespaceName)
    let lock = PrecedenceLock(other.tables)
    let holder = try await other.pool.connectAlone()
    _ = try await holder.run(lock.taking)
    #expect(try await lose(2, in: accounts) == 3)
    _ = try await holder.run([lock.freeing])
    #expect(try await accounts.value(accounts.balance(1)) == 103)
  }

  @Test func `a transaction that met no others takes no lock and waits for nobody`() async throws {
    let accounts = try await AccountTable { $0.connectionLimit = 1 }
    accounts.cluster.changes.close()
    let before = accounts.cluster.pool.roundTrips
    #expect(try await lose(0, in: accounts) == 1)
    #expect(accounts.cluster.pool.roundTrips - before == 3)
  }
}
