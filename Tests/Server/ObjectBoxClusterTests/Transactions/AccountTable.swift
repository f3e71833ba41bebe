import Foundation

@testable import ObjectBoxCluster

/// The accounts of a test, accessed by SQL statements.
struct AccountTable {
  let cluster: Cluster
  private let name: String

  /// Opens a cluster with accounts of equal balance.
  init(
    accounts: Int = 4,
    balance: Int64 = 100,
    _ configure: (inout Cluster.Configuration) -> Void = { _ in }
  ) async throws {
    var configuration = TestServer.configuration()
    // Use another cluster: a notification of this commit could take the cut that a test wants for
    // its own connection.
    let filling = try await Cluster(configuration: configuration)
    var all = (0..<accounts).map { _ in Account(id: 0, balance: Int(balance)) }
    try await filling.box(for: Account.self).put(&all)
    // Tests count the rows of their own commits.
    _ = try await filling.pool.run([Statement("DELETE FROM \(filling.tables.commitTable)")])
    await filling.close()
    configure(&configuration)
    cluster = try await Cluster(configuration: configuration)
    name = cluster.tables.table(named: "Account")?.name ?? ""
  }

  func add(_ amount: Int64, to id: Int64) -> Statement {
    Statement("UPDATE \(name) SET balance = balance + $1 WHERE id = $2") { parameters in
      parameters.append(amount)
      parameters.append(id)
    }
  }

  func insert(_ id: Int64) -> Statement {
    Statement("INSERT INTO \(name) (id, balance) VALUES ($1, 0)") { $0.append(id) }
  }

  func balance(_ id: Int64) -> Statement {
    Statement("SELECT balance FROM \(name) WHERE id = $1") { $0.append(id) }
  }

  var sum: Statement { Statement("SELECT sum(balance)::bigint FROM \(name)") }

  var commits: Statement {
    Statement("SELECT count(*) FROM \(cluster.tables.commitTable) WHERE NOT dead")
  }

  /// Returns the first value of a statement, outside transactions.
  func value(_ statement: Statement) async throws -> Int64? {
    try await cluster.pool.run([statement])[0].firstInteger
  }

  /// Runs statements in a separate transaction.
  func commit(_ statements: Statement...) async throws {
    try await cluster.write { _ = try await $0.run(statements) }
  }
}

extension ResultRows {
  var firstInteger: Int64? { count > 0 ? anyInteger(0, 0) : nil }
}

extension ClusterTransaction {
  func send(_ statement: Statement) async throws { _ = try await run([statement]) }

  func value(_ statement: Statement) async throws -> Int64? {
    try await run([statement])[0].firstInteger
  }
}

/// A point where tasks wait for each other.
actor Gate {
  private(set) var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for one in waiting { one.resume() }
    waiting = []
  }

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
