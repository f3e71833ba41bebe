import ObjectBoxSyncProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Trials of the synchronization protocol: `SyncTrials simulate|mutations|trace [--seed N] [--schedules
// N] [--seconds N]`. Exit codes: 0 without findings, 1 with one, 2 for a trial that could not run.
exit(Command.run(Array(CommandLine.arguments.dropFirst())))
