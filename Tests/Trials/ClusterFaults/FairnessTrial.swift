import Foundation
import ObjectBox
import ObjectBoxCluster
import Synchronization

/// Clients that change the same few accounts continuously, in one or more processes.
struct FairnessTrial: Sendable {
  var seconds = 8.0
  /// Number of clients in all processes.
  var clientCount = 16
  var accountCount = 4
  var processCount = 1
  var seed: UInt64 = 1
  /// The schema of a bank made by another process; nil to make one.
  var schema: String?
  /// The number of this process's first client.
  var firstClient = 0

  /// The number of transfers that each client makes even if the time is over: fewer prove nothing.
  private static let floor: Int64 = 3
  /// The smallest allowed ratio of the slowest client's transfers to the fastest client's.
  private static let leastPart = 0.1

  /// Runs the trial, and prints its figures.
  ///
  /// - Returns: True when no client got an error and all made enough transfers.
  func run(address: String) async throws -> Bool {
    // Default limits of attempts and connections.
    let configuration = Cluster.Configuration(address)
    if let schema {
      let bank = try await Bank(joining: schema, configuration, accounts: accountCount)
      let errors = await serve(bank, clientCount)
      for error in errors { FileHandle.standardError.write(Data("client: \(error)\n".utf8)) }
      await bank.cluster.close()
      return errors.isEmpty
    }
    let schema = "bank \(UUID().uuidString)"
    let bank = try await Bank(configuration, in: schema, accounts: accountCount)
    let share = clientCount / processCount
    var findings = await withTaskGroup(of: [String].self) { group in
      for process in 1..<max(processCount, 1) {
        group.addTask {
          let command =
            "\(Shell.quoted(CommandLine.arguments[0])) fair \(Shell.quoted(address)) --clients \(share) "
            + "--accounts \(accountCount) --seconds \(seconds) --seed \(seed) --schema \(Shell.quoted(schema)) "
            + "--first \(clientCount - process * share)"
          return await Shell.run(command) ? [] : ["another process got errors"]
        }
      }
      group.addTask { await serve(bank, clientCount - (processCount - 1) * share) }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let transfers = try await bank.cluster.box(for: Transfer.self).all()
    let counts = Dictionary(grouping: transfers) { Int($0.id >> 32) }.mapValues(\.count)
    let all = (0..<clientCount).map { counts[$0] ?? 0 }
    let (least, most) = (all.min() ?? 0, all.max() ?? 0)
    if Double(least) < Double(most) * Self.leastPart {
      findings.append("one client made \(least) transfers, and another one \(most)")
    }
    let sum = try await bank.cluster.box(for: Account.self).query().property(Account.balance)
      .sumInt()
    if sum != Bank.balance * accountCount { findings.append("the sum is \(sum)") }
    let rate = Double(transfers.count) / seconds
    print(
      "fairness: \(Int(seconds)) s, \(clientCount) clients in \(processCount) processes on \(accountCount) "
        + "accounts, \(transfers.count) transfers, \(Int(rate)) a second, \(least) to \(most) for each client; "
        + "\(findings.count) findings"
    )
    for finding in findings.prefix(20) { print("  FINDING \(finding)") }
    await bank.cluster.close()
    return findings.isEmpty
  }

  /// Runs the clients of this process, and returns their errors.
  private func serve(_ bank: Bank, _ count: Int) async -> [String] {
    let end = ContinuousClock.now + .seconds(seconds)
    return await withTaskGroup(of: [String].self) { group in
      for client in firstClient..<firstClient + count {
        group.addTask {
          var random = Generator(state: seed &+ UInt64(client) &* 0x9E37_79B9_7F4A_7C15)
          let first = Int64(client) << 32
          var number = first
          var errors: [String] = []
          while ContinuousClock.now < end || number < first + Self.floor {
            number += 1
            let source = Int64.random(in: 1...Int64(accountCount), using: &random)
            var target = Int64.random(in: 1..<Int64(accountCount), using: &random)
            if target >= source { target += 1 }
            do {
              _ = try await bank.transfer(number, from: source, to: target, 1)
            } catch {
              errors.append("\(error)")
            }
          }
          return errors
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}
