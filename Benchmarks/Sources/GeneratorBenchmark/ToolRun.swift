import Foundation

/// Time and memory of one successful run of a tool.
struct ToolRun {
  /// The elapsed time.
  var milliseconds: Double
  /// The time on all processors together.
  var processorMilliseconds: Double
  var peakMegabytes: Double

  init(_ tool: String, _ arguments: [String]) throws {
    var words = ([tool] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    let clock = ContinuousClock()
    let start = clock.now
    guard posix_spawn(&process, tool, &actions, nil, words, environ) == 0 else {
      throw Fault(description: "'\(tool)' cannot be started")
    }
    var status: Int32 = 0
    var usage = rusage()
    // Foundation's Process does not report memory.
    guard wait4(process, &status, 0, &usage) == process else {
      throw Fault(description: "'\(tool)' was lost")
    }
    milliseconds = (clock.now - start) / .milliseconds(1)
    guard status == 0 else { throw Fault(description: "'\(tool)' ended with \(status)") }
    processorMilliseconds = Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
    #if os(Linux)
      peakMegabytes = Double(usage.ru_maxrss) / 1024
    #else
      peakMegabytes = Double(usage.ru_maxrss) / 1_048_576
    #endif
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }
}
