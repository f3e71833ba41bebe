import Foundation

/// The work of child processes: `ReliabilityTool job NAME ARGUMENT…`.
enum Job {
  /// Runs a job, and exits with 0, or with 3 after a line that begins with `error`.
  static func run(_ arguments: [String]) -> Never {
    do {
      var rest = Array(arguments.dropFirst())
      switch arguments[0] {
      case "write": try WriteJob.run(&rest)
      case "history": try HistoryJob.run(&rest)
      case "load": try LoadJob.run(&rest)
      case "record": try RecordJob.run(&rest)
      case "power": try PowerJob.run(&rest)
      case "fault": try FaultJob.run(&rest)
      case "damage": try DamageJob.run(&rest)
      case "ages": try AgesJob.run(&rest)
      #if os(Linux)
        case "dump": try DumpJob.run(&rest)
      #endif
      case "sealed-damage": try SealedDamageJob.run(&rest)
      default: throw TrialError("no job '\(arguments[0])'")
      }
      exit(0)
    } catch {
      tell("error \(error)")
      exit(3)
    }
  }
}
