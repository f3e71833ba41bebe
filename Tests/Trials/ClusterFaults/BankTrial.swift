import Foundation
import ObjectBoxCluster
import ObjectBoxReliabilitySupport
import Synchronization

/// Clients that move money during faults.
struct BankTrial: Sendable {
  /// Shell commands that cause faults, run in turn; `terminate` kills the clients' connections.
  var faults: [String] = []
  var seconds = 8.0
  /// Seconds before the first fault, and between the starts of two faults.
  var interval = 2.0
  var clientCount = 8
  /// Number of connections, fewer than clients; nil for half as many as clients.
  var connectionCount: Int?
  /// How much longer a call may take than the longest absence of the server and four usual calls, in
  /// seconds; a broken call is run again; nil for no limit.
  var bound: Double? = 1
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
    /// The end of the last transfer, and the longest time without a transfer, in nanoseconds.
    var lastEnd: UInt64 = 0
    var longestGap: UInt64 = 0
    /// The longest call, in nanoseconds.
    var longestWait: UInt64 = 0
    /// The times from each fault to the server's next commit, as numbers of nanoseconds.
    var absences: [ClosedRange<UInt64>] = []

    /// The longest time without commits on the server, in nanoseconds.
    var longestAbsence: UInt64 { absences.map { $0.upperBound - $0.lowerBound }.max() ?? 0 }

    /// The median time of the calls outside of absences, in nanoseconds: a busy machine takes
    /// longer for each.
    var usualWait: UInt64 {
      let waits = history.filter { call in
        !absences.contains { $0.overlaps(call.begin...max(call.begin, call.end)) }
      }.map { $0.end - $0.begin }
      return waits.isEmpty ? 0 : waits.sorted()[waits.count / 2]
    }
    var isOver = false
    var faultCount = 0
  }

  /// Runs the trial, and prints its figures.
  ///
  /// - Returns: True when all promises were kept.
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
    configuration.connectionLimit = connectionCount ?? max(1, clientCount / 2)
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
      let begin = DispatchTime.now().uptimeNanoseconds
      defer {
        let wait = DispatchTime.now().uptimeNanoseconds - begin
        tally.withLock { $0.longestWait = max($0.longestWait, wait) }
      }
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

  /// Records an error; unless the error says otherwise, nothing was done.
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
        // The reads are lost; the check of the history treats the writes as an unknown
        // transaction's.
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
      let absence = await absence(during: fault, configuration, tally)
      tally.withLock { tally in
        tally.faultCount += 1
        tally.absences.append(absence)
      }
    }
    tally.withLock { $0.isOver = true }
  }

  /// Causes a fault, and returns the time during which the server then took no commit.
  private func absence(
    during fault: String,
    _ configuration: Cluster.Configuration,
    _ tally: Shared
  ) async -> ClosedRange<UInt64> {
    let begin = DispatchTime.now().uptimeNanoseconds
    let isOver = Shared()
    async let absence = {
      var absence: UInt64 = 0
      var isAway = false
      // A server that was not restarted is not absent.
      while (isAway || !isOver.isOver) && absence < 300_000_000_000 {
        let canCommit = await Shell.canCommit(configuration.address)
        // The server is back when the first check that finds it ends.
        if isAway || !canCommit { absence = DispatchTime.now().uptimeNanoseconds - begin }
        isAway = !canCommit
        try? await Task.sleep(for: .milliseconds(50))
      }
      return absence
    }()
    if fault == "terminate" {
      await terminate(configuration)
    } else {
      let isMade = await Shell.run(fault)
      if !isMade { tally.withLock { $0.errors["the fault could not be made", default: 0] += 1 } }
    }
    isOver.withLock { $0.isOver = true }
    return await begin...begin + absence
  }

  /// Kills the clients' connections on the server.
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
    if tally.acknowledged.isEmpty || (tally.faultCount == 0 && !self.faults.isEmpty) {
      faults.append("no transfer or no fault in \(seconds) s: nothing was tried")
    }
    if tally.wrongSums > 0 { faults.append("\(tally.wrongSums) audits saw another sum") }
    let (wait, absence) = (Double(tally.longestWait) / 1e9, Double(tally.longestAbsence) / 1e9)
    let usual = Double(tally.usualWait) / 1e9
    if let bound, wait > absence + 4 * usual + bound {
      faults.append(
        "a call took \(wait) s; usual ones \(usual) s, and the server was away for \(absence) s at most"
      )
    }
    if bound != nil, !tally.errors.isEmpty { faults.append("calls ended with \(tally.errors)") }
    let history = History(transactions: tally.history, initial: bank.initial)
    faults += HistoryCheck.faults(in: history).map(\.description)
    let figures = [
      String(format: "%.0f s", duration), "\(tally.faultCount) faults",
      "\(tally.acknowledged.count) transfers acknowledged",
      String(format: "%.0f a second", Double(tally.acknowledged.count) / duration),
      "\(tally.repeated) run again", "\(tally.audits) audits",
      String(format: "longest time without a transfer %.2f s", Double(tally.longestGap) / 1e9),
      String(format: "longest absence of the server %.2f s", absence),
      String(format: "longest wait %.2f s, usual %.2f s", wait, usual),
      "\(tally.errors.values.reduce(0, +)) errors \(tally.errors)",
    ]
    print("\(name): \(figures.joined(separator: ", ")); \(faults.count) findings")
    for fault in faults.prefix(20) { print("  FINDING \(fault)") }
    await bank.cluster.close()
    return faults.isEmpty
  }
}

extension BankTrial {
  /// The tally, shared by all tasks.
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
