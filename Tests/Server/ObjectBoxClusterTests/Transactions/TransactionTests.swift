import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct TransactionTests {
  private struct Refusal: Error {}

  @Test func `the writes of a block are there after it, and none when it throws`() async throws {
    let accounts = try await AccountTable()
    let result = try await accounts.cluster.write { transaction in
      try await transaction.send(accounts.add(-10, to: 1))
      try await transaction.send(accounts.add(10, to: 2))
      return "done"
    }
    #expect(result == "done")
    await #expect(throws: Refusal.self) {
      try await accounts.cluster.write { transaction in
        try await transaction.send(accounts.add(-50, to: 1))
        _ = try await transaction.value(accounts.balance(1))
        throw Refusal()
      }
    }
    #expect(try await accounts.value(accounts.balance(1)) == 90)
    #expect(try await accounts.value(accounts.sum) == 400)
    #expect(try await accounts.value(accounts.commits) == 1)
  }

  @Test func `a read of a transaction sees the writes before it`() async throws {
    let accounts = try await AccountTable()
    let seen = try await accounts.cluster.write { transaction in
      try await transaction.send(accounts.add(5, to: 3))
      return try await transaction.value(accounts.balance(3))
    }
    #expect(seen == 105)
  }

  @Test func `a transaction of two gets and two puts takes three round trips, a put alone one`()
    async throws
  {
    let accounts = try await AccountTable()
    let cluster = accounts.cluster
    let before = cluster.pool.roundTrips
    try await cluster.write { transaction in
      let box = transaction.box(for: Account.self)
      var from = try #require(try await box.get(1))
      var to = try #require(try await box.get(2))
      from.balance -= 1
      to.balance += 1
      try await box.put(from)
      try await box.put(to)
    }
    // May include the observers' notification.
    #expect(3...4 ~= cluster.pool.roundTrips - before)
    #expect(try await accounts.value(accounts.balance(1)) == 99)
    try await cluster.write { _ in }
  }

  @Test func `a transaction that only reads leaves no row in the log of commits`() async throws {
    let accounts = try await AccountTable()
    _ = try await accounts.cluster.write { try await $0.value(accounts.sum) }
    #expect(try await accounts.value(accounts.commits) == 0)
  }

  @Test func `two blocks that read what the other writes are run one after the other`() async throws
  {
    let accounts = try await AccountTable(accounts: 2)
    // Each withdraws only if both accounts together have enough: under SNAPSHOT both would succeed.
    let (first, second) = (Gate(), Gate())
    func withdraw(from id: Int64, opening: Gate, awaiting: Gate) async throws -> Int {
      try await accounts.cluster.write { transaction in
        let sum = try await transaction.value(accounts.sum) ?? 0
        await opening.open()
        await awaiting.wait()
        if sum >= 150 { try await transaction.send(accounts.add(-150, to: id)) }
        return transaction.attempt
      }
    }
    async let one = withdraw(from: 1, opening: first, awaiting: second)
    async let other = withdraw(from: 2, opening: second, awaiting: first)
    let attempts = try await [one, other]
    #expect(attempts.max() ?? 0 > 1)
    #expect(try await accounts.value(accounts.sum) == 50)
  }

  @Test func `a deadlock is resolved by a second attempt`() async throws {
    let accounts = try await AccountTable()
    let (first, second) = (Gate(), Gate())
    func move(from: Int64, to: Int64, opening: Gate, awaiting: Gate) async throws {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.run([accounts.add(-1, to: from)])
        await opening.open()
        await awaiting.wait()
        _ = try await transaction.run([accounts.add(1, to: to)])
      }
    }
    async let one: Void = move(from: 1, to: 2, opening: first, awaiting: second)
    async let other: Void = move(from: 2, to: 1, opening: second, awaiting: first)
    _ = try await (one, other)
    #expect(try await accounts.value(accounts.balance(1)) == 100)
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `a block that conflicts each time ends with the number of attempts`() async throws {
    let accounts = try await AccountTable { $0.attemptLimit = 3 }
    let error = await #expect(throws: ClusterError.self) {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.value(accounts.balance(1))
        // Simulates another program.
        _ = try await accounts.cluster.pool.run([accounts.add(1, to: 1)])
        try await transaction.send(accounts.add(1, to: 1))
      }
    }
    guard case .conflict(3, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await accounts.value(accounts.balance(1)) == 103)
  }

  @Test func `a block that swallows an error of the server is rolled back with that error`()
    async throws
  {
    let accounts = try await AccountTable()
    await #expect(throws: ObjectBoxError.self) {
      try await accounts.cluster.write { transaction in
        _ = try await transaction.run([accounts.add(1, to: 1)])
        _ = try? await transaction.run([accounts.insert(1)])
      }
    }
    #expect(try await accounts.value(accounts.balance(1)) == 100)
  }

  @Test func `blocks inside of blocks are refused, and the outer one goes on`() async throws {
    let accounts = try await AccountTable()
    let cluster = accounts.cluster
    try await cluster.write { transaction in
      await #expect {
        try await cluster.write { _ in }
      } throws: {
        if case .alreadyInWriteTransaction = $0 as? ObjectBoxError { true } else { false }
      }
      await #expect(throws: ObjectBoxError.self) { try await cluster.read { _ in } }
      await #expect(throws: ObjectBoxError.self) {
        try await cluster.box(for: Account.self).put(Account(id: 1, balance: 0))
      }
      try await transaction.send(accounts.add(1, to: 2))
    }
    try await cluster.read { _ in
      await #expect {
        try await cluster.write { _ in }
      } throws: {
        if case .cannotWriteWhileReading = $0 as? ObjectBoxError { true } else { false }
      }
      try await cluster.read { _ in }
    }
    #expect(try await accounts.value(accounts.sum) == 401)
  }

  @Test func `a transaction that is kept does nothing after its block`() async throws {
    let accounts = try await AccountTable()
    let kept = try await accounts.cluster.write { $0 }
    await #expect {
      _ = try await kept.run([accounts.add(1, to: 1)])
    } throws: {
      if case .transactionEnded = $0 as? ObjectBoxError { true } else { false }
    }
  }

  // MARK: Reads

  @Test(arguments: [false, true])
  func `a block of reads sees one state`(isDeferrable: Bool) async throws {
    let accounts = try await AccountTable()
    let seen = try await accounts.cluster.read(deferrable: isDeferrable) { transaction in
      let first = try await transaction.value(accounts.balance(1))
      _ = try await accounts.cluster.pool.run([accounts.add(7, to: 1)])
      return [first, try await transaction.value(accounts.balance(1))]
    }
    #expect(seen == [100, 100])
    #expect(try await accounts.value(accounts.balance(1)) == 107)
  }

  @Test func `a block of reads cannot write`() async throws {
    let accounts = try await AccountTable()
    await #expect(throws: ObjectBoxError.self) {
      try await accounts.cluster.read { try await $0.send(accounts.add(1, to: 1)) }
    }
    await #expect(throws: ObjectBoxError.self) {
      try await accounts.cluster.read { _ = try await $0.run([accounts.add(1, to: 1)]) }
    }
    #expect(try await accounts.value(accounts.sum) == 400)
  }

  @Test func `a replica is not required for reads that accept one`() async throws {
    let accounts = try await AccountTable()
    let sum = try await accounts.cluster.read(on: .replica(maximumLag: .seconds(5))) {
      try await $0.value(accounts.sum)
    }
    #expect(sum == 400)
  }
}
