import Foundation
import ObjectBox
import ObjectBoxCluster

/// All attackers and the honest device at once.
enum Attack {
  /// Attacks, and prints what came of it and the findings.
  ///
  /// - Parameters:
  ///   - address: The database, whose model the attackers know.
  ///   - port: The server's port.
  ///   - seed: The seed.
  ///   - seconds: How long the attack goes on.
  ///   - wait: The most seconds that an honest write may wait.
  /// - Returns: The number of findings.
  /// - Throws: What the honest device throws, and `ClusterError`.
  static func run(
    _ address: String,
    port: Int,
    seed: Int,
    seconds: Double,
    wait: Double
  ) async throws -> Int {
    let cluster = try await Server.cluster(address)
    let entities = cluster.tables.model.entities
    await cluster.close()
    let end = Date(timeIntervalSinceNow: seconds)
    async let honest = HonestDevice.run(port: port, until: end)
    let counts = await attack(port, entities, seed, until: end)
    let result = try await honest
    let longest = String(format: "%.2f", result.greatestWait)
    print(
      "hostile: \(counts.connections) connections, \(counts.uploads) uploads, of whose decisions \(counts.accepted) were "
        + "acceptances and \(counts.rejected) rejections, \(counts.resets) steps of resets, \(counts.garbage) "
        + "connections with garbage; honest: "
        + "\(result.writes) writes, longest wait \(longest) s"
    )
    var findings: [String] = []
    if result.greatestWait > wait {
      findings.append("an honest write waited for more than \(wait) s")
    }
    if result.rejections > 0 { findings.append("\(result.rejections) honest writes were rejected") }
    if counts.foreign > 0 { findings.append("\(counts.foreign) objects of others were sent") }
    if !ReadingJudge(entities, user: "1").noticesForeign {
      findings.append("the judge of what is sent does not notice an object of another user")
    }
    // A trial in which nothing was decided has tried nothing.
    if counts.accepted == 0 || counts.rejected == 0 || counts.resets == 0 || result.writes < 2 {
      findings.append("too little was decided to have tried anything")
    }
    for finding in findings { print("FINDING: \(finding)") }
    return findings.count
  }

  private static func attack(
    _ port: Int,
    _ entities: [EntitySchema],
    _ seed: Int,
    until end: Date
  ) async -> Attacker.Counts {
    await withTaskGroup(of: Attacker.Counts.self) { group in
      for number in 1..<Server.users.count {
        group.addTask {
          var attacker = Attacker(UInt64(number), port: port, entities: entities, seed: seed)
          await attacker.run(until: end)
          return attacker.counts
        }
      }
      // The server may let an attacker wait for ever.
      group.addTask {
        try? await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow)))
        return Attacker.Counts()
      }
      var sum = Attacker.Counts()
      for await counts in group {
        if Date() >= end { group.cancelAll() }
        sum.add(counts)
      }
      return sum
    }
  }
}
