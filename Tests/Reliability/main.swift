import Foundation

// Trials of what the library promises: `ReliabilityTool TRIAL… [OPTION…]`. See Documentation/Reliability.md.
// Exit codes: 0 when nothing was found, 1 when a promise was broken, 2 when a trial could not be run.

// A peer that has gone is told by the write.
signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count > 1, arguments[0] == "job" {
  Job.run(Array(arguments.dropFirst()))
}
do {
  exit(try Command.run(arguments) ? 0 : 1)
} catch {
  Command.fail("error: \(error)")
}
