import ObjectBoxSyncProtocol

/// The command line of the trials.
enum Command {
  /// Runs the command, and returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    var seed: UInt64 = 1
    var schedules: UInt64?
    var seconds: UInt64?
    var rules: [ProtocolRule] = []
    var index = 1
    while index + 1 < arguments.count {
      if arguments[index] == "--rule", let rule = ProtocolRule(rawValue: arguments[index + 1]) {
        rules.append(rule)
        index += 2
        continue
      }
      guard let number = UInt64(arguments[index + 1]) else { return usage() }
      switch arguments[index] {
      case "--seed": seed = number
      case "--schedules": schedules = number
      case "--seconds": seconds = number
      default: return usage()
      }
      index += 2
    }
    guard index >= arguments.count else { return usage() }
    switch arguments.first {
    case "simulate":
      let defaultCount: UInt64 = seconds == nil ? 20_000 : .max
      return Simulation.run(seed: seed, schedules: schedules ?? defaultCount, seconds: seconds)
    case "trace": return Simulation.trace(seed: seed)
    case "mutations":
      return Mutations.run(
        rules.isEmpty ? ProtocolRule.allCases : rules,
        seed: seed,
        schedules: schedules ?? 1_000
      )
    default: return usage()
    }
  }

  private static func usage() -> Int32 {
    print(
      "error: usage: SyncTrials simulate|trace|mutations [--seed N] [--schedules N] [--seconds N]; "
        + "N is a number from 0 on"
    )
    return 2
  }
}
