import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: ServerPlace.socketPath != nil, TestServer.reason), .onServer, .serialized)
struct CommitInDoubtTests {
  private func accounts(
    by proxy: Proxy,
    _ configure: (inout Cluster.Configuration) -> Void = { _ in }
  ) async throws -> AccountTable {
    let accounts = try await AccountTable {
      $0.address = ServerPlace.address(by: proxy)
      configure(&$0)
    }
    // Notifications would consume cuts that are meant for commits.
    accounts.cluster.changes.close()
    return accounts
  }

  @Test func `a commit whose answer is lost is found to be done, and is not done again`()
    async throws
  {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy)
    var runs = 0
    try await accounts.cluster.write { transaction in
      runs += 1
      try await transaction.send(accounts.add(1, to: 1))
      proxy.cut(.beforeAnswer)
    }
    #expect(runs == 1)
    #expect(try await accounts.value(accounts.balance(1)) == 101)
    #expect(try await accounts.value(accounts.commits) == 1)
  }

  @Test func `a put whose answer is lost stores one object`() async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let box = try await accounts(by: proxy).cluster.box(for: Account.self)
    for cut in [Proxy.Cut.beforeAnswer, .beforeRequest] {
      var account = Account(id: 0, balance: 7)
      proxy.cut(cut)
      try await box.put(&account)
      let balance = try await box.get(account.id)?.balance
      #expect(balance == 7)
    }
    #expect(try await box.count() == 6)
  }

  @Test func `a commit that did not reach the server is done again`() async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy)
    var runs = 0
    try await accounts.cluster.write { transaction in
      runs += 1
      try await transaction.send(accounts.add(1, to: 1))
      if transaction.attempt == 1 { proxy.cut(.beforeRequest) }
    }
    #expect(runs == 2)
    #expect(try await accounts.value(accounts.balance(1)) == 101)
  }

  @Test func `a block that loses its connection is run again`() async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy)
    let attempts = try await accounts.cluster.write { transaction in
      try await transaction.send(accounts.add(1, to: 1))
      if transaction.attempt == 1 { proxy.cut(.beforeAnswer) }
      _ = try await transaction.value(accounts.sum)
      return transaction.attempt
    }
    #expect(attempts == 2)
    #expect(try await accounts.value(accounts.sum) == 401)
  }

  /// 240 commits, cut after a number of bytes: while the request is sent, or before the answer.
  @Test(.tags(.slow), arguments: 0..<8)
  func `no commit that is cut anywhere is lost, or done twice`(part: Int) async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy)
    try await accounts.commit(accounts.add(0, to: 1))
    for step in 0..<30 {
      let size = (part * 30 + step) * 3
      proxy.cut(step % 10 == 9 ? .beforeAnswer : .afterRequestBytes(size))
      try await accounts.commit(accounts.add(1, to: 1), accounts.add(-1, to: 2))
      let balances = try await accounts.cluster.pool.read([
        accounts.balance(1), accounts.balance(2),
      ]).map(\.firstInteger)
      #expect(balances == [101 + Int64(step), 99 - Int64(step)])
    }
  }

  @Test func `a commit whose server is gone has a token, by which its outcome is known later`()
    async throws
  {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy) { $0.reconnectTime = .milliseconds(300) }
    func token(of write: () async throws -> Void) async throws -> CommitToken {
      let error = await #expect(throws: ClusterError.self) { try await write() }
      guard case .commitOutcomeUnknown(let token, _) = error else {
        throw error ?? ClusterError.libpqMissing
      }
      return token
    }
    let lost = try await token {
      try await accounts.cluster.write { transaction in
        try await transaction.send(accounts.add(1, to: 1))
        _ = try await transaction.value(accounts.sum)
        proxy.close()
      }
    }
    proxy.open()
    #expect(try await accounts.cluster.outcome(of: lost) == .rolledBack)
    #expect(try await accounts.cluster.outcome(of: lost) == .rolledBack)
    #expect(try await accounts.value(accounts.sum) == 400)

    // Another program's commit, with its row on the server.
    let done = CommitToken.new()
    let log = CommitLog(accounts.cluster.tables)
    _ = try await accounts.cluster.pool.run([
      accounts.add(1, to: 1), log.insertion(done, [:]),
    ])
    #expect(try await accounts.cluster.outcome(of: done) == .committed)
    #expect(try await accounts.cluster.outcome(of: CommitToken(uuid: UUID())) == .forgotten)
  }

  @Test func `a commit in doubt waits for no connection of other callers`() async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy) {
      $0.connectionLimit = 1
      $0.connectionWait = .milliseconds(1)
    }
    let box = accounts.cluster.box(for: Account.self)
    for cut in [Proxy.Cut.beforeAnswer, .beforeRequest] {
      var account = Account(id: 0, balance: 7)
      proxy.cut(cut)
      try await box.put(&account)
      #expect(account.id > 0)
    }
    #expect(try await box.count() == 6)
    #expect(accounts.cluster.pool.connectionCount == 1)
  }

  @Test(arguments: [1, 2])
  func `commits in doubt are decided while other callers wait for all connections`(
    limit: Int
  ) async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy) {
      $0.connectionLimit = limit
      // A slow machine must not make the test fail.
      $0.connectionWait = .seconds(600)
    }
    let (taskCount, loss) = (limit + 4, Gate())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<taskCount {
        group.addTask {
          try await accounts.cluster.write { transaction in
            try await transaction.send(accounts.add(1, to: Int64(task) % 4 + 1))
            guard await !loss.isOpen else { return }
            while accounts.cluster.pool.waiterCount < taskCount - limit {
              try Task.checkCancellation()
              await Task.yield()
            }
            await loss.open()
            proxy.close()
          }
        }
      }
      group.addTask {
        // The server returns once each commit has searched for it in vain.
        while proxy.refusedCount < limit * 2 {
          try Task.checkCancellation()
          await Task.yield()
        }
        proxy.open()
      }
      try await group.waitForAll()
    }
    #expect(try await accounts.value(accounts.sum) == 400 + Int64(taskCount))
    #expect(try await accounts.value(accounts.commits) == Int64(taskCount))
  }

  @Test func `a caller that waits for a connection while no server can be reached is told so`()
    async throws
  {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let accounts = try await accounts(by: proxy) {
      $0.connectionLimit = 1
      $0.connectionWait = .milliseconds(1)
      $0.reconnectTime = .milliseconds(300)
    }
    proxy.close()
    let pool = accounts.cluster.pool
    let looking = Task {
      while !Task.isCancelled { _ = try? await pool.run([accounts.sum]) }
    }
    while pool.state.withLock({ $0.outage }) == nil, !Task.isCancelled { await Task.yield() }
    let error = await #expect(throws: ClusterError.self) { try await pool.run([accounts.sum]) }
    looking.cancel()
    if case .noConnection = error { Issue.record("\(String(describing: error))") }
    proxy.open()
    await looking.value
    #expect(try await accounts.value(accounts.sum) == 400)
    #expect(pool.state.withLock { $0.outage } == nil)
  }

  @Test func `a visit whose connection breaks passes no object twice`() async throws {
    let proxy = try Proxy(to: try #require(ServerPlace.socketPath))
    let box = try await accounts(by: proxy).cluster.box(for: Account.self)
    try await box.put((0..<1_200).map { Account(id: 0, balance: $0) })
    let ids = try await box.query().findIds().map(\.value)
    var seen: [Id] = []
    func note(_ id: Id) -> Bool {
      seen.append(id)
      if seen.count == 300 { proxy.cut(.beforeAnswer) }
      return true
    }
    for isOfIDs in [false, true] {
      seen = []
      do {
        if isOfIDs {
          try await box.visit(ids) { note($0?.id ?? 0) }
        } else {
          try await box.visit { note($0.id) }
        }
        Issue.record("the visit has lost its connection")
      } catch ClusterError.connectionLost {}
      #expect(seen == Array(ids.prefix(500)))
      // Before the first object, the visit starts again.
      seen = Array(repeating: 0, count: 1_000)
      proxy.cut(.beforeAnswer)
      try await box.visit(ids.prefix(2)) { note($0?.id ?? 0) }
      #expect(seen.suffix(2) == ids.prefix(2))
    }
  }

  @Test func `a commit that comes after its outcome was asked for is refused`() async throws {
    let accounts = try await AccountTable()
    let token = CommitToken.new()
    #expect(try await accounts.cluster.outcome(of: token) == .rolledBack)
    let log = CommitLog(accounts.cluster.tables)
    await #expect(throws: ClusterError.self) {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.run([accounts.add(1, to: 1), log.insertion(token, [:])])
      }
    }
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `killed connections lose no commit, and none is done twice`() async throws {
    let other = try await TestServer.cluster()
    let name = "killed \(UUID().uuidString)"
    let killed = try await AccountTable { $0.applicationName = name }
    let kill = Statement(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1"
    ) { $0.append(name) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            try await killed.cluster.write { transaction in
              _ = try await transaction.value(killed.balance(Int64(task + 1)))
              try await transaction.send(killed.add(1, to: Int64(task + 1)))
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<40 {
          _ = try await other.pool.run([kill])
          for _ in 0..<Int.random(in: 1...300) { await Task.yield() }
        }
      }
      try await group.waitForAll()
    }
    let balances = try await killed.cluster.pool.read((1...4).map { killed.balance($0) })
    #expect(balances.map(\.firstInteger) == [150, 150, 150, 150])
  }

  @Test func `old rows are swept, and the greatest transaction of them is kept`() async throws {
    let accounts = try await AccountTable { $0.commitMemory = .seconds(60) }
    for _ in 0..<3 { try await accounts.commit(accounts.add(1, to: 1)) }
    let table = accounts.cluster.tables.commitTable
    let newest = try await accounts.value(Statement("SELECT max(xact)::text::bigint FROM \(table)"))
    _ = try await accounts.cluster.pool.run([
      Statement("UPDATE \(table) SET at = at - interval '10 minutes'")
    ])
    try await accounts.commit(accounts.add(1, to: 1))
    let log = CommitLog(accounts.cluster.tables)
    try await Housekeeping.sweep(log, accounts.cluster.pool)
    try await Housekeeping.sweep(log, accounts.cluster.pool)
    let rows = try await accounts.cluster.pool.run([
      Statement("SELECT xact::text::bigint FROM \(table) WHERE dead"),
      Statement("SELECT count(*) FROM \(table) WHERE NOT dead"),
    ])
    #expect(rows.map(\.firstInteger) == [newest, 1])
  }
}
