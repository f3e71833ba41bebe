import Foundation
import ObjectBoxCluster
import ObjectBoxReliabilitySupport
import Synchronization

/// Clients that move money while faults come.
struct BankTrial: Sendable {
  /// Commands of the shell for faults, which are run in turn; `terminate` kills the connections of the clients.
  var faults: [String] = []
  var seconds = 8.0
  /// Seconds before the first fault, and between the beginnings of two.
  var interval = 2.0
  var clientCount = 8
  var accountCount = 1_000
  var seed: UInt64 = 1

  private struct Tally: Sendable {
    var history: [History.Transaction] = []
    var acknowledged: Set<Int64> = []
    var refused: Set<Int64> = []
    /// Transfers that ended with an error, all of them rolled back.
    var errors: [String: Int] = [:]
    var repeated = 0
    var audits = 0
    var wrongSums = 0
    /// The end of the last transfer, and the longest time without one, in nanoseconds.
    var lastEnd: UInt64 = 0
    var longestGap: UInt64 = 0
    var isOver = false
    var faultCount = 0
  }

  /// Runs the trial, and prints its figures.
  ///
  /// - Returns: True when every promise was kept.
  func run(name: String, address: String) async throws -> Bool {
    let configuration = configuration(address)
    let bank = try await Bank(configuration, accounts: accountCount)
    let tally = Shared()
    let begin = DispatchTime.now().uptimeNanoseconds
    tally.withLock { $0.lastEnd = begin }
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<clientCount {
        group.addTask { await serve(bank, client, tally) }
      }
      group.addTask { await audit(bank, tally) }
      group.addTask { await makeFaults(configuration, tally) }
    }
    let duration = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
    return try await report(name, bank, tally, duration)
  }

  private func configuration(_ address: String) -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address)
    configuration.connectionLimit = clientCount + 1
    configuration.connectTimeout = .seconds(2)
    configuration.silenceLimit = .seconds(5)
    configuration.reconnectTime = .seconds(120)
    configuration.attemptLimit = 100
    configuration.applicationName = "bank \(ProcessInfo.processInfo.processIdentifier)"
    return configuration
  }

  private func serve(_ bank: Bank, _ client: Int, _ tally: Shared) async {
    var random = Generator(state: seed &+ UInt64(client) &* 0x9E37_79B9_7F4A_7C15)
    var number = Int64(client) << 32
    while !tally.isOver {
      number += 1
      let source = Int64.random(in: 1...Int64(accountCount), using: &random)
      var target = Int64.random(in: 1..<Int64(accountCount), using: &random)
      if target >= source { target += 1 }
      let amount = Int64.random(in: 1...200, using: &random)
      do {
        let result = try await bank.transfer(number, from: source, to: target, amount)
        tally.withLock { tally in
          tally.history.append(result.transaction)
          if result.isDone {
            tally.acknowledged.insert(number)
          } else {
            tally.refused.insert(number)
          }
          tally.repeated += result.attempts - 1
          let end = result.transaction.end
          tally.longestGap = max(tally.longestGap, end &- min(tally.lastEnd, end))
          tally.lastEnd = max(tally.lastEnd, end)
        }
      } catch {
        await take(error, of: number, bank, tally)
      }
    }
  }

  /// Notes an error, which must mean that nothing was done unless it says otherwise.
  private func take(
    _ error: any Error,
    of number: Int64,
    _ bank: Bank,
    _ tally: Shared
  ) async {
    let name = String("\(error)".prefix { $0 != ":" })
    tally.withLock { $0.errors[name, default: 0] += 1 }
    guard case ClusterError.commitOutcomeUnknown(let token, _) = error else { return }
    while true {
      if let outcome = try? await bank.cluster.outcome(of: token) {
        // Its reads are not known any more; the check of the history sees its writes as those of nobody.
        if outcome == .committed { tally.withLock { _ = $0.acknowledged.insert(number) } }
        return
      }
    }
  }

  private func audit(_ bank: Bank, _ tally: Shared) async {
    var number = 0
    while !tally.isOver {
      number += 1
      try? await Task.sleep(for: .milliseconds(200))
      guard let (transaction, sum) = try? await bank.audit(number) else { continue }
      tally.withLock { tally in
        tally.history.append(transaction)
        tally.audits += 1
        if sum != Int64(Bank.balance * accountCount) { tally.wrongSums += 1 }
      }
    }
  }

  private func makeFaults(_ configuration: Cluster.Configuration, _ tally: Shared) async {
    let end = ContinuousClock.now + .seconds(seconds)
    var number = 0
    while ContinuousClock.now < end {
      let rest = end - ContinuousClock.now
      try? await Task.sleep(for: min(.seconds(interval), rest))
      guard !faults.isEmpty, ContinuousClock.now < end else { continue }
      let fault = faults[number % faults.count]
      number += 1
      if fault == "terminate" {
        await terminate(configuration)
      } else {
        await Shell.run(fault)
      }
      tally.withLock { $0.faultCount += 1 }
    }
    tally.withLock { $0.isOver = true }
  }

  /// Kills the connections of the clients at the server.
  private func terminate(_ configuration: Cluster.Configuration) async {
    await Shell.sql(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        + "WHERE application_name = '\(configuration.applicationName)'",
      configuration.address
    )
  }

  private func report(
    _ name: String,
    _ bank: Bank,
    _ tally: Shared,
    _ duration: Double
  ) async throws -> Bool {
    let tally = tally.withLock { $0 }
    var faults = try await bank.faults(after: tally.acknowledged, refused: tally.refused)
    if tally.wrongSums > 0 { faults.append("\(tally.wrongSums) audits saw another sum") }
    let history = History(transactions: tally.history, initial: bank.initial)
    faults += HistoryCheck.faults(in: history).map(\.description)
    let figures = [
      String(format: "%.0f s", duration), "\(tally.faultCount) faults",
      "\(tally.acknowledged.count) transfers acknowledged",
      String(format: "%.0f a second", Double(tally.acknowledged.count) / duration),
      "\(tally.repeated) run again", "\(tally.audits) audits",
      String(format: "longest time without a transfer %.2f s", Double(tally.longestGap) / 1e9),
      "\(tally.errors.values.reduce(0, +)) errors \(tally.errors)",
    ]
    print("\(name): \(figures.joined(separator: ", ")); \(faults.count) findings")
    for fault in faults.prefix(20) { print("  FINDING \(fault)") }
    await bank.cluster.close()
    return faults.isEmpty
  }
}

extension BankTrial {
  /// The tally that all tasks share.
  ///
  /// A class, since they change it.
  private final class Shared: Sendable {
    private let tally = Mutex(Tally())
    func withLock<T: Sendable>(_ body: (inout Tally) -> T) -> T { tally.withLock { body(&$0) } }
    var isOver: Bool { tally.withLock { $0.isOver } }
  }
}

/// Random numbers that a seed repeats (SplitMix64).
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
