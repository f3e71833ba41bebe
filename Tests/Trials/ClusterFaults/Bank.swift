import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxReliabilitySupport

/// A bank on a cluster: accounts that start with equal balances, and clients that move money
/// between them.
struct Bank: Sendable {
  static let balance = 1_000

  let cluster: Cluster
  let accountCount: Int

  /// Opens a bank that another process has made in a schema.
  init(
    joining schema: String,
    _ configuration: Cluster.Configuration,
    accounts accountCount: Int
  ) async throws {
    var configuration = configuration
    configuration.schema = schema
    cluster = try await Cluster(configuration: configuration)
    self.accountCount = accountCount
  }

  /// Makes a bank in a new schema.
  init(
    _ configuration: Cluster.Configuration,
    in schema: String = "bank \(UUID().uuidString)",
    accounts accountCount: Int
  ) async throws {
    var configuration = configuration
    configuration.schema = schema
    cluster = try await Cluster(configuration: configuration)
    self.accountCount = accountCount
    // The accounts get IDs from 1 on.
    try await cluster.box(for: Account.self).put(
      (1...accountCount).map { Account(id: 0, balance: Self.balance, stamp: -$0) }
    )
  }

  /// The initial register values of a history.
  var initial: [Int: Int64] {
    Dictionary(uniqueKeysWithValues: (1...accountCount).map { ($0, Int64(-$0)) })
  }

  /// Moves money, and returns what the transaction read and wrote.
  ///
  /// - Parameters:
  ///   - number: The unique number of the transfer.
  ///   - source: An account.
  ///   - target: Another account.
  ///   - amount: The money; if the source has less, nothing is moved.
  /// - Returns: The transaction, which begins with its first attempt; whether money was moved; the
  ///   number of attempts.
  /// - Throws: Errors of the cluster; then nothing was done, unless the outcome is unknown.
  func transfer(
    _ number: Int64,
    from source: Int64,
    to target: Int64,
    _ amount: Int64
  ) async throws -> (transaction: History.Transaction, isDone: Bool, attempts: Int) {
    let begin = DispatchTime.now().uptimeNanoseconds
    let (operations, isDone, attempts) = try await cluster.write { transaction in
      guard var from = try await transaction.get(Account.self, Id(source)),
        var to = try await transaction.get(Account.self, Id(target))
      else { throw Missing() }
      var operations: [History.Operation] = [
        .read(register: Int(source), value: Int64(from.stamp)),
        .read(register: Int(target), value: Int64(to.stamp)),
      ]
      guard from.balance >= amount else { return (operations, false, transaction.attempt) }
      let stamp = Int(number) << 8 + transaction.attempt & 0xFF
      from.balance -= Int(amount)
      to.balance += Int(amount)
      (from.stamp, to.stamp) = (stamp, stamp)
      try await transaction.put([from, to])
      operations += [source, target].map { .write(register: Int($0), value: Int64(stamp)) }
      let transfer = Transfer(
        id: Id(number),
        source: Int(source),
        target: Int(target),
        amount: Int(amount)
      )
      // Fails if the transfer was already done.
      try await transaction.put(transfer, mode: .insert)
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

  /// Reads all accounts at one moment, which must be between two transactions.
  func audit(_ number: Int) async throws -> (transaction: History.Transaction, sum: Int64) {
    let begin = DispatchTime.now().uptimeNanoseconds
    let accounts = try await cluster.read(deferrable: true) { transaction in
      try await transaction.box(for: Account.self).all()
    }
    let transaction = History.Transaction(
      name: "audit \(number)",
      operations: accounts.map { .read(register: Int($0.id), value: Int64($0.stamp)) },
      begin: begin,
      end: DispatchTime.now().uptimeNanoseconds
    )
    return (transaction, accounts.reduce(0) { $0 + Int64($1.balance) })
  }

  /// Returns the inconsistencies of the bank after the acknowledged transfers.
  func faults(after acknowledged: Set<Int64>, refused: Set<Int64>) async throws -> [String] {
    var faults: [String] = []
    let box = cluster.box(for: Account.self)
    let sum = try await box.query().property(Account.balance).sumInt()
    if sum != Self.balance * accountCount { faults.append("the sum is \(sum)") }
    let transfers = try await cluster.box(for: Transfer.self).all()
    let stored = Set(transfers.map { Int64($0.id) })
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
    var balances: [Id: Int] = [:]
    for transfer in transfers {
      balances[Id(transfer.source), default: Self.balance] -= transfer.amount
      balances[Id(transfer.target), default: Self.balance] += transfer.amount
    }
    let wrong = try await box.all().count { $0.balance != balances[$0.id] ?? Self.balance }
    if wrong > 0 { faults.append("\(wrong) accounts differ from the sum of their transfers") }
    return faults
  }

  /// An account is missing, although none is ever removed.
  private struct Missing: Error {}
}
