import Foundation

// Trials of the library's promises: `ReliabilityTool TRIAL… [OPTION…]`; see
// Documentation/Reliability.md. Exit codes: 0 without findings, 1 for a broken promise, 2 for a
// trial that could not run.

// A write reports that its reader has gone.
signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count > 1, arguments[0] == "job" {
  Job.run(Array(arguments.dropFirst()))
}
exit(Command.run(arguments) ? 0 : 1)
