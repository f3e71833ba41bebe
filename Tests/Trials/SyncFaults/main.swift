import Foundation

// The programs of Scripts/sync-faults.sh. Exit codes: 0 when all promises were kept, 1 when a promise
// was broken, 2 when a program could not run.

let usage = """
  usage: SyncFaults prepare DATABASE            makes the tables and the cells
         SyncFaults serve DATABASE HOST PORT    a server, until it is killed
         SyncFaults device FOLDER NAME TEAM LIFE SEED INTERVAL URL…
         SyncFaults check FOLDER                checks what a trial has left
  """

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(2)
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch words.first {
  case "prepare" where words.count == 2: try await Server.prepare(words[1])
  case "serve" where words.count == 4:
    guard let port = Int(words[3]) else { fail(usage) }
    try await Server.serve(words[1], host: words[2], port: port)
  case "device" where words.count > 7:
    guard let life = Int(words[4]), let seed = Int(words[5]), let interval = Double(words[6])
    else { fail(usage) }
    try Device(
      .init(
        folder: words[1],
        name: words[2],
        team: words[3],
        life: life,
        urls: Array(words[7...]),
        seed: seed,
        interval: interval
      )
    ).run()
  case "check" where words.count == 2: exit(try Report.run(words[1]) ? 0 : 1)
  default: fail(usage)
  }
} catch {
  fail("error: \(error)")
}
