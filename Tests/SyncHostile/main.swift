import Foundation
import ObjectBoxCluster

// The programs of `Scripts/sync-trials.sh hostile`. Exit codes: 0 when all promises were kept, 1 when one was broken,
// 2 when a program could not run.

let usage = """
  usage: SyncHostile prepare DATABASE
         SyncHostile serve DATABASE PORT
         SyncHostile attack DATABASE PORT SEED SECONDS WAIT    honest writes wait for WAIT seconds at most
  """

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(2)
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch words.first {
  case "prepare" where words.count == 2: try await Server.prepare(words[1])
  case "serve" where words.count == 3:
    guard let port = Int(words[2]) else { fail(usage) }
    try await Server.serve(words[1], port: port)
  case "attack" where words.count == 6:
    guard let port = Int(words[2]), let seed = Int(words[3]), let seconds = Double(words[4]),
      let wait = Double(words[5])
    else { fail(usage) }
    let cluster = try await Server.cluster(words[1])
    let entities = cluster.tables.model.entities
    await cluster.close()
    let end = Date(timeIntervalSinceNow: seconds)
    async let honest = HonestDevice.run(port: port, until: end)
    let attackers = await withTaskGroup(of: Attacker.Counts.self) { group in
      for number in 1..<Server.users.count {
        group.addTask {
          var attacker = Attacker(UInt64(number), port: port, entities: entities, seed: seed)
          await attacker.run(until: end)
          return attacker.counts
        }
      }
      return await group.reduce(into: Attacker.Counts()) { sum, counts in
        sum.uploads += counts.uploads
        sum.accepted += counts.accepted
        sum.rejected += counts.rejected
        sum.garbage += counts.garbage
        sum.connections += counts.connections
      }
    }
    let result = try await honest
    print(
      "hostile: \(attackers.connections) connections, \(attackers.uploads) uploads, \(attackers.accepted) accepted and "
        + "\(attackers.rejected) rejected as told, \(attackers.garbage) with garbage; honest: \(result.writes) writes, "
        + "longest wait \(String(format: "%.2f", result.greatestWait)) s"
    )
    var findings: [String] = []
    if result.greatestWait > wait {
      findings.append("an honest write waited for more than \(wait) s")
    }
    if result.rejections > 0 { findings.append("\(result.rejections) honest writes were rejected") }
    // A trial in which nothing was decided has tried nothing.
    if attackers.accepted == 0 || attackers.rejected == 0 || result.writes < 2 {
      findings.append("too little was decided to have tried anything")
    }
    for finding in findings { print("FINDING: \(finding)") }
    exit(findings.isEmpty ? 0 : 1)
  default: fail(usage)
  }
} catch {
  fail("error: \(error)")
}
