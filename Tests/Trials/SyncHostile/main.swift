import Foundation

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
    let findings = try await Attack.run(
      words[1],
      port: port,
      seed: seed,
      seconds: seconds,
      wait: wait
    )
    exit(findings == 0 ? 0 : 1)
  default: fail(usage)
  }
} catch {
  fail("error: \(error)")
}
