import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SavepointTests {
  private struct Refusal: Error {}

  @Test func `a part that throws is undone, and the rest is kept`() async throws {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      try await transaction.send(accounts.add(1, to: 1))
      await #expect(throws: Refusal.self) {
        try await transaction.savepoint {
          try await transaction.send(accounts.add(10, to: 2))
          _ = try await transaction.value(accounts.balance(2))
          try await transaction.send(accounts.add(10, to: 3))
          throw Refusal()
        }
      }
      try await transaction.savepoint { try await transaction.send(accounts.add(100, to: 4)) }
    }
    let balances = try await balances(of: accounts)
    #expect(balances == [101, 100, 100, 200])
  }

  @Test func `a part whose write the server refuses fails, and the block goes on`() async throws {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      await #expect(throws: ObjectBoxError.self) {
        try await transaction.savepoint {
          try await transaction.send(accounts.add(10, to: 2))
          try await transaction.send(accounts.insert(1))
        }
      }
      await #expect(throws: ObjectBoxError.self) {
        try await transaction.savepoint { _ = try await transaction.run([accounts.insert(2)]) }
      }
      try await transaction.send(accounts.add(1, to: 1))
    }
    #expect(try await balances(of: accounts) == [101, 100, 100, 100])
  }

  /// More statements than a connection keeps prepared, and one that the server refuses.
  private func refusedBatch(of accounts: AccountTable) -> [Statement] {
    (0..<300).map { Statement("SELECT \($0) AS number") } + [accounts.insert(1)]
  }

  @Test func `a part throws its own error when the server has to forget prepared statements`()
    async throws
  {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      let error = await #expect(throws: ObjectBoxError.self) {
        try await transaction.savepoint {
          _ = try await transaction.run([accounts.add(10, to: 2)])
          _ = try await transaction.run(refusedBatch(of: accounts))
        }
      }
      guard case .unknown(code: 10210, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try await transaction.send(accounts.add(1, to: 1))
    }
    #expect(try await balances(of: accounts) == [101, 100, 100, 100])
  }

  @Test func `a rollback keeps the connection when the server has to forget prepared statements`()
    async throws
  {
    let accounts = try await AccountTable { $0.connectionLimit = 1 }
    var process: Int32?
    await #expect(throws: ObjectBoxError.self) {
      try await accounts.cluster.write { transaction in
        process = transaction.connection.backendID
        _ = try await transaction.run(refusedBatch(of: accounts))
      }
    }
    let next = try await accounts.cluster.write { $0.connection.backendID }
    #expect(next == process)
  }

  @Test func `a part throws the error of a copy whose content cannot be made`() async throws {
    let accounts = try await AccountTable()
    let table = try #require(accounts.cluster.tables.table(named: "Account"))
    let copy = Statement(copying: "COPY \(table.name) FROM STDIN (FORMAT binary)") { _, _ in
      throw Refusal()
    }
    for isFirst in [true, false] {
      try await accounts.cluster.write { transaction in
        if !isFirst { try await transaction.send(accounts.add(1, to: 1)) }
        await #expect(throws: Refusal.self) {
          try await transaction.savepoint { _ = try await transaction.run([copy]) }
        }
        try await transaction.send(accounts.add(1, to: 1))
      }
    }
    #expect(try await balances(of: accounts) == [103, 100, 100, 100])
  }

  @Test func `parts of parts are undone by themselves`() async throws {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      try await transaction.savepoint {
        try await transaction.send(accounts.add(1, to: 1))
        await #expect(throws: Refusal.self) {
          try await transaction.savepoint {
            _ = try await transaction.run([accounts.add(1, to: 2)])
            try await transaction.savepoint {
              try await transaction.send(accounts.add(1, to: 3))
            }
            throw Refusal()
          }
        }
        try? await transaction.savepoint { throw Refusal() }
      }
      await #expect(throws: Refusal.self) {
        try await transaction.savepoint {
          try await transaction.savepoint {
            try await transaction.send(accounts.add(1, to: 4))
          }
          throw Refusal()
        }
      }
    }
    #expect(try await balances(of: accounts) == [101, 100, 100, 100])
  }

  @Test func `a part without statements takes no round trip`() async throws {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      let before = transaction.connection.roundTripCount
      try await transaction.savepoint {}
      try? await transaction.savepoint { throw Refusal() }
      try await transaction.send(accounts.add(1, to: 1))
      #expect(transaction.connection.roundTripCount - before == 1)
    }
  }

  @Test func `puts of a part that throws are undone, and the rest is kept`() async throws {
    let accounts = try await AccountTable()
    try await accounts.cluster.write { transaction in
      let box = transaction.box(for: Account.self)
      try await box.put(Account(id: 1, balance: 1))
      try? await transaction.savepoint {
        try await box.put(Account(id: 1, balance: 2))
        try await box.put(Account(id: 2, balance: 2))
        throw Refusal()
      }
      try await transaction.savepoint {
        try await box.put(Account(id: 3, balance: 3))
      }
    }
    #expect(try await balances(of: accounts) == [1, 100, 3, 100])
  }

  @Test func `a conflict in a part runs the whole block again`() async throws {
    let accounts = try await AccountTable()
    let attempts = try await accounts.cluster.write { transaction in
      _ = try await transaction.value(accounts.balance(1))
      if transaction.attempt == 1 {
        _ = try await accounts.cluster.pool.run([accounts.add(1, to: 1)])
      }
      try? await transaction.savepoint { try await transaction.send(accounts.add(1, to: 1)) }
      try await transaction.send(accounts.add(1, to: 2))
      return transaction.attempt
    }
    #expect(attempts == 2)
    #expect(try await balances(of: accounts) == [102, 101, 100, 100])
  }

  private func balances(of accounts: AccountTable) async throws -> [Int64?] {
    try await accounts.cluster.pool.run((1...4).map { accounts.balance($0) }).map(\.firstInteger)
  }
}
