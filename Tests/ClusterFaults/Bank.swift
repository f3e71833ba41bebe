import Foundation
import ObjectBoxCluster
import ObjectBoxReliabilitySupport

/// A bank on a cluster: accounts with the same balance at first, and clients that move money between them.
struct Bank: Sendable {
  static let balance: Int64 = 1_000

  let cluster: Cluster
  let accountCount: Int
  private let accounts: String
  private let transfers: String

  /// Makes the bank in a schema of its own.
  init(_ configuration: Cluster.Configuration, accounts accountCount: Int) async throws {
    var configuration = configuration
    configuration.schema = "bank \(UUID().uuidString)"
    cluster = try await Cluster(configuration: configuration)
    self.accountCount = accountCount
    accounts = cluster.tableName(of: "Account")
    transfers = cluster.tableName(of: "Transfer")
    try await cluster.write { [accounts] transaction in
      _ = try await transaction.run(
        "INSERT INTO \(accounts) (id, balance, stamp) SELECT i, $2, -i FROM generate_series(1, $1) i",
        [Int64(accountCount), Self.balance]
      )
    }
  }

  /// The values of the registers of a history before the first transfer.
  var initial: [Int: Int64] {
    Dictionary(uniqueKeysWithValues: (1...accountCount).map { ($0, Int64(-$0)) })
  }

  /// Moves money, and returns what the transaction read and wrote.
  ///
  /// - Parameters:
  ///   - number: The number of the transfer, which no other has.
  ///   - source: An account.
  ///   - target: Another one.
  ///   - amount: The money; the transfer is not done when the source has less.
  /// - Returns: The transaction, with its first attempt's time as its beginning; whether money was moved; how often
  ///   it was tried.
  /// - Throws: Errors of the cluster; nothing was done then, unless the outcome is unknown.
  func transfer(
    _ number: Int64,
    from source: Int64,
    to target: Int64,
    _ amount: Int64
  ) async throws -> (transaction: History.Transaction, isDone: Bool, attempts: Int) {
    let begin = DispatchTime.now().uptimeNanoseconds
    let select = "SELECT balance, stamp FROM \(accounts) WHERE id = $1"
    let update = "UPDATE \(accounts) SET balance = balance + $2, stamp = $3 WHERE id = $1"
    let (operations, isDone, attempts) = try await cluster.write { transaction in
      let from = try await transaction.run(select, [source])[0]
      let to = try await transaction.run(select, [target])[0]
      var operations: [History.Operation] = [
        .read(register: Int(source), value: from[1]), .read(register: Int(target), value: to[1]),
      ]
      guard from[0] >= amount else { return (operations, false, transaction.attempt) }
      // In the order of IDs, so that few wait for each other in a circle.
      let stamp = number << 8 + Int64(transaction.attempt & 0xFF)
      for (account, change) in [(source, -amount), (target, amount)].sorted(by: { $0.0 < $1.0 }) {
        _ = try await transaction.run(update, [account, change, stamp])
        operations.append(.write(register: Int(account), value: stamp))
      }
      _ = try await transaction.run(
        "INSERT INTO \(transfers) (id, source, target, amount) VALUES ($1, $2, $3, $4)",
        [number, source, target, amount]
      )
      return (operations, true, transaction.attempt)
    }
    let done = History.Transaction(
      name: "transfer \(number)",
      operations: operations,
      begin: begin,
      end: DispatchTime.now().uptimeNanoseconds
    )
    return (done, isDone, attempts)
  }

  /// Reads all accounts at one moment, which has to be one between two transactions.
  func audit(_ number: Int) async throws -> (transaction: History.Transaction, sum: Int64) {
    let begin = DispatchTime.now().uptimeNanoseconds
    let rows = try await cluster.read(deferrable: true) { transaction in
      try await transaction.run("SELECT id, balance, stamp FROM \(accounts)")
    }
    let transaction = History.Transaction(
      name: "audit \(number)",
      operations: rows.map { .read(register: Int($0[0]), value: $0[2]) },
      begin: begin,
      end: DispatchTime.now().uptimeNanoseconds
    )
    return (transaction, rows.reduce(0) { $0 + $1[1] })
  }

  /// Returns what is wrong with the bank after the transfers that were acknowledged.
  func faults(after acknowledged: Set<Int64>, refused: Set<Int64>) async throws -> [String] {
    var faults: [String] = []
    let sum = try await cluster.run("SELECT sum(balance)::bigint FROM \(accounts)")[0][0]
    if sum != Self.balance * Int64(accountCount) { faults.append("the sum is \(sum)") }
    let stored = Set(try await cluster.run("SELECT id FROM \(transfers)").map { $0[0] })
    let lost = acknowledged.subtracting(stored)
    let surplus = stored.subtracting(acknowledged)
    if !lost.isEmpty {
      faults.append("\(lost.count) acknowledged transfers are lost: \(lost.prefix(3))")
    }
    if !surplus.isEmpty {
      faults.append(
        "\(surplus.count) transfers were done and not acknowledged: \(surplus.prefix(3))"
      )
    }
    if !refused.isDisjoint(with: stored) { faults.append("transfers were done that were refused") }
    let wrong = try await cluster.run(
      """
      SELECT count(*) FROM \(accounts) a WHERE balance <> $1
        + (SELECT coalesce(sum(amount), 0) FROM \(transfers) WHERE target = a.id)
        - (SELECT coalesce(sum(amount), 0) FROM \(transfers) WHERE source = a.id)
      """,
      [Self.balance]
    )[0][0]
    if wrong != 0 { faults.append("\(wrong) accounts differ from the sum of their transfers") }
    return faults
  }
}
